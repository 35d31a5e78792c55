//go:build darwin || freebsd

package exec

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const fionread = 0x4004667f // FIONREAD, which x/sys does not have here

// tied is a session of its own: death with the parent cannot be asked for
// on all of these systems.
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

// openExit finds no descriptor of a process here.
func (p process) openExit() (int, error) { return -1, unix.ENOSYS }

// otherGroups cannot be told here: what leaves the leader's group is lost.
func (p process) otherGroups() []int { return nil }

// awaitExit returns when the leader has ended, and leaves it unreaped.
func (p process) awaitExit() {
	kq := openQueue()
	defer unix.Close(kq)
	var exit unix.Kevent_t
	unix.SetKevent(&exit, p.pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	exit.Fflags = unix.NOTE_EXIT
	ignoringEINTR(func() error {
		// ESRCH: it has ended already.
		_, err := unix.Kevent(kq, []unix.Kevent_t{exit}, make([]unix.Kevent_t, 1), nil)
		return err
	})
}

// openQueue tries until there is a free descriptor: without a queue the
// process could not be awaited without being reaped.
func openQueue() int {
	for {
		if kq, err := unix.Kqueue(); err == nil {
			return kq
		}
		time.Sleep(10 * time.Millisecond)
	}
}
