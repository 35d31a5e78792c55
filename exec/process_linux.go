package exec

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const fionread = unix.TIOCINQ

// tied is a session of its own and death with the parent.
func tied() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit returns when the leader has ended, and leaves it unreaped.
func (p process) awaitExit() {
	ignoringEINTR(func() error {
		return unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
	})
}
