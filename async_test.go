package agenthooks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// starter records the call that should start a supervisor, and starts nothing.
type starter struct {
	jobs  []async.Job
	event string
	calls int
	err   error
}

func (s *starter) start(jobs []async.Job, event io.WriterTo) error {
	s.calls++
	s.jobs = jobs
	var b bytes.Buffer
	_, err := event.WriteTo(&b)
	s.event = b.String()
	return errors.Join(err, s.err)
}

func (s *scratch) runAsync(event spec.EventType, text string, async *starter) *agenthooks.Report {
	return s.plan(event, text).Run(s.Context(), agenthooks.StartAsync(async.start))
}

func TestAsyncJobs(t *testing.T) {
	s := newScratch(t)
	s.options.Agent = agenthooks.Agent{Name: "an-agent"}
	s.hook("a", "exit 0", "async: true", "timeout: 5000", "metadata: {retry: 2}")
	s.hook("b", "exit 0", "async: true")
	s.hook("c", "exit 0", "async: true", "matcher: {tool: Read}")
	s.hook("d", `echo '{"decision": "allow"}'`)
	async := &starter{}
	report := s.runAsync(spec.PreToolCall, ls, async)
	if async.calls != 1 || len(async.jobs) != 2 {
		t.Fatalf("%d jobs in %d calls", len(async.jobs), async.calls)
	}
	job := async.jobs[0]
	if job.Timeout != 5*time.Second || job.Retry != 2 || job.Dir != s.project || !slices.Contains(append(job.Args, job.Path), filepath.Join(s.hooks(), "a", "scripts", "run")) {
		t.Errorf("job %+v", job)
	}
	for key, want := range map[string]string{"hook": "a", "scope": "project", "event": "pre-tool-call", "agent": "an-agent", "project": s.project} {
		if job.Label[key] != want {
			t.Errorf("label %s is %q, want %q", key, job.Label[key], want)
		}
	}
	if !slices.Contains(job.Env, "AGENT_HOOKS_HOOK=a") || !strings.Contains(async.event, `"command": "ls"`) {
		t.Errorf("environment %q, event %s", job.Env, async.event)
	}
	for name, want := range map[string]agenthooks.Outcome{"a": agenthooks.Started, "b": agenthooks.Started, "c": agenthooks.NotConcerned, "d": agenthooks.OutcomeAllow} {
		if got := of(t, report, name).Outcome; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if report.Answer.Decision != protocol.Allow {
		t.Errorf("decision %q", report.Answer.Decision)
	}
}

func TestAsyncNotStarted(t *testing.T) {
	deny := "metadata: {on-failure: deny}"
	tests := []struct {
		name    string
		set     func(*scratch)
		err     error // returned by the starter
		calls   int
		outcome agenthooks.Outcome
		blocked bool
		warning string
	}{
		{name: "a sync hook before it blocks", set: func(s *scratch) { s.hook("a", "exit 2") }, outcome: agenthooks.NotReached, blocked: true},
		{name: "a sync hook after it blocks", set: func(s *scratch) { s.hook("sync", "exit 2") }, calls: 1, outcome: agenthooks.Started, blocked: true},
		{name: "start fails", err: errors.New("no more processes"), calls: 1, outcome: agenthooks.Failed, warning: "hook h: no more processes; operation allowed"},
		{name: "invalid", set: func(s *scratch) { s.hook("h", "exit 0", "async: true", deny, "matcher: {tool: '('}") },
			outcome: agenthooks.Failed, warning: "hook h: invalid hook: "},
		{name: "too deep", set: func(s *scratch) { s.options.Environ = append(s.options.Environ, "AGENT_HOOKS_DEPTH=7") }, outcome: agenthooks.NotConcerned},
		{name: "NUL", set: func(s *scratch) { s.options.Agent = agenthooks.Agent{Name: "a\x00b"} }, calls: 1, outcome: agenthooks.Started, warning: "AGENT_HOOKS_AGENT is omitted"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScratch(t)
			s.hook("h", "exit 0", "async: true", deny)
			if test.set != nil {
				test.set(s)
			}
			async := &starter{err: test.err}
			report := s.runAsync(spec.PreToolCall, ls, async)
			h := of(t, report, "h")
			if async.calls != test.calls || h.Outcome != test.outcome || report.Blocked != test.blocked {
				t.Errorf("%d calls, outcome %q, blocked %v", async.calls, h.Outcome, report.Blocked)
			}
			if test.warning != "" {
				has(t, report.Warnings, test.warning)
			} else if len(report.Warnings) > 0 {
				t.Errorf("warnings %q", report.Warnings)
			}
		})
	}
}

// Hooks that have not started when the run ends are reported (D32).
func TestAsyncAfterTheEnd(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			s := newScratch(t)
			s.hook("h", "exit 0", "async: true")
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(e.err)
			async := &starter{}
			report := s.plan(spec.PreToolCall, ls).Run(ctx, agenthooks.StartAsync(async.start))
			if h := of(t, report, "h"); async.calls != 0 || h.Outcome != e.outcome || h.Cause != e.cause {
				t.Errorf("%d calls, outcome %q, cause %q", async.calls, h.Outcome, h.Cause)
			}
			if e.outcome == agenthooks.Canceled {
				checkCanceled(t, report)
				return
			}
			has(t, report.Warnings, "hook h: "+e.cause+"; operation allowed")
		})
	}
}

// The hooks run in this process and outlive the run's context.
func TestAsyncInProcess(t *testing.T) {
	s := newScratch(t)
	s.hook("h", `until [ -e go ]; do sleep 0.01; done; grep -o '"command": "[^"]*"' > done`, "async: true")
	ctx, cancel := context.WithCancel(t.Context())
	report := s.plan(spec.PreToolCall, ls).Run(ctx, agenthooks.RunOptions{})
	cancel()
	if got := of(t, report, "h").Outcome; got != agenthooks.Started {
		t.Errorf("outcome %q", got)
	}
	s.must(writeFile(s.project, "go"))
	if got := s.await("done"); got != "\"command\": \"ls\"\n" {
		t.Errorf("the hook got %s", got)
	}
}

func TestAsyncOutcome(t *testing.T) {
	job := async.Job{Timeout: time.Second, Label: map[string]string{"hook": "h", "event": "post-tool-call"}}
	stdout := func(s string) exec.Output { return exec.Output{Data: []byte(s)} }
	tests := []struct {
		name   string
		result exec.Result
		want   agenthooks.Outcome
		cause  string
	}{
		{"no opinion", exec.Result{}, agenthooks.OutcomeNone, ""},
		{"allow", exec.Result{Stdout: stdout(`{"decision": "allow"}`)}, agenthooks.OutcomeAllow, ""},
		{"ask", exec.Result{Stdout: stdout(`{"decision": "ask"}`)}, agenthooks.OutcomeAsk, ""},
		{"deny", exec.Result{Status: 2}, agenthooks.OutcomeDeny, ""},
		{"status", exec.Result{Status: 7, Stderr: stdout("boom")}, agenthooks.Failed, "exit status 7"},
		{"signal", exec.Result{Status: -1, Signal: "SIGKILL"}, agenthooks.Failed, "killed by SIGKILL"},
		{"timeout", exec.Result{Status: -1, Signal: "SIGTERM", TimedOut: true}, agenthooks.TimedOut, "timeout after 1000 ms"},
		{"stopped", exec.Result{Status: -1, Canceled: true}, agenthooks.Canceled, "the run was canceled before the hook had decided"},
		{"not started", exec.Result{Status: -1, Err: errors.New("no such file")}, agenthooks.Failed, "no such file"},
		{"bad answer", exec.Result{Stdout: stdout(`{"decision": 1}`)}, agenthooks.Failed, `bad answer: "decision" is not a string`},
		{"only its end kept", exec.Result{Stdout: exec.Output{Data: []byte(`{"decision": 1}`), Dropped: 5}}, agenthooks.OutcomeNone, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, cause := agenthooks.AsyncOutcome(job, test.result)
			if got != test.want || cause != test.cause {
				t.Errorf("%q, cause %q; want %q, %q", got, cause, test.want, test.cause)
			}
		})
	}
}

// TestAsyncAfterChange checks that a project's async hook starts on a changed
// input although the project's sync hooks have no time left, and that a plan can
// be run twice.
func TestAsyncAfterChange(t *testing.T) {
	s := newScratch(t)
	unit := 100 * time.Millisecond
	if runtime.GOOS == "windows" { // where processes start slowly
		unit *= 10
	}
	s.userHook("change", `echo '{"modified_input": {"command": "one"}}'`, "priority: 900")
	s.hook("sync", "exit 0", "priority: 800", "matcher: {pattern: .}")
	s.userHook("slow", fmt.Sprintf("sleep %g", (5*unit).Seconds()))
	s.hook("audit", "exit 0", "async: true", "matcher: {pattern: one}")
	plan := s.plan(spec.PreToolCall, ls)
	for range 2 {
		async := &starter{}
		options := agenthooks.StartAsync(async.start)
		options.ProjectTime = 3 * unit
		report := plan.Run(s.Context(), options)
		if len(async.jobs) != 1 || len(report.Warnings) > 0 {
			t.Errorf("%d jobs, warnings %q", len(async.jobs), report.Warnings)
		}
	}
}
