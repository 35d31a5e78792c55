package exec

import (
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

const fionread = unix.TIOCINQ

// tied requests a new session and death with the parent.
func tied() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// newPipe returns a pipe that programs do not inherit.
func newPipe() (r, w int, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return -1, -1, err
	}
	return p[0], p[1], nil
}

// openExit returns a descriptor of the process that is ready once it has ended.
// Old kernels do not support it, and some sandboxes forbid it.
func (p process) openExit() (int, error) { return unix.PidfdOpen(p.pid, 0) }

// awaitExit returns when the leader has ended, and leaves it unreaped.
func (p process) awaitExit() {
	ignoringEINTR(func() error {
		return unix.Waitid(unix.P_PID, p.pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
	})
}

// otherGroups returns the groups in the session other than the leader's own: a
// shell with job control gives each of its jobs a group.
func (p process) otherGroups() (groups []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if session, err := unix.Getsid(pid); err != nil || session != p.pid {
			continue
		}
		if group, err := unix.Getpgid(pid); err == nil && group != p.pid {
			groups = append(groups, group)
		}
	}
	return groups
}
