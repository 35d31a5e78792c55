//go:build unix

package environ

import (
	"strings"
	"syscall"
)

// isWritable reports whether this process can create files in a directory. In
// /sys nobody can, whatever its permissions are.
func isWritable(dir string) bool {
	const write, search = 2, 1
	return syscall.Access(dir+"/.", write|search) == nil && dir != "/sys" && !strings.HasPrefix(dir, "/sys/")
}
