package agenthooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/google/go-cmp/cmp"
)

const pure = "metadata: {pure: true}"

// meet returns a script that succeeds once n hooks run at the same time.
func meet(n int) string {
	return fmt.Sprintf(`: > "met-$AGENT_HOOKS_HOOK"; for i in $(seq 600); do set -- met-*; [ $# -ge %d ] && exit 0; sleep 0.05; done; exit 1`, n)
}

// Pure hooks run at the same time, at least four of them (D73).
func TestPureHooksRunTogether(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		s.hook(name, meet(4), pure)
	}
	for _, h := range s.preTool().Hooks {
		if h.Outcome != agenthooks.OutcomeNone {
			t.Errorf("%s: %s %s", h.Hook, h.Outcome, h.Cause)
		}
	}
}

// A hook that does not match does not separate pure hooks. A hook that is not
// pure does, and so does the border between the scopes.
func TestPureHooksAreAdjacent(t *testing.T) {
	t.Parallel()
	// alone fails if another hook runs at the same time.
	const alone = `mkdir here || exit 1; sleep 0.3; rmdir here`
	s := newScratch(t)
	s.userHook("a", alone, pure)
	s.hook("b", alone, pure)
	s.hook("c", alone)
	s.hook("d", meet(2), pure)
	s.hook("e", "exit 2", pure, "matcher: {tool: Nothing}")
	s.hook("f", meet(2), pure)
	report := s.preTool()
	for _, h := range report.Hooks {
		want := agenthooks.OutcomeNone
		if h.Hook == "e" {
			want = agenthooks.NotConcerned
		}
		if h.Outcome != want {
			t.Errorf("%s: %s %s", h.Hook, h.Outcome, h.Cause)
		}
	}
}

// The first block in run order wins, however late it is. The hooks after it are
// stopped, which is not a failure.
func TestPureHooksAreStopped(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.hook("a", "sleep 0.2; exit 0", pure)
	s.hook("b", "while ! [ -e started ]; do sleep 0.05; done; echo b >&2; exit 2", pure)
	s.hook("c", "echo c >&2; exit 2", pure)
	s.hook("d", ": > started; sleep 60; : > late", "metadata: {pure: true, on-failure: deny}")
	s.hook("e", "exit 0")
	report := s.preTool()
	if report.BlockedBy != "b" || report.Answer.Reason != "b" {
		t.Errorf("blocked by %q: %q", report.BlockedBy, report.Answer.Reason)
	}
	for name, want := range map[string]agenthooks.Outcome{
		"a": agenthooks.OutcomeNone, "b": agenthooks.OutcomeDeny, "c": agenthooks.NotNeeded, "d": agenthooks.NotNeeded, "e": agenthooks.NotReached,
	} {
		if h := of(t, report, name); h.Outcome != want || len(h.Warnings) > 0 {
			t.Errorf("%s: %s %q", name, h.Outcome, h.Warnings)
		}
	}
	if d := of(t, report, "d"); d.Runs != 1 || d.Duration > 30*time.Second || s.read("late") != "" {
		t.Errorf("d: %d runs, %v", d.Runs, d.Duration)
	}
}

// A canceled run is blocked, although other pure hooks may have succeeded.
func TestPureHooksAreCanceled(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	for _, name := range []string{"a", "b", "c"} {
		s.hook(name, `: > "started-$AGENT_HOOKS_HOOK"; sleep 60`, pure)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		s.awaitQuietly("started-c")
		cancel()
	}()
	report := s.plan(spec.PreToolCall, ls).Run(ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
	if !report.Blocked || !report.Canceled {
		t.Errorf("blocked %v, canceled %v", report.Blocked, report.Canceled)
	}
	for _, h := range report.Hooks {
		if h.Outcome != agenthooks.Canceled {
			t.Errorf("%s: %s", h.Hook, h.Outcome)
		}
	}
}

// The deadline ends all of them, and each has its own policy.
func TestPureHooksTimeOut(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.hook("a", "sleep 60", pure)
	s.hook("b", "sleep 60", "metadata: {pure: true, on-failure: ask}")
	s.hook("c", "sleep 60", pure, "timeout: 100")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 4*time.Second, agenthooks.ErrDeadline)
	defer cancel()
	report := s.plan(spec.PreToolCall, ls).Run(ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
	for _, h := range report.Hooks {
		if h.Outcome != agenthooks.TimedOut {
			t.Errorf("%s: %s", h.Hook, h.Outcome)
		}
	}
	if report.Answer.Decision != "ask" || !strings.Contains(of(t, report, "c").Cause, "100 ms") {
		t.Errorf("answer %+v, c: %s", report.Answer, of(t, report, "c").Cause)
	}
}

// TestPureHooksAsInOrder checks that the report does not depend on whether
// hooks run at the same time (D73).
func TestPureHooksAsInOrder(t *testing.T) {
	rounds := 60
	if os.Getenv("LONG_TESTS") == "" {
		rounds = 4 // TestLoop has thousands
	}
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 73))
			together, inOrder := newScratch(t), newScratch(t)
			for i := range 2 + r.IntN(6) {
				h := newRandomHook(r, fmt.Sprintf("h%d", i))
				metadata := "on-failure: " + h.policy + ", retry: " + pick(r, "0", "1")
				var lines []string
				if h.pattern != "" {
					lines = append(lines, "matcher: {pattern: '"+h.pattern+"'}")
				}
				isPure := pick(r, "true", "true", "true", "false")
				user := i < 2 && r.IntN(2) == 0
				for _, s := range []*scratch{together, inOrder} {
					write, text := s.hook, metadata
					if user {
						write = s.userHook
					}
					if s == together {
						text += ", pure: " + isPure
					}
					write(h.name, "sleep "+pick(r, "0", "0", "0.05")+"; "+h.script(), append(lines, "metadata: {"+text+"}")...)
				}
			}
			want, got := reportOf(t, inOrder), reportOf(t, together)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-in order +together)\n%s", d)
			}
		})
	}
}

// reportOf returns the report on the scratch's hooks without what may differ:
// times, numbers of processes, and the outcomes of hooks after a block.
func reportOf(t *testing.T, s *scratch) any {
	report := s.preTool()
	for _, h := range report.Hooks {
		h.Duration, h.Runs = 0, 0
		if h.Outcome == agenthooks.NotNeeded {
			h.Outcome, h.Matched = agenthooks.NotReached, false
		}
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	root := strings.ReplaceAll(filepath.Dir(s.project), `\`, `\\`) // as JSON
	var value any
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(text), root, "")), &value); err != nil {
		t.Fatal(err)
	}
	return value
}
