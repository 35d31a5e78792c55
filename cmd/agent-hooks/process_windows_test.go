package main

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/windows"
)

// signaled runs pre-tool-call on an event, waits until the hook has written its process ID, and ends
// run as an agent does: signaled KILL|BREAK EVENT PIDFILE. BREAK is Ctrl-Break, the only signal that
// reaches a process in a group of its own.
func signaled(ts *testscript.TestScript, neg bool, args []string) {
	event, err := os.Open(ts.MkAbs(args[1]))
	ts.Check(err)
	defer event.Close()
	cmd := osexec.Command(lookPath(ts, "agent-hooks"), "run", "pre-tool-call")
	cmd.Stdin, cmd.Dir = event, ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "USERPROFILE", "ACCOUNT_HOME", "XDG_STATE_HOME", "TMP", "TEMP", "SYSTEMROOT"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	ts.Check(cmd.Start())
	waitFor(ts, false, []string{args[2], "\n"})
	if args[0] == "BREAK" {
		ts.Check(windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(cmd.Process.Pid)))
	} else {
		ts.Check(cmd.Process.Kill())
	}
	_ = cmd.Wait()
	if cmd.ProcessState.Success() {
		ts.Fatalf("run ended with %v", cmd.ProcessState)
	}
}

func lookPath(ts *testscript.TestScript, name string) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, name+".exe")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	ts.Fatalf("no %s in PATH", name)
	return ""
}

// hasConsole reports whether Ctrl-Break can be sent, which needs a console.
func hasConsole() bool {
	codePage, _, _ := windows.NewLazySystemDLL("kernel32.dll").NewProc("GetConsoleCP").Call()
	return codePage != 0
}

// gone asserts that a process ends soon, and removes its PID file.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	h := openProcess(ts, args[0])
	if h != 0 {
		defer windows.CloseHandle(h)
		if event, err := windows.WaitForSingleObject(h, uint32(time.Minute/time.Millisecond)); err != nil || event != windows.WAIT_OBJECT_0 {
			ts.Fatalf("the process in %s is still there", args[0])
		}
	}
	ts.Check(os.Remove(ts.MkAbs(args[0])))
}

// alive asserts that a process exists, ends it and removes its PID file.
func alive(ts *testscript.TestScript, neg bool, args []string) {
	h := openProcess(ts, args[0])
	if h == 0 {
		ts.Fatalf("the process in %s is gone", args[0])
	}
	defer windows.CloseHandle(h)
	if event, _ := windows.WaitForSingleObject(h, 0); event == windows.WAIT_OBJECT_0 {
		ts.Fatalf("the process in %s has ended", args[0])
	}
	ts.Check(windows.TerminateProcess(h, 1))
	ts.Check(os.Remove(ts.MkAbs(args[0])))
}

// openProcess returns a handle of the process whose ID is in a file, 0 if there is none.
func openProcess(ts *testscript.TestScript, file string) windows.Handle {
	pid, err := strconv.ParseUint(strings.TrimSpace(ts.ReadFile(file)), 10, 32)
	ts.Check(err)
	h, err := windows.OpenProcess(windows.SYNCHRONIZE|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return 0
	}
	return h
}
