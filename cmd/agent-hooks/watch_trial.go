package main

import (
	"cmp"
	"context"
	"os"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// trial is one run of one changed hook on the event.
type trial struct {
	key      string
	hook     *discovery.Hook
	hooks    *agenthooks.Hooks // what it was loaded with
	cancel   context.CancelFunc
	outdated bool // the hook has changed meanwhile
}

// trialResult is what came of a trial: the plan's row, and the report if it
// ran or failed.
type trialResult struct {
	row    *agenthooks.Row
	report *agenthooks.Report // nil: the event does not concern the hook
}

// next starts the next trial if none runs.
func (w *watching) next(ctx context.Context) {
	if w.running != nil || len(w.waiting) == 0 {
		return
	}
	t := w.waiting[0]
	w.waiting = w.waiting[1:]
	ctx, t.cancel = context.WithCancel(ctx)
	w.running = t
	w.ran[t.key] = span{began: time.Now()}
	go func() { w.results <- t.run(ctx, w.event) }()
}

// run runs the hook alone; an async one as if it were sync, to see what comes
// of it.
func (t *trial) run(ctx context.Context, event *protocol.Event) trialResult {
	hook := *t.hook
	hook.Async = false
	hook.Notice, hook.Diagnostics = "", nil // they are told already
	alone := *t.hooks
	alone.Table, alone.Diagnostics = discovery.Table{event.Type: {&hook}}, nil
	plan := alone.Plan(event)
	r := trialResult{row: plan.Rows[0]}
	if r.row.Runs || r.row.Failure != nil {
		r.report = plan.Run(ctx, agenthooks.RunOptions{})
	}
	return r
}

func (w *watching) finish(r trialResult) {
	t := w.running
	t.cancel()
	w.running = nil
	w.ran[t.key] = span{w.ran[t.key].began, time.Now()}
	if !t.outdated {
		w.tellResult(r)
	}
}

// covers reports whether the file at path was written within the span, or is
// gone. Clocks of files are coarse.
func (s span) covers(path string) bool {
	const coarse = 20 * time.Millisecond
	info, err := os.Lstat(path)
	if err != nil {
		return true
	}
	ended := s.ended
	if ended.IsZero() {
		ended = time.Now()
	}
	at := info.ModTime()
	return at.After(s.began.Add(-coarse)) && at.Before(ended.Add(coarse))
}

// outcomeStyle is how an outcome is painted.
func outcomeStyle(o agenthooks.Outcome) string {
	switch o {
	case agenthooks.OutcomeDeny, agenthooks.Failed, agenthooks.TimedOut:
		return red
	case agenthooks.OutcomeAsk:
		return yellow
	}
	return green
}

// outcomeText names an outcome to people.
func outcomeText(o agenthooks.Outcome) string {
	if o == agenthooks.OutcomeNone {
		return "no opinion"
	}
	return string(o)
}

// reasonOf is why the outcome is what it is, in one line; "" if nobody said.
func reasonOf(h *agenthooks.HookReport) string {
	if h.Status == spec.ExitBlock && h.Cause == "" {
		return "" // stderr says it
	}
	return cmp.Or(h.Cause, h.Answer.Reason)
}
