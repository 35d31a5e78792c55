//go:build unix

package main

import (
	"fmt"
	"os"
	osexec "os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// signaled runs pre-tool-call on an event, waits until the hook has written its
// process ID, sends the signal and asserts that it ended run: signaled TERM
// EVENT PIDFILE.
func signaled(ts *testscript.TestScript, neg bool, args []string) {
	sig, ok := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL}[args[0]]
	if !ok {
		ts.Fatalf("unknown signal %s", args[0])
	}
	event, err := os.Open(args[1])
	ts.Check(err)
	defer event.Close()
	cmd := osexec.Command(lookPath(ts, "agent-hooks"), "run", "pre-tool-call")
	cmd.Stdin, cmd.Dir, cmd.Env = event, ts.MkAbs("."), scriptEnv(ts)
	ts.Check(cmd.Start())
	waitFor(ts, false, []string{args[2], "\n"})
	ts.Check(cmd.Process.Signal(sig))
	_ = cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != sig {
		ts.Fatalf("run ended with %v, want death by %v", cmd.ProcessState, sig)
	}
}

func lookPath(ts *testscript.TestScript, name string) string {
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), string(os.PathListSeparator)) {
		path := dir + "/" + name
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	ts.Fatalf("no %s in PATH", name)
	return ""
}

func scriptEnv(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "XDG_STATE_HOME", "TMPDIR", "GORACE"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	return env
}

// hasConsole is for Windows.
func hasConsole() bool { return false }

// gone asserts that a process ends soon, and removes its PID file.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	pid := readPid(ts, args[0])
	for deadline := time.Now().Add(time.Minute); isAlive(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("process %d is still there", pid)
		}
	}
	ts.Check(os.Remove(ts.MkAbs(args[0])))
}

// alive asserts that a process exists, ends it and removes its PID file.
func alive(ts *testscript.TestScript, neg bool, args []string) {
	pid := readPid(ts, args[0])
	if !isAlive(pid) {
		ts.Fatalf("process %d is gone", pid)
	}
	ts.Check(syscall.Kill(pid, syscall.SIGKILL))
	ts.Check(os.Remove(ts.MkAbs(args[0])))
}

func readPid(ts *testscript.TestScript, file string) int {
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(file)))
	ts.Check(err)
	return pid
}

// isAlive returns false for a zombie that has not been reaped yet.
func isAlive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
