package agenthooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/internal/call"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// RunOptions control how a plan is run.
type RunOptions struct {
	// Wait also waits for the async hooks.
	Wait bool
	// Caller is the call of the agent that sent the event; nil if the event
	// came in the format's own form. A hook written for the caller's system
	// reads the caller's original bytes (D60). Caller.Fit adapts each sync
	// hook's answer; its error is a failure of the hook (D27). If Caller.Holds,
	// blocks are limited as on pre-agent-turn-stop (D30).
	Caller script.Call
	// LogLater leaves logging and recording to Report.Log, so that the caller
	// can act on the report first.
	LogLater bool
	// ProjectTime limits the total time of the project's hooks while hooks of
	// the user are still to run (D32). Zero means half of the time until the
	// context's deadline, if it has one.
	ProjectTime time.Duration
	// Ask says what the caller does with an ask, and Modify what it does with a
	// changed input, prompt or output. Without Express, both are blocks (D104).
	Ask, Modify Fallback

	async func(jobs []async.Job, event io.WriterTo) error // starts the async hooks; set only by tests
}

// Fallback is the handling of an answer that not every caller can express. Any
// other value, also "", counts as DenyInstead: the reason of the block then says
// how a caller declares that it can.
type Fallback string

// The fallbacks.
const (
	Express     Fallback = "express" // the caller can express it, and does what the answer says
	DenyInstead Fallback = "deny"    // the caller cannot express it: it is a block
	Ignore      Fallback = "ignore"  // drop it with a warning; it grants nothing
)

// blocks reports whether an answer of this kind is a block.
func (f Fallback) blocks() bool { return f != Express && f != Ignore }

// undeclared returns how a caller declares what it can do, for the reason of a
// block; "" if it said that it cannot.
func (f Fallback) undeclared(can, field string) string {
	if f == DenyInstead {
		return ""
	}
	return fmt.Sprintf(" (a host that can %s says so: RunOptions.%s = Express, serve --%s express)", can, field, strings.ToLower(field))
}

// ErrDeadline is the cancellation cause for which unfinished hooks count as
// timed out (D32). See context.WithTimeoutCause.
var ErrDeadline error = outOfTime("the run's deadline passed")

// Run runs the plan's sync hooks in order, then starts its async hooks unless
// something blocked (D7), and merges the answers (D28).
//
// A hook may change the tool's input, the prompt or the tool's output. Every
// other sync hook that matches the changed event then runs on it, so that
// nothing takes effect that a matching guard has not seen (D29, D88).
//
// If ctx ends with the cause ErrDeadline, unfinished hooks are timeouts. With
// another cause they are stopped, and the report has Blocked and Canceled set,
// because no decision allowed the operation (D71).
func (p *Plan) Run(ctx context.Context, o RunOptions) *Report {
	began := time.Now()
	if p == nil || p.hooks == nil {
		p = new(Hooks).Plan(nil)
	}
	shared := &state{plan: p, ctx: ctx, options: o, event: p.Event}
	r := &runner{state: shared, queue: queue{state: shared}, performer: performer{state: shared, room: maxKept}, verdict: verdict{state: shared}}
	r.report = &Report{Event: p.Event.Type, Agent: p.hooks.agent.Name, Project: p.hooks.Project.Root, WorkDir: p.WorkDir, event: p.Event, records: p.hooks.records}
	if p.refused != "" {
		// The caller's mistake must not look like a decision of the hooks.
		r.report.Blocked, r.report.Warnings = true, p.Warnings
		r.report.Answer = protocol.Answer{Decision: protocol.Deny, Reason: p.refused}
		return r.report
	}
	r.prepare()
	r.left, r.bounded = r.projectTime()
	r.reserved = r.reserve()
	for again := true; again && !r.blocked; {
		again = r.pass()
	}
	r.fallBack()
	r.startAsync()
	r.finish()
	r.count()
	if kept := p.hooks.residents; kept != nil && p.Event.Type == spec.PostSession {
		kept.EndSession(r.event.SessionID)
	}
	r.report.Duration = time.Since(began)
	if !o.LogLater {
		r.report.Warnings = append(r.report.Warnings, r.report.Log()...)
	}
	return r.report
}

// state is what the three parts of a runner share.
type state struct {
	plan    *Plan // not changed
	ctx     context.Context
	options RunOptions
	turns   []*turn
	event   *protocol.Event // with the input, prompt or output that counts unless a hook changes it
	version int             // number of changes of the event
	blocked bool
}

// queue decides which hooks run next: in order, adjacent pure hooks together, and
// again those that match a changed event.
type queue struct {
	*state
	left    time.Duration // remaining time of the project's hooks
	bounded bool

	reserved time.Time // when other hooks must leave the rest of the time to managed hooks; zero: never
}

// performer runs one hook and interprets its exit.
type performer struct {
	*state
	room    int        // bytes of output that the report may still keep
	judging sync.Mutex // guards room and Caller.Fit
}

// verdict adds the hooks' answers up to the run's.
type verdict struct {
	*state
	report     *Report
	changes    changes // of the event
	blocker    *turn   // nil if nothing blocked
	ignoredAsk bool    // an ask was ignored (D45)
}

// runner runs a plan: it takes hooks from the queue, performs them, and adds
// their answers to the verdict.
type runner struct {
	*state
	queue
	performer
	verdict
}

// turn is one hook's part in a run.
type turn struct {
	plan    *Plan
	row     *Row
	report  *HookReport
	at      int  // its index in the run's turns
	version int  // version of the event that it last saw, -1 for none
	decided int  // version of the event that row was decided for
	changed bool // it has changed the event
	answer  protocol.Answer
	cause   string // what the reason of answer says of the call, at its end

	event    *protocol.Event // the event that it reads
	guess    *call.Guess     // of which event is the view; nil if it is the caller's event
	prepared *exec.Command
	left     time.Duration     // for all attempts of it
	foreign  script.Run        // nil if the hook uses the format's own protocol
	parts    []*protocol.Event // the events that it reads instead; nil if event is not divided

	undivided error // why event cannot be divided
}

func (r *runner) prepare() {
	n := len(r.plan.Rows)
	if n == 0 {
		return
	}
	rows, turns, reports := make([]Row, n), make([]turn, n), make([]HookReport, n)
	r.turns, r.report.Hooks = make([]*turn, 0, n), make([]*HookReport, 0, n)
	for i, planned := range r.plan.Rows {
		row := &rows[i]
		*row = *planned // copied: a changed input is decided again, and the plan must not change
		reports[i] = HookReport{
			Hook: row.Hook.Shown(), Scope: string(row.Hook.Scope), File: row.Hook.File,
			Async: row.Hook.Async, Status: -1, Outcome: NotReached, hook: row.Hook,
		}
		t := &turns[i]
		*t = turn{plan: r.plan, row: row, at: i, version: -1, report: &reports[i]}
		r.turns = append(r.turns, t)
		r.report.Hooks = append(r.report.Hooks, t.report)
	}
}

// pass runs every sync hook that has not seen the current event, and reports
// whether the event changed.
func (r *runner) pass() (changed bool) {
	before := r.version
	for next := 0; next < len(r.turns) && !r.blocked; {
		group, after := r.group(next)
		if taken := r.runGroup(group); taken < len(group) {
			after = group[taken].at
		}
		next = after
	}
	return !r.blocked && r.version != before
}

// runHook runs one hook on the current event, or uses the answer of a, an attempt
// that was started earlier; nil means none.
func (r *runner) runHook(t *turn, a *attempt) {
	t.version = r.version
	if a != nil {
		<-a.done
		*t.report, t.foreign, t.guess = *a.report, a.foreign, a.guess
		r.settle(t, a.answer)
		return
	}
	t.answer, t.report.Answer = protocol.Answer{}, protocol.Answer{}
	t.copyPlan()
	switch {
	case t.row.Failure != nil:
		r.settle(t, t.failure(t.row.Failure))
	case t.row.Runs && t.isConstant():
		r.settle(t, r.constant(t))
	case t.row.Runs:
		t.prepared = r.command(t)
		ctx, done := r.shared(t)
		answer := r.execute(ctx, t)
		done()
		r.settle(t, answer)
	}
}

// copyPlan copies the plan's decision about the hook to the report.
func (t *turn) copyPlan() {
	row := t.row
	t.report.Failed, t.report.Saw, t.report.Cause, t.report.Found = row.Failed, row.Saw, "", row.Found
	t.report.Unknown, t.report.Passed = row.Unknown, row.Passed
	t.report.Matched = row.Runs || row.Failure != nil
	if !t.report.Matched {
		t.report.Outcome = NotConcerned
	}
	if row.Warning != "" {
		t.report.warnf("%s; counts as matched", row.Warning)
	}
	if row.Failed == Trusted {
		t.report.warnf("%s; it does not run", shown.OneLine(row.Saw))
	}
	if !row.Runs {
		return
	}
	if row.Notice != "" {
		t.report.warnf("%s", shown.OneLine(row.Notice))
	}
	for _, d := range row.Hook.Diagnostics {
		if !d.Harmless() {
			t.report.warnf("%s", shown.OneLine(d.String()))
		}
	}
}

// errNotNeeded is the cause for stopping pure hooks whose answers are no longer
// needed.
var errNotNeeded = errors.New("a hook before it has decided")

// runGroup runs a group of hooks and takes their answers in order, as if each had
// run after the previous one. It returns how many answers were taken. Answers
// after a block are not needed. Answers after a change are about an outdated
// event, so these hooks run again.
func (r *runner) runGroup(group []*turn) (taken int) {
	attempts, end := r.attempt(group)
	for taken < len(group) {
		event := r.event
		r.runHook(group[taken], attempts[taken])
		if taken++; r.blocked || r.event != event {
			break
		}
	}
	end()
	for i := taken; i < len(group); i++ {
		if a := attempts[i]; a != nil {
			a.drop(group[i].report, r.blocked)
		}
	}
	return taken
}

// attempt is a hook's run whose answer may be discarded.
type attempt struct {
	*turn  // a copy with its own report
	answer protocol.Answer
	done   chan struct{}
}

// attempt starts the hooks of a group if more than one runs. The result is nil
// for hooks that it does not start. end stops the attempts that are still
// running.
func (r *runner) attempt(group []*turn) (attempts []*attempt, end func()) {
	attempts = make([]*attempt, len(group))
	i := slices.IndexFunc(group, runs)
	if i < 0 || !slices.ContainsFunc(group[i+1:], runs) {
		return attempts, func() {}
	}
	shared, done := r.shared(group[i])
	ctx, stop := context.WithCancelCause(shared)
	var waiting []*attempt
	for i, t := range group {
		if runs(t) {
			attempts[i] = r.newAttempt(t)
			waiting = append(waiting, attempts[i])
		}
	}
	var all sync.WaitGroup
	next := make(chan *attempt, len(waiting))
	for _, a := range waiting {
		next <- a
	}
	close(next)
	for range min(len(waiting), atOnce()) {
		all.Go(func() {
			for a := range next {
				r.try(ctx, a)
			}
		})
	}
	return attempts, func() {
		stop(errNotNeeded)
		all.Wait()
		done()
	}
}

// runs reports whether a hook starts a process.
func runs(t *turn) bool { return t.row.Runs && !t.isConstant() }

// atOnce returns how many pure hooks may run at the same time.
func atOnce() int { return max(4, runtime.NumCPU()) }

func (r *runner) newAttempt(t *turn) *attempt {
	copied, report := *t, *t.report
	report.Warnings = slices.Clip(report.Warnings)
	copied.report = &report
	a := &attempt{turn: &copied, done: make(chan struct{})}
	a.version = r.version
	a.report.Answer = protocol.Answer{}
	a.copyPlan()
	a.prepared = r.command(a.turn)
	return a
}

// try runs an attempt.
func (r *runner) try(ctx context.Context, a *attempt) {
	defer close(a.done)
	defer func() {
		if p := recover(); p != nil {
			a.answer = a.failure(fmt.Errorf("internal error: %v", p))
		}
	}()
	a.answer = r.execute(ctx, a.turn)
}

// drop discards an attempt; only its number of processes is reported.
func (a *attempt) drop(report *HookReport, blocked bool) {
	report.Runs, report.Duration = a.report.Runs, a.report.Duration
	if blocked {
		report.Matched, report.Outcome = true, NotNeeded
	}
}
