//go:build unix

package exec

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// process is a started process, the leader of its session and group.
type process struct{ pid int }

// startTied starts a process in its own session; where the system can, it
// dies with us (D34).
func startTied(path string, args []string, dir string, env []string, files [3]*os.File) (process, error) {
	return startProcess(path, args, dir, env, files, tied())
}

// startDetached starts a process in its own session that outlives us (D36).
func startDetached(path string, args, env []string, files [3]*os.File) (process, error) {
	return startProcess(path, args, "/", env, files, &syscall.SysProcAttr{Setsid: true})
}

// startProcess forks without os.StartProcess, which starts a child of its
// own first to see what the kernel can do.
func startProcess(path string, args []string, dir string, env []string, files [3]*os.File, attr *syscall.SysProcAttr) (process, error) {
	if env == nil {
		env = []string{}
	}
	fds := make([]uintptr, len(files))
	for i, f := range files {
		fds[i] = f.Fd() // which makes it blocking, as programs expect
	}
	pid, err := syscall.ForkExec(path, args, &syscall.ProcAttr{Dir: dir, Env: env, Files: fds, Sys: attr})
	return process{pid}, err
}

// terminate asks the session to end.
func (p process) terminate() { p.signal(unix.SIGTERM) }

// kill ends the session. The leader must not have been reaped.
func (p process) kill() { p.signal(unix.SIGKILL) }

func (p process) signal(s unix.Signal) {
	unix.Kill(-p.pid, s)
	for _, group := range p.otherGroups() {
		unix.Kill(-group, s)
	}
}

// reap removes the ended leader and says how it ended.
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

// pending returns how many bytes f holds for reading.
func pending(f *os.File) (n int64) {
	conn, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	conn.Control(func(fd uintptr) {
		if held, err := unix.IoctlGetInt(int(fd), fionread); err == nil {
			n = int64(held)
		}
	})
	return n
}

func isBusy(err error) bool { return errors.Is(err, unix.ETXTBSY) }

func ignoringEINTR(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
