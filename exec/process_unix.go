//go:build unix

package exec

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// process is a started process, the leader of its session and group.
type process struct{ pid int }

// startTied starts c in its own session with its ends of s as its streams.
// Where the system supports it, the process dies with this one (D34).
func startTied(c *Command, s *streams) (process, error) {
	return startProcess(c.Path, c.Args, c.Dir, c.Env, s.theirs, tied())
}

// startDetached starts a process in its own session that outlives this one
// (D36).
func startDetached(path string, args, env []string, files [3]*os.File) (process, error) {
	var fds [3]int
	for i, f := range files {
		fds[i] = int(f.Fd()) // makes it blocking, as programs expect
	}
	return startProcess(path, args, "/", env, fds, &syscall.SysProcAttr{Setsid: true})
}

// startProcess forks without os.StartProcess, which first starts a child of its
// own to test the kernel's features.
func startProcess(path string, args []string, dir string, env []string, fds [3]int, attr *syscall.SysProcAttr) (process, error) {
	files := []uintptr{uintptr(fds[0]), uintptr(fds[1]), uintptr(fds[2])}
	pid, err := syscall.ForkExec(path, args, &syscall.ProcAttr{Dir: dir, Env: env, Files: files, Sys: attr})
	return process{pid}, err
}

// exitDescriptor returns a descriptor that is ready once the process has ended.
// It retries until one is free: without it, it is impossible to wait for the
// process without reaping it.
func (p process) exitDescriptor() int {
	for {
		if fd, err := p.openExit(); err == nil {
			return fd
		}
		if fd := p.exitPipe(); fd >= 0 {
			return fd
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// exitPipe returns a pipe that closes when the process ends, -1 if there is
// none.
func (p process) exitPipe() int {
	r, w, err := newPipe()
	if err != nil {
		return -1
	}
	go func() {
		p.awaitExit()
		unix.Close(w)
	}()
	return r
}

// disown reaps the process when it ends.
func (p process) disown() {
	p.awaitExit()
	p.reap()
}

// terminate sends SIGTERM to the session.
func (p process) terminate() { p.signal(unix.SIGTERM) }

// kill sends SIGKILL to the session. The leader must not have been reaped.
func (p process) kill() { p.signal(unix.SIGKILL) }

func (p process) signal(s unix.Signal) {
	unix.Kill(-p.pid, s)
	for _, group := range p.otherGroups() {
		unix.Kill(-group, s)
	}
}

// reap reaps the ended leader and returns how it ended.
func (p process) reap() (status int, signal string, err error) {
	var w unix.WaitStatus
	err = ignoringEINTR(func() error {
		_, err := unix.Wait4(p.pid, &w, 0, nil)
		return err
	})
	switch {
	case err != nil:
		return -1, "", fmt.Errorf("wait for its exit status: %w", err)
	case w.Signaled():
		return -1, signalName(w.Signal()), nil
	}
	return w.ExitStatus(), "", nil
}

func signalName(s syscall.Signal) string {
	if name := unix.SignalName(s); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(s))
}

func isBusy(err error) bool { return errors.Is(err, unix.ETXTBSY) }

func ignoringEINTR(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
