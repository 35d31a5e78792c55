//go:build darwin || freebsd

package exec

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const fionread = 0x4004667f // FIONREAD, which x/sys does not define for these systems

// tied requests a new session. Not all of these systems can end a child with
// its parent.
func tied() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// newPipe returns a pipe that programs do not inherit.
func newPipe() (r, w int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	var p [2]int
	if err := unix.Pipe(p[:]); err != nil {
		return -1, -1, err
	}
	unix.CloseOnExec(p[0])
	unix.CloseOnExec(p[1])
	return p[0], p[1], nil
}

// openExit fails: these systems have no process descriptors.
func (p process) openExit() (int, error) { return -1, unix.ENOSYS }

// otherGroups returns none, because they cannot be determined: processes that
// leave the leader's group are not found.
func (p process) otherGroups() []int { return nil }

// awaitExit returns when the leader has ended, and leaves it unreaped.
func (p process) awaitExit() {
	kq := openQueue()
	defer unix.Close(kq)
	var exit unix.Kevent_t
	unix.SetKevent(&exit, p.pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	exit.Fflags = unix.NOTE_EXIT
	ignoringEINTR(func() error {
		// ESRCH: the process has already ended.
		_, err := unix.Kevent(kq, []unix.Kevent_t{exit}, make([]unix.Kevent_t, 1), nil)
		return err
	})
}

// openQueue retries until a descriptor is free: without a queue it is
// impossible to wait for the process without reaping it.
func openQueue() int {
	for {
		if kq, err := unix.Kqueue(); err == nil {
			return kq
		}
		time.Sleep(10 * time.Millisecond)
	}
}
