//go:build linux

package main

import (
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestThousandHooks checks that the last of many hooks runs.
func TestThousandHooks(t *testing.T) {
	testenv.Long(t)
	const hooks = 1000
	c := newCell(t)
	for i := range hooks {
		front := "matcher:\n  tool: ^Other$\n"
		if i%20 == 0 {
			front = "" // one in twenty runs
		}
		c.addHook(t, fmt.Sprintf("hook-%d", i), "#!/bin/sh\nexit 3\n", front)
	}
	c.addHook(t, "guard", "#!/bin/sh\nexit 2\n", "priority: 0\n")
	r := c.caged(t, cageOrder{}, "agent-hooks", "run", "pre-tool-call")
	if r.Status != 2 || len(r.Left)+len(r.Unreaped) > 0 {
		t.Errorf("exit status %d: %+v", r.Status, r.cageReport)
	}
	if n := len(c.log(t)); n != hooks/20+1 {
		t.Errorf("%d lines in the run log", n)
	}
}

// TestManyRuns checks that concurrent runs each return their own answer and write one line to the
// log.
func TestManyRuns(t *testing.T) {
	testenv.Long(t)
	const runs = 200
	c := newCell(t)
	c.addHook(t, "guard", "#!/bin/sh\ngrep -q odd && exit 2\nexit 0\n", "timeout: 600000\n")
	// A file instead of a pipe, because run might give up waiting for a pipe on such a busy
	// machine.
	for _, word := range []string{"even", "odd"} {
		must(os.WriteFile(c.dir+"/"+word, []byte(`{"tool_name": "Shell", "tool_input": {"command": "`+word+`"}}`), 0o600))
	}
	var all sync.WaitGroup
	for i := range runs {
		cmd := osexec.CommandContext(t.Context(), "agent-hooks", "run", "pre-tool-call")
		cmd.Dir, cmd.Env = c.project, c.env
		want := i % 2 * 2
		event, err := os.Open(c.dir + []string{"/even", "/odd"}[i%2])
		must(err)
		defer event.Close()
		cmd.Stdin = event
		all.Go(func() {
			out, _ := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != want {
				t.Errorf("run %d: %v, want %d: %s", i, cmd.ProcessState, want, out)
			}
		})
	}
	all.Wait()
	if n := len(c.log(t)); n != runs {
		t.Errorf("%d lines in the run log", n)
	}
}

// TestBigEventMemory checks that ten hooks read a big event without a copy for each (D23). A run's
// memory grows by at most twice the event's size, also if guards read the call, and by a half more
// from a pipe, whose length is unknown. A tool's output is not copied.
func TestBigEventMemory(t *testing.T) {
	testenv.Long(t)
	if raceDetector {
		t.Skip("the race detector takes several times the memory")
	}
	c := newCell(t)
	for i := range 10 {
		c.addHook(t, fmt.Sprintf("hook-%d", i), "#!/bin/sh\nexec cat > /dev/null\n", "matcher:\n  tool: Shell\n")
	}
	for _, match := range []string{"commands", "pipelines", "paths"} {
		c.addHook(t, "guard-"+match, "", "priority: 0\nmatcher:\n  pattern: never\nmetadata:\n  match: "+match+"\n  answer:\n    decision: deny\n")
	}
	const small, large = 4, 36 // MiB
	const shell = `{"tool_name": "Shell", "tool_input": {"command": "`
	for _, from := range []struct {
		name, before, after string
		most                float64 // bytes of memory for each byte of the event
	}{
		{"file", shell, `"}}`, 2.2},
		{"pipe", shell, `"}}`, 2.5},
		{"claude-code", `{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "a\n`, `"}}`, 2.2},
		{"claude-code", `{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"file_path": "a", "content": "a\n`, `"}}`, 2.2},
		{"claude-code", `{"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "a"}, "tool_response": {"stdout": "a\n`, `"}}`, 1.5},
	} {
		peak := func(size int) (mib float64) {
			event := from.before + strings.Repeat("x", size<<20) + from.after
			args := []string{"agent-hooks", "run", "pre-tool-call"}
			if c.stdin = strings.NewReader(event); from.name != "pipe" {
				writeEventFile(t, c, event)
			}
			if from.name == "claude-code" {
				args = []string{"agent-hooks", "run", "--agent", from.name}
			}
			r := c.caged(t, cageOrder{}, args...)
			if r.Status != 2 && from.name != "claude-code" {
				t.Errorf("from a %s: exit status %d", from.name, r.Status)
			}
			return float64(r.Memory) / 1024
		}
		before, after := peak(small), peak(large)
		growth := (after - before) / (large - small)
		t.Logf("from a %s: peaks of %.1f and %.1f MiB, %.2f for each byte of the event", from.name, before, after, growth)
		if growth > from.most {
			t.Errorf("from a %s: %.2f bytes for each byte of the event, at most %.1f", from.name, growth, from.most)
		}
	}
}
