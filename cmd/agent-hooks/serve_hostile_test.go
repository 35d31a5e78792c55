package main

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestServeDiesBySignal checks that SIGTERM ends the server and its hooks, even
// while a client does not read.
func TestServeDiesBySignal(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.gate()
	s.hook("slow", "echo $$ >>starts; exec sleep 300", "priority: 1", "matcher: {pattern: slow}")
	s.asks("s", "ls")
	s.send("hooks.run", `{"event":"pre-tool-call","input":`+gateInput("s", "slow")+`}`)
	for end := time.Now().Add(time.Minute); len(s.starts()) < 2; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the slow hook does not start")
		}
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	if status, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("%v", s.cmd.ProcessState)
	}
	for _, pid := range s.starts() {
		s.gone(pid)
	}
}

// TestServeUnread checks that the server ends with its input if a client sends
// and never reads, so that the pipe is full.
func TestServeUnread(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	cmd := osexec.Command("agent-hooks", "serve", "--trust-project")
	cmd.Dir, cmd.Env = s.project, s.cmd.Env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdoutPipe(); err != nil { // never read
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"hooks.list"}`+"\n", i)
	}
	in.Close()
	ended := make(chan error, 1)
	go func() {
		_, err := cmd.Process.Wait()
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Error("the server does not end")
	}
}

// TestServeInputEndsInALine checks that the last message needs no newline, and that
// a truncated one is not executed.
func TestServeInputEndsInALine(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("guard", "exit 2")
	call := `{"jsonrpc":"2.0","id":1,"method":"hooks.run","params":` + serveCall + `}`
	for input, want := range map[string]string{
		call:                    `"blocked":true`,
		call[:len(call)-1]:      `-32700`,
		call + "\n" + call[:40]: `-32700`,
	} {
		out, status := s.run(input, "serve", "--trust-project")
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%q: %d %s, want %s", input, status, out, want)
		}
	}
}

// TestTwoServers checks that two servers do not affect each other.
func TestTwoServers(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	s.gate()
	other := osexec.Command("agent-hooks", "serve", "--trust-project")
	other.Dir, other.Env = s.project, s.cmd.Env
	other.Stdin = strings.NewReader(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"hooks.run","params":{"event":"pre-tool-call","input":`+gateInput("s", "deny")+"}}\n", 20))
	var out strings.Builder
	other.Stdout = &out
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if blocked, reason := s.asks("s", "deny"); !blocked || reason != "denied" {
			t.Errorf("%v %s", blocked, reason)
		}
	}
	if err := other.Wait(); err != nil || strings.Count(out.String(), `"blocked":true`) != 20 {
		t.Errorf("%v\n%s", err, out.String())
	}
	if n := len(s.starts()); n != 2 {
		t.Errorf("%d processes, want one for each server", n)
	}
}

// TestServeFollowsTheProject replaces a hook's folder, moves the repository's
// root, removes the working directory, and adds and removes the project's
// hooks.toml. Each verdict is that of run at that moment.
func TestServeFollowsTheProject(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	s := newServed(t)
	hooks := filepath.Join(s.project, ".agents", "hooks")
	sub := filepath.Join(s.project, "sub")
	call := strings.Replace(serveCall, `{"tool_name"`, `{"cwd":`+strconv.Quote(sub)+`,"tool_name"`, 1)
	input := call[strings.Index(call, `{"cwd"`) : len(call)-1]
	check := func(what string, want bool) {
		t.Helper()
		r := s.call("hooks.run", call)
		_, status := s.run(input, "run", "pre-tool-call")
		if r.Result["blocked"] != want || (status == 2) != want {
			t.Errorf("%s: serve %+v, run %d, want blocked %v", what, r, status, want)
		}
	}
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	s.write(filepath.Join(s.project, ".git", "HEAD"), "ref: refs/heads/main\n", 0o644)
	s.write(filepath.Join(sub, "x"), "", 0o644)
	s.hook("guard", "exit 0")
	check("a guard that allows", false)
	for range 5 { // the whole folder at once, within the resolution of the file system's times
		s.hook("other", "exit 2")
		s.write(filepath.Join(s.project, "new", "HOOK.md"), "---\nname: guard\ndescription: A hook.\ntrigger: pre-tool-call\n---\n", 0o644)
		s.write(filepath.Join(s.project, "new", "scripts", "run"), "#!/bin/sh\nexit 2\n", 0o755)
		rename(filepath.Join(hooks, "guard"), filepath.Join(s.project, "old"))
		rename(filepath.Join(s.project, "new"), filepath.Join(hooks, "guard"))
		if err := os.RemoveAll(filepath.Join(hooks, "other")); err != nil {
			t.Fatal(err)
		}
		check("replaced", true)
		rename(filepath.Join(hooks, "guard"), filepath.Join(s.project, "new"))
		rename(filepath.Join(s.project, "old"), filepath.Join(hooks, "guard"))
		check("put back", false)
		if err := os.RemoveAll(filepath.Join(s.project, "new")); err != nil {
			t.Fatal(err)
		}
	}
	s.hook("guard", "exit 2")
	time.Sleep(2500 * time.Millisecond) // unchanged files are no longer read again
	check("remembered", true)
	rename(filepath.Join(s.project, ".git"), filepath.Join(s.project, "git"))
	check("without .git", true)
	rename(filepath.Join(s.project, "git"), filepath.Join(sub, ".git"))
	check("sub is a repository of its own", true) // then the process's directory is searched
	rename(filepath.Join(sub, ".git"), filepath.Join(s.project, ".git"))
	s.write(filepath.Join(s.project, ".agents", "hooks.toml"), "[hooks]\nenabled = false\n", 0o644)
	check("switched off", false)
	if err := os.Remove(filepath.Join(s.project, ".agents", "hooks.toml")); err != nil {
		t.Fatal(err)
	}
	check("switched on", true)
	rename(hooks, hooks+"-away")
	check("without hooks", false)
	rename(hooks+"-away", hooks)
	if err := os.RemoveAll(sub); err != nil {
		t.Fatal(err)
	}
	check("the event's directory is gone", true)
	link := filepath.Join(s.project, "linked")
	s.write(filepath.Join(link, "scripts", "run"), "#!/bin/sh\nexit 0\n", 0o755)
	s.write(filepath.Join(link, "HOOK.md"), "---\nname: guard\ndescription: A hook.\ntrigger: pre-tool-call\n---\n", 0o644)
	rename(filepath.Join(hooks, "guard"), filepath.Join(s.project, "real"))
	if err := os.Symlink(link, filepath.Join(hooks, "guard")); err != nil {
		t.Fatal(err)
	}
	check("a link to another folder", false)
	s.write(filepath.Join(link, "scripts", "run"), "#!/bin/sh\nexit 2\n", 0o755)
	check("whose script changes", true)
}

// TestServeKeepsTrust checks that an unreviewed hook never runs, even in a
// process that was started before.
func TestServeKeepsTrust(t *testing.T) {
	t.Parallel()
	s := newServed(t, "--require-trust")
	s.gate()
	if blocked, _ := s.asks("s", "deny"); blocked || len(s.starts()) != 0 {
		t.Errorf("not trusted: %v %v", blocked, s.starts())
	}
	if out, status := s.run("", "trust", "--yes"); status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	for range 2 {
		if blocked, reason := s.asks("s", "deny"); !blocked || reason != "denied" {
			t.Errorf("trusted: %v %s", blocked, reason)
		}
	}
	// The new version waits for trust; the reviewed copy keeps running.
	s.write(filepath.Join(s.project, ".agents", "hooks", "gate", "gate.py"), "import sys\nsys.exit(0)\n", 0o644)
	if blocked, reason := s.asks("s", "deny"); !blocked || reason != "denied" || len(s.starts()) != 1 {
		t.Errorf("changed: %v %s %v", blocked, reason, s.starts())
	}
	if out, status := s.run("", "trust", "--remove"); status != 0 {
		t.Fatalf("%d %s", status, out)
	}
	if blocked, _ := s.asks("s", "deny"); blocked {
		t.Error("untrusted: blocked")
	}
	s.gone(s.starts()[0])
}
