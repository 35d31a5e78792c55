//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestPoliciesNeverSwap runs random sets of hooks that fail in random ways, with
// random policies and in random order: run blocks if and only if a hook with
// on-failure deny was reached, otherwise asks if one has ask, and reports each
// hook with allow as allowed (D12, D27, D28).
func TestPoliciesNeverSwap(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	var failing []fault
	for _, f := range faults() {
		if f.failed() && f.prepare == nil && f.event == nil && f.only == "" && f.stays == 0 && f.timeout <= 300 {
			failing = append(failing, f)
		}
	}
	manyAtOnce(t, func(start func(string, func(*testing.T))) {
		for seed := range uint64(60) {
			start(fmt.Sprint(seed), func(t *testing.T) {
				testPolicies(t, rand.New(rand.NewPCG(seed, 0)), failing)
			})
		}
	})
}

func testPolicies(t *testing.T, random *rand.Rand, failing []fault) {
	c := newCell(t)
	var open []string // hooks that fail open, up to the first that blocks
	blocked, ask := "", false
	for i := range 1 + random.IntN(5) {
		f := failing[random.IntN(len(failing))]
		policy := []string{"allow", "deny", "ask"}[random.IntN(3)]
		name := fmt.Sprintf("hook-%d", i)
		front := f.front + fmt.Sprintf("priority: %d\nmetadata:\n  on-failure: %s\n%s", 900-i, policy, f.metadata)
		if f.timeout > 0 {
			front = fmt.Sprintf("timeout: %d\n", f.timeout) + front
		}
		c.addHook(t, name, f.entry(), front)
		t.Logf("%s: %s, on-failure %s", name, f.name, policy)
		switch {
		case blocked != "":
		case policy == "deny":
			blocked = name
		case policy == "ask":
			ask = true
		default:
			open = append(open, name)
		}
	}
	r := c.caged(t, cageOrder{}, "agent-hooks", "run", "pre-tool-call")
	if (r.Status == 2) != (blocked != "") || r.Status != 0 && r.Status != 2 {
		t.Fatalf("exit status %d, blocked by %q: %s", r.Status, blocked, r.stderr)
	}
	if blocked != "" {
		if !strings.HasPrefix(r.stderr, "hook "+blocked+": ") || r.stdout != "" {
			t.Errorf("want a block by %s: %s%s", blocked, r.stderr, r.stdout)
		}
		return
	}
	if got := strings.Contains(r.stdout, `"decision":"ask"`); got != ask || strings.Contains(r.stdout, `"allow"`) {
		t.Errorf("ask is %v: %s", ask, r.stdout)
	}
	if got := strings.Count(r.stderr, "; operation allowed\n"); got != len(open) {
		t.Errorf("%d are reported to fail open, want %q: %s", got, open, r.stderr)
	}
	for _, name := range open {
		if !strings.Contains(r.stderr, "warning: hook "+name+": ") {
			t.Errorf("%s is not named: %s", name, r.stderr)
		}
	}
}
