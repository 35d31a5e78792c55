//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

const (
	soakVar    = "AGENT_HOOKS_SOAK" // the duration, such as "10m"
	soakAtOnce = 50
)

// soakHooks are the sets of hooks of a soak test, by the tool's name.
var soakHooks = []struct {
	name, script, front string
	status              int // of run
}{
	{"good", "cat > /dev/null", "", 0},
	{"blocking", "echo no >&2; exit 2", "", 2},
	{"failing", "exit 3", "", 0},
	{"closed", "exit 3", "metadata:\n  on-failure: deny\n  retry: 1\n", 2},
	{"hanging", `trap "" TERM; sleep 60 & wait; sleep 60`, "timeout: 200\n", 0},
	{"flooding", "yes >&2 & exec yes", "timeout: 100\n", 0},
	{"leaving", "sleep 0.5 & exit 0", "", 0},
	{"async", "cat > /dev/null", "async: true\n", 0},
	{"async-failing", "exit 3", "async: true\nmetadata:\n  retry: 2\n", 0},
	{"async-hanging", "sleep 60", "async: true\ntimeout: 200\n", 0},
	{"async-flooding", "exec yes", "async: true\ntimeout: 100\n", 0},
}

// TestSoak runs a mix of hooks for a while, fifty at a time. Then no process,
// descriptor or temporary file remains, each line of the log can be read, and
// the second half of the runs took at most twice the memory of the first: the
// memory for a flood of output depends on when it is collected.
func TestSoak(t *testing.T) {
	testenv.Long(t)
	length := 3 * time.Second
	if text := os.Getenv(soakVar); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	c := newCell(t)
	for _, h := range soakHooks {
		c.addHook(t, h.name, "#!/bin/sh\n"+h.script+"\n", h.front+"matcher:\n  tool: ^"+h.name+"$\n")
	}
	before := descriptors(t)
	s := &soak{cell: c, until: time.Now().Add(length), half: time.Now().Add(length / 2)}
	s.run(t)
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors are open, %d were", after, before)
	}
	c.checkSoakFiles(t)
	logged := s.checkLog(t)
	if first, last := s.memory[0].Load(), s.memory[1].Load(); last > 2*first {
		t.Errorf("peak memory of a run: %d KiB in the first half, %d KiB in the second", first, last)
	}
	t.Logf("%v: %d runs, %d lines in the log, peak memory of a run %d and %d KiB",
		length, s.runs.Load(), logged, s.memory[0].Load(), s.memory[1].Load())
}

type soak struct {
	*cell
	half, until time.Time
	runs        atomic.Int64
	memory      [2]atomic.Int64 // peak of a run in KiB, in each half
}

func (s *soak) run(t *testing.T) {
	var all sync.WaitGroup
	for range soakAtOnce {
		all.Go(func() {
			for time.Now().Before(s.until) && !t.Failed() {
				n := int(s.runs.Add(1))
				which := n % len(soakHooks) // some of each in the first half
				if n > soakAtOnce {
					which = rand.IntN(len(soakHooks))
				}
				s.once(t, n, which)
			}
		})
	}
	all.Wait()
}

// once runs one set of hooks in a cage, which waits for all processes that it
// leaves.
func (s *soak) once(t *testing.T, n, which int) {
	hook := soakHooks[which]
	one := *s.cell
	one.dir = fmt.Sprintf("%s/run-%d", s.dir, n)
	must(os.Mkdir(one.dir, 0o700))
	defer os.RemoveAll(one.dir)
	one.stdin = strings.NewReader(fmt.Sprintf(`{"tool_name": %q, "tool_input": {"command": "ls"}}`, hook.name))
	half := 0
	if time.Now().After(s.half) {
		half = 1
	}
	r := one.caged(t, cageOrder{}, "agent-hooks", "run", "pre-tool-call")
	if r.Status != hook.status || len(r.Left)+len(r.Unreaped) > 0 || r.Took > 2*slack.Seconds() {
		t.Errorf("%s: %+v", hook.name, r)
	}
	for peak := s.memory[half].Load(); r.Memory > peak && !s.memory[half].CompareAndSwap(peak, r.Memory); {
		peak = s.memory[half].Load()
	}
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func (c *cell) checkSoakFiles(t *testing.T) {
	if entries, err := os.ReadDir(c.temp); len(entries) > 0 || err != nil {
		t.Errorf("left: %v %v", entries, err)
	}
	entries, err := os.ReadDir(c.state + "/agent-hooks/output")
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "async") {
			t.Errorf("left: %s", e.Name())
		}
	}
}

// checkLog reads each line of the log and returns their number: one for each
// run, except those removed by rotation.
func (s *soak) checkLog(t *testing.T) int {
	lines := s.log(t)
	failed := map[string]bool{"failing": true, "closed": true, "hanging": true, "flooding": true, "async-failing": true, "async-hanging": true, "async-flooding": true}
	for _, l := range lines {
		if got := l.Outcome == "failure" || l.Outcome == "timeout"; got != failed[l.Hook] {
			t.Errorf("run log: %+v", l)
		}
	}
	if _, err := os.Stat(s.state + "/agent-hooks/runs.1.jsonl"); err != nil && int64(len(lines)) != s.runs.Load() {
		t.Errorf("%d lines in the run log of %d runs", len(lines), s.runs.Load())
	}
	return len(lines)
}
