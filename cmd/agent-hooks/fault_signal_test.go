//go:build linux

package main

import (
	"os"
	"strconv"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestSignals checks that run stops its hook and the hook's children, and dies
// by the signal; so does the supervisor of async hooks, which also logs what it
// stopped. After SIGKILL, which cannot be handled, the hooks still end (D31,
// D34).
func TestSignals(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	const both = `(trap "" TERM; while :; do sleep 0.1; done) & > ready; sleep 60; sleep 60`
	const one = "> ready; exec sleep 60"
	manyAtOnce(t, func(start func(string, func(*testing.T))) {
		for _, s := range []struct {
			name    string
			script  string
			signals []syscall.Signal
		}{
			{"SIGINT", both, []syscall.Signal{syscall.SIGINT}},
			{"SIGINT twice", both, []syscall.Signal{syscall.SIGINT, syscall.SIGINT}},
			{"SIGTERM", both, []syscall.Signal{syscall.SIGTERM}},
			{"SIGHUP", both, []syscall.Signal{syscall.SIGHUP}},
			{"SIGKILL", one, []syscall.Signal{syscall.SIGKILL}},
			{"SIGABRT", one, []syscall.Signal{syscall.SIGABRT}},
		} {
			for _, mode := range []string{"sync", "wait", "supervisor"} {
				start(s.name+"/"+mode, func(t *testing.T) { testSignal(t, mode, s.script, s.signals) })
			}
		}
	})
}

func testSignal(t *testing.T, mode, script string, signals []syscall.Signal) {
	c := newCell(t)
	front := "metadata:\n  on-failure: deny\n"
	args := []string{"agent-hooks", "run", "pre-tool-call"}
	if mode != "sync" {
		front += "async: true\n"
	}
	if mode == "wait" {
		args = append(args, "--wait")
	}
	c.addHook(t, "guard", "#!/bin/sh\n"+script+"\n", front)
	order := cageOrder{Ready: c.project + "/ready", Signals: signals, ToKeeper: mode == "supervisor"}
	r := c.caged(t, order, args...)
	want := int(signals[0])
	if mode == "supervisor" {
		want = 0
	}
	if r.Signal != want {
		t.Errorf("exit status %d, signal %d, want signal %d: %s", r.Status, r.Signal, want, cut(r.stderr))
	}
	if r.Took > 2+slack.Seconds() {
		t.Errorf("took %.3f s", r.Took)
	}
	answered := signals[0] != syscall.SIGKILL && signals[0] != syscall.SIGABRT
	if len(r.Left) > 0 || answered && len(r.Unreaped) > 0 {
		t.Errorf("left: %q, zombies %q", r.Left, r.Unreaped)
	}
	if answered && mode != "sync" {
		l := c.log(t)
		if len(l) != 1 || l[0].Outcome != "canceled" || l[0].Cause == "" { // the run was canceled (D71)
			t.Errorf("run log: %+v", l)
		}
	}
}

// TestHookKillsRun checks that the caller sees the signal if a hook kills the
// program that runs it, and never an exit status.
func TestHookKillsRun(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		c := newCell(t)
		c.addHook(t, "guard", "#!/bin/sh\nkill -"+strconv.Itoa(int(sig))+" $PPID; exec sleep 60\n", "metadata:\n  on-failure: deny\n")
		r := c.caged(t, cageOrder{}, "agent-hooks", "run", "pre-tool-call")
		want := int(sig)
		if sig == syscall.SIGQUIT {
			want = int(syscall.SIGABRT) // Go dies by this signal, and must not exit with status 2
		}
		if r.Signal != want || len(r.Left) > 0 {
			t.Errorf("%v: exit status %d, signal %d, left %q", sig, r.Status, r.Signal, r.Left)
		}
	}
}

// TestFirstProcess checks that the first process of a container, which the
// kernel protects from its own signals, exits instead of hanging.
func TestFirstProcess(t *testing.T) {
	c := newCell(t)
	c.addHook(t, "guard", "#!/bin/sh\n> ready; exec sleep 60\n", "")
	if os.Geteuid() != 0 {
		t.Skip("needs to create a process namespace")
	}
	order := cageOrder{Ready: c.project + "/ready", Signals: []syscall.Signal{syscall.SIGTERM}, Alone: true}
	r := c.caged(t, order, "agent-hooks", "run", "pre-tool-call")
	if r.Status != 1 || len(r.Left) > 0 {
		t.Errorf("exit status %d, signal %d, left %q: %s", r.Status, r.Signal, r.Left, r.stderr)
	}
}
