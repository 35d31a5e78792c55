// Package zone removes TZ from the environment if it names a file outside the system's time zones.
// Packages that use the local time while they are initialized would read that file before the
// program begins: a FIFO would hold a run beyond its deadline, and /dev/stdin would take its event
// (D99). This package must be initialized before package time, so that it imports nothing that is
// initialized later than package syscall.
package zone

import "syscall"

func init() {
	if tz, ok := syscall.Getenv("TZ"); ok && !isName(tz) {
		_ = syscall.Unsetenv("TZ")
	}
}

// isName reports whether a value of TZ is a rule, a name, or a file of the system's time zones.
func isName(tz string) bool {
	if tz != "" && tz[0] == ':' {
		tz = tz[1:]
	}
	for i := range len(tz) - 1 {
		if tz[i] == '.' && tz[i+1] == '.' {
			return false
		}
	}
	const files = "/usr/share/zoneinfo/"
	return tz == "" || tz[0] != '/' || tz == "/etc/localtime" || len(tz) > len(files) && tz[:len(files)] == files
}
