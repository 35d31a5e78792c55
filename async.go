package agenthooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// startAsync starts the async hooks that match the final input (D7, D29).
func (r *runner) startAsync() {
	var jobs []exec.Job
	var started []*turn
	for _, t := range r.turns {
		if !t.row.Hook.Async {
			continue
		}
		if r.version > 0 {
			r.decide(t.row, r.event)
		}
		t.consider()
		switch {
		case t.row.Failed == Depth:
			t.report.Outcome = NotConcerned
		case t.row.Failure != nil:
			t.report.Outcome, t.report.Cause = Failed, t.row.Failure.Error()
			t.report.warnf("%s; operation allowed", oneLine(t.report.Cause))
		case t.row.Runs:
			jobs = append(jobs, r.job(t))
			started = append(started, t)
		}
	}
	if len(jobs) == 0 {
		return
	}
	err := r.start(jobs)
	for _, t := range started {
		t.report.Outcome = Started
		if err != nil {
			t.report.Outcome, t.report.Cause = Failed, err.Error()
			t.report.warnf("%s; operation allowed", oneLine(t.report.Cause))
		}
		if errors.Is(err, errTimeout) {
			t.report.Outcome = TimedOut
		}
	}
}

// start starts jobs, unless the run is over (D32).
func (r *runner) start(jobs []exec.Job) error {
	if r.ctx.Err() != nil {
		return r.ended()
	}
	if r.options.Async == nil {
		return r.inProcess(jobs, r.event)
	}
	return r.options.Async(jobs, r.event)
}

func (r *runner) job(t *turn) exec.Job {
	vars, warnings := r.variables(t.row)
	for _, w := range warnings {
		t.report.warnf("%s", w)
	}
	return exec.Job{
		Path: t.row.entry.Argv[0], Args: t.row.entry.Argv, Dir: r.WorkDir, Env: vars,
		Timeout: t.row.Hook.Timeout, Retry: t.row.Hook.Retry,
		Label: map[string]string{
			"hook": t.report.Hook, "scope": t.report.Scope, "event": string(r.Event.Type),
			"agent": r.hooks.agent, "project": r.hooks.Project.Root,
		},
	}
}

// inProcess runs async hooks in this process, for those who embed the
// package and live on.
func (r *runner) inProcess(jobs []exec.Job, event *protocol.Event) error {
	var b bytes.Buffer
	if _, err := event.WriteTo(&b); err != nil {
		return fmt.Errorf("keep the event: %w", err)
	}
	source := io.NewSectionReader(bytes.NewReader(b.Bytes()), 0, int64(b.Len()))
	go exec.Supervise(context.WithoutCancel(r.ctx), r.hooks.environ, jobs, source, AsyncFailed, func(exec.Job, exec.Result) {})
	return nil
}

// oneLine makes a message of one line out of any text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// AsyncOutcome says what came of an async hook, and the cause of a failure
// without a word that the hook wrote, for the run log (D33, D36). Its answer decides nothing, so that an output of
// which only the end was kept is none.
func AsyncOutcome(job exec.Job, result exec.Result) (Outcome, string) {
	err := unfinished(result, job.Timeout)
	var answer protocol.Answer
	if err == nil {
		exit := protocol.Exit{Status: result.Status, Stdout: result.Stdout.Data, Stderr: result.Stderr.Data}
		if result.Stdout.Dropped > 0 {
			exit.Stdout = nil
		}
		answer, _, err = protocol.Judge(spec.EventType(job.Label["event"]), job.Label["hook"], exit)
	}
	switch {
	case errors.Is(err, errTimeout):
		return TimedOut, logCause(err)
	case err != nil:
		return Failed, logCause(err)
	}
	return outcomeOf(answer.Decision), ""
}

// AsyncFailed reports whether an async hook failed, and may be tried again
// (D12).
func AsyncFailed(job exec.Job, result exec.Result) bool {
	_, cause := AsyncOutcome(job, result)
	return cause != ""
}
