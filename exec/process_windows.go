package exec

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// process is a started process in its own job object.
type process struct {
	*os.Process
	job windows.Handle
}

// startTied starts c with its ends of s as its streams, in a job that ends with
// this process (D34). The process is suspended until it is in its job, so that it
// cannot start a process outside the job.
func startTied(c *Command, s *streams) (process, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return process{}, fmt.Errorf("create a job object: %w", err)
	}
	p, err := startProcess(c.Path, c.Args, c.Dir, c.Env, s.theirs,
		windows.CREATE_SUSPENDED|windows.CREATE_NEW_PROCESS_GROUP|windows.CREATE_NO_WINDOW)
	if err != nil {
		windows.CloseHandle(job)
		return process{}, err
	}
	p.job = job
	if err := p.enterJob(); err != nil {
		p.Kill()
		p.reap()
		return process{}, err
	}
	return p, nil
}

// startDetached starts a process without a console that outlives this one,
// outside our job if the job allows it (D36).
func startDetached(path string, args, env []string, files [3]*os.File) (process, error) {
	const flags = windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP
	root := filepath.VolumeName(path) + `\`
	p, err := startProcess(path, args, root, env, files, flags|windows.CREATE_BREAKAWAY_FROM_JOB)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		p, err = startProcess(path, args, root, env, files, flags)
	}
	return p, err
}

func startProcess(path string, args []string, dir string, env []string, files [3]*os.File, flags uint32) (process, error) {
	if env == nil {
		env = []string{}
	}
	p, err := os.StartProcess(path, args, &os.ProcAttr{
		Dir: dir, Env: env, Files: files[:],
		Sys: &syscall.SysProcAttr{CreationFlags: flags, HideWindow: true},
	})
	return process{Process: p}, err
}

func (p process) enterJob() (err error) {
	if err := p.endWithUs(true); err != nil {
		return fmt.Errorf("limit the job object: %w", err)
	}
	withErr := p.WithHandle(func(handle uintptr) {
		err = windows.AssignProcessToJobObject(p.job, windows.Handle(handle))
		if err != nil {
			err = fmt.Errorf("enter the job object: %w", err)
			return
		}
		err = resume(handle)
	})
	return errors.Join(err, withErr)
}

// resume resumes a suspended process. os.StartProcess does not return its
// thread, which ResumeThread would need.
func resume(handle uintptr) error {
	proc := windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")
	if err := proc.Find(); err != nil {
		return err
	}
	if status, _, _ := proc.Call(handle); status != 0 {
		return fmt.Errorf("resume the process: %w", windows.NTStatus(status))
	}
	return nil
}

// endWithUs sets whether closing the job's last handle, for example when this
// process ends, ends the processes in it.
func (p process) endWithUs(on bool) error {
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	if on {
		info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	}
	_, err := windows.SetInformationJobObject(p.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	return err
}

// awaitExit returns when the process has ended. Its handle remains valid.
func (p process) awaitExit() {
	p.WithHandle(func(handle uintptr) {
		windows.WaitForSingleObject(windows.Handle(handle), windows.INFINITE)
	})
}

// terminate ends the job: Windows has no equivalent of SIGTERM.
func (p process) terminate() { p.kill() }

func (p process) kill() { windows.TerminateJobObject(p.job, killed) }

// killed is the exit status of a process that kill ended.
const killed = ^uint32(0)

// disown reaps the process when it ends.
func (p process) disown() {
	p.awaitExit()
	p.reap()
}

// reap releases the ended process and returns how it ended. Other processes in
// its job continue (D35).
func (p process) reap() (status int, signal string, err error) {
	if p.job != 0 {
		p.endWithUs(false)
		windows.CloseHandle(p.job)
	}
	state, err := p.Wait()
	if err != nil {
		return -1, "", fmt.Errorf("wait for its exit status: %w", err)
	}
	if status := state.ExitCode(); uint32(status) != killed {
		return status, "", nil
	}
	return -1, "", nil
}

func isBusy(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }
