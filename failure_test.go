package agenthooks_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// failures are the ways in which a hook can fail (D27): its script, a line of
// its front matter, a change to the set-up, and the reported cause.
var failures = []struct {
	name, script, line string
	set                func(*scratch)
	cause              string
	outcome            agenthooks.Outcome
	unix               string // what Windows does not have
}{
	{name: "status", script: "echo boom >&2; exit 3", cause: "exit status 3: boom"},
	{name: "signal", script: "kill -KILL $$", cause: "killed by SIGKILL", unix: "signals"},
	{name: "timeout", script: "sleep 60", line: "timeout: 100", cause: "timeout after 100 ms", outcome: agenthooks.TimedOut},
	{name: "bad answer", script: `echo '{"decision": "perhaps"}'`, cause: `bad answer: unknown decision "perhaps"`},
	{name: "too much", script: `echo '{"decision": "allow"}'; head -c 1100000 /dev/zero`, cause: "bad answer: stdout is above its limit"},
	{name: "invalid", script: "exit 0", line: "matcher: perhaps", cause: "invalid hook: "},
	{name: "expression", script: "exit 0", line: "matcher: {tool: '('}", cause: `invalid hook: tool "("`},
	{name: "removed while running", script: `rm -r "$AGENT_HOOKS_HOOK_DIR"; exit 2`, cause: "run is gone"},
	{name: "no interpreter", script: "", cause: "interpreter", set: func(s *scratch) {
		s.must(os.WriteFile(filepath.Join(s.hooks(), "h", "scripts", "run"), []byte("#!/no/such/interpreter\n"), 0o755))
	}},
	{name: "no entry point", script: "", cause: "no folder scripts", set: func(s *scratch) {
		s.must(os.RemoveAll(filepath.Join(s.hooks(), "h", "scripts")))
	}},
	{name: "refused", script: "exit 0", cause: "refused: ", unix: "permission bits", set: func(s *scratch) {
		s.must(os.Chmod(filepath.Join(s.hooks(), "h"), 0o777))
	}},
	{name: "too deep", script: "exit 0", cause: "3 levels deep", set: func(s *scratch) {
		s.options.Environ = append(s.options.Environ, "AGENT_HOOKS_DEPTH=3")
	}},
}

func TestFailurePolicies(t *testing.T) {
	for _, f := range failures {
		for policy, want := range map[string]protocol.Decision{"": protocol.NoOpinion, "allow": protocol.NoOpinion, "ask": protocol.Ask, "deny": protocol.Deny} {
			t.Run(f.name+"/"+policy, func(t *testing.T) {
				if f.unix != "" {
					onUnix(t, f.unix)
				}
				s := newScratch(t)
				lines := []string{"priority: 200"}
				if f.line != "" {
					lines = append(lines, f.line)
				}
				if policy != "" {
					lines = append(lines, "metadata: {on-failure: "+policy+"}")
				}
				s.hook("h", f.script, lines...)
				if f.set != nil {
					f.set(s)
				}
				s.hook("next", "exit 0")
				report := s.preTool()
				h := of(t, report, "h")
				outcome := agenthooks.Failed
				if f.outcome != "" {
					outcome = f.outcome
				}
				if h.Outcome != outcome || !strings.Contains(h.Cause, f.cause) || !h.Matched {
					t.Errorf("outcome %q, cause %q, matched %v", h.Outcome, h.Cause, h.Matched)
				}
				checkPolicy(t, report, want, f.cause)
			})
		}
	}
}

// checkPolicy checks the effect of the failure of hook h, the first of two.
func checkPolicy(t *testing.T, report *agenthooks.Report, want protocol.Decision, cause string) {
	t.Helper()
	next := of(t, report, "next")
	if got := report.Answer.Decision; got != want || report.Blocked != (want == protocol.Deny) {
		t.Errorf("decision %q, blocked %v; want %q", got, report.Blocked, want)
	}
	if want == protocol.Deny && (report.BlockedBy != "h" || next.Outcome != agenthooks.NotReached) {
		t.Errorf("blocked by %q, the next hook is %s", report.BlockedBy, next.Outcome)
	}
	if want == protocol.NoOpinion {
		has(t, report.Warnings, cause)
		has(t, report.Warnings, "; operation allowed")
		return
	}
	if reason := report.Answer.Reason; !strings.HasPrefix(reason, "hook h: ") || !strings.Contains(reason, cause) || !strings.HasSuffix(reason, "(on-failure: "+string(want)+")") && want != "" {
		t.Errorf("reason %q", reason)
	}
}

// An unreadable policy counts as ask (D12).
func TestUnknownPolicyAsks(t *testing.T) {
	s := newScratch(t)
	s.hook("h", "exit 1", "metadata: {on-failure: dney}")
	if report := s.preTool(); report.Answer.Decision != protocol.Ask {
		t.Errorf("decision %q", report.Answer.Decision)
	}
}

func TestRetry(t *testing.T) {
	t.Parallel()
	long := "3000"
	if runtime.GOOS == "windows" { // where processes start slowly
		long = "20000"
	}
	tests := []struct {
		name, script string
		lines        []string
		runs         int
		outcome      agenthooks.Outcome
	}{
		{"holds the third time", `[ $(wc -l < tries) -ge 3 ] || exit 1; exit 2`, []string{"metadata: {retry: 5}"}, 3, agenthooks.OutcomeDeny},
		{"never holds", "exit 1", []string{"metadata: {retry: 2}"}, 3, agenthooks.Failed},
		{"no retry", "exit 1", nil, 1, agenthooks.Failed},
		{"a block is not a failure", "exit 2", []string{"metadata: {retry: 2}"}, 1, agenthooks.OutcomeDeny},
		{"no opinion is not a failure", "exit 0", []string{"metadata: {retry: 2}"}, 1, agenthooks.OutcomeNone},
		{"a bad answer is one", `[ $(wc -l < tries) -ge 2 ] || echo '{"decision": 1}'`, []string{"metadata: {retry: 2}"}, 2, agenthooks.OutcomeNone},
		// Long enough for sh to start on a busy machine, so that each run is
		// recorded.
		{"the time is over", "sleep 60", []string{"timeout: 2000", "metadata: {retry: 5}"}, 1, agenthooks.TimedOut},
		{"j-cli gives each attempt its time", `[ $(wc -l < tries) -ge 2 ] || sleep 60; echo '{"action": "skip"}'`, []string{"timeout: 2000", "metadata: {protocol: j-cli, retry: 6}"}, 2, agenthooks.OutcomeDeny},
		{"j-cli has no block by status", "exit 2", []string{"metadata: {protocol: j-cli, retry: 1, on-failure: deny}"}, 2, agenthooks.Failed},
		{"the time is that of all attempts", `[ $(wc -l < tries) -ge 2 ] || exit 1; sleep 60`, []string{"timeout: " + long, "metadata: {retry: 5}"}, 2, agenthooks.TimedOut},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.hook("h", "echo x >> tries; "+test.script, test.lines...)
			h := s.preTool().Hooks[0]
			if h.Outcome != test.outcome || h.Runs != test.runs || strings.Count(s.read("tries"), "x") != test.runs {
				t.Errorf("outcome %q (%s) after %d runs, want %q after %d", h.Outcome, h.Cause, h.Runs, test.outcome, test.runs)
			}
			if (h.Cause != "") != (h.Outcome == agenthooks.Failed || h.Outcome == agenthooks.TimedOut) {
				t.Errorf("cause %q of %q", h.Cause, h.Outcome)
			}
		})
	}
}

// endings are the two ways in which a run's context ends (D32).
var endings = []struct {
	name    string
	err     error
	outcome agenthooks.Outcome
	cause   string
}{
	{"deadline", agenthooks.ErrDeadline, agenthooks.TimedOut, "timeout: the run's deadline passed"},
	{"stopped", errors.New("SIGINT"), agenthooks.Canceled, "the run was canceled before the hook had decided"},
}

func TestRunEndsBeforeItsHooks(t *testing.T) {
	for _, e := range endings {
		for _, running := range []bool{true, false} {
			for policy, want := range map[string]protocol.Decision{"allow": protocol.NoOpinion, "ask": protocol.Ask, "deny": protocol.Deny} {
				name := e.name + "/unstarted/" + policy
				if running {
					name = e.name + "/running/" + policy
				}
				t.Run(name, func(t *testing.T) {
					s := newScratch(t)
					s.hook("h", "echo > started; exec sleep 60", "priority: 200", "metadata: {on-failure: "+policy+", retry: 3}")
					s.hook("next", "echo > next", "metadata: {on-failure: allow}")
					ctx, cancel := context.WithCancelCause(t.Context())
					defer cancel(nil)
					runs := 0
					if running {
						runs = 1
						go func() {
							s.awaitQuietly("started")
							cancel(e.err)
						}()
					} else {
						cancel(e.err)
					}
					report := s.plan(spec.PreToolCall, ls).Run(ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
					h := of(t, report, "h")
					if h.Outcome != e.outcome || h.Cause != e.cause || h.Runs != runs {
						t.Errorf("outcome %q, cause %q, %d runs", h.Outcome, h.Cause, h.Runs)
					}
					if e.outcome == agenthooks.Canceled {
						checkCanceled(t, report)
					} else {
						checkPolicy(t, report, want, e.cause)
					}
					if next := of(t, report, "next"); report.BlockedBy == "" && (next.Outcome != e.outcome || s.read("next") != "") {
						t.Errorf("the next hook is %q, it wrote %q", next.Outcome, s.read("next"))
					}
				})
			}
		}
	}
}

// A context that the caller gave a timeout without a cause is not a deadline.
func TestEndWithoutCauseIsNoDeadline(t *testing.T) {
	s := newScratch(t)
	s.hook("h", "exit 0")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report := s.plan(spec.PreToolCall, ls).Run(ctx, agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
	if h := report.Hooks[0]; h.Outcome != agenthooks.Canceled {
		t.Errorf("outcome %q", h.Outcome)
	}
	checkCanceled(t, report)
}

// checkCanceled checks that a canceled run cannot be mistaken for an allowed
// operation (D71), whatever the policies of its hooks.
func checkCanceled(t *testing.T, report *agenthooks.Report) {
	t.Helper()
	if !report.Canceled || !report.Blocked || report.BlockedBy != "" || report.Answer.Decision != protocol.Deny || report.Answer.Reason == "" {
		t.Errorf("canceled %v, blocked %v by %q, answer %+v", report.Canceled, report.Blocked, report.BlockedBy, report.Answer)
	}
	if text := strings.Join(report.Warnings, "\n"); strings.Contains(text, "allowed") || !strings.Contains(text, "canceled") {
		t.Errorf("warnings %q", report.Warnings)
	}
}
