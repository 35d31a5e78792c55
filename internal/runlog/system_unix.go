//go:build unix

package runlog

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// systemSockets are where the system's log listens: on Linux syslog's or journald's, on macOS, on BSD.
var systemSockets = []string{"/dev/log", "/var/run/syslog", "/var/run/log"}

// System adds an entry to the system's log, which a user cannot change: syslog's authpriv.notice,
// or Windows's application log. It never waits: a log that is absent or busy loses the line.
func System(e Entry) {
	if line, err := encode(e); err == nil {
		send(systemSockets, e.Time, line[:len(line)-1])
	}
}

// send sends a line to the first socket that takes it.
func send(sockets []string, at time.Time, line []byte) {
	const authprivNotice = 10<<3 | 5
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	unix.CloseOnExec(fd)
	err = unix.SetNonblock(fd, true)
	message := fmt.Appendf(nil, "<%d>%s agent-hooks[%d]: %s", authprivNotice, at.Format(time.Stamp), os.Getpid(), line)
	for _, path := range sockets {
		if err == nil && unix.Sendto(fd, message, 0, &unix.SockaddrUnix{Name: path}) == nil {
			return
		}
	}
}
