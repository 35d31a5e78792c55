package agenthooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/script"
	kept "github.com/agent-hooks/agent-hooks/internal/state"
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
	// LogLater leaves logging to Report.Log, so that the caller
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
	report := &Report{Event: p.Event.Type, Agent: p.hooks.in.Agent.Name, Project: p.hooks.Project.Root, WorkDir: p.WorkDir, event: p.Event, records: p.hooks.records}
	if p.refused != "" {
		// The caller's mistake must not look like a decision of the hooks.
		report.Blocked, report.Warnings = true, p.Warnings
		report.Answer = protocol.Answer{Decision: protocol.Deny, Reason: p.refused}
		return report
	}
	p.noteSession()
	r := &runner{plan: p, ctx: ctx, options: o, room: maxKept, gate: p.Event.Type == spec.PreAgentTurnStop || o.Caller != nil && o.Caller.Holds()}
	s := r.begin(began)
	s.run(r)
	r.startAsync(&s)
	r.finish(&s, report)
	r.askedAgain(&s, report)
	r.record(&s, report)
	if pool := p.hooks.residents; pool != nil && p.Event.Type == spec.PostSession {
		pool.EndSession(p.Event.SessionID)
	}
	report.Duration = time.Since(began)
	if !o.LogLater {
		report.Warnings = append(report.Warnings, report.Log()...)
	}
	return report
}

// runner is the world in which a plan is run. It has no rule.
type runner struct {
	plan    *Plan // not changed
	ctx     context.Context
	options RunOptions
	gate    bool // a block keeps the agent working
	room    int  // bytes of output that the report may still keep
}

// begin returns the state of a run before anything has happened.
func (r *runner) begin(now time.Time) state {
	event := r.plan.Event
	s := state{event: event, blocker: -1, left: r.options.ProjectTime, bounded: r.options.ProjectTime > 0, host: host{
		ask: r.options.Ask, modify: r.options.Modify, gate: r.gate, active: event.StopHookActive,
		stopLimit: func(hook *discovery.Hook) int { return r.plan.hooks.ofHook(hook).StopLimit() },
	}}
	if r.gate {
		values, undecided := event.Field("stop_hook_active")
		s.host.sendsActive = len(values) > 0 || undecided != ""
	}
	if c := r.options.Caller; c != nil {
		s.host.takesInput, s.host.complete = c.TakesInput(), c.Changed
	}
	s.turns = make([]turn, len(r.plan.Rows))
	reports := make([]HookReport, len(s.turns))
	for i, row := range r.plan.Rows {
		hook := row.Hook
		reports[i] = HookReport{
			Hook: hook.Shown(), Scope: string(hook.Scope), File: hook.File, hook: hook,
			Async: hook.Async, Status: -1, Outcome: NotReached,
		}
		s.turns[i] = turn{row: *row, version: -1, report: &reports[i]}
	}
	if deadline, ok := r.ctx.Deadline(); ok {
		s.reserve(deadline, now)
		if !s.bounded {
			s.left, s.bounded = deadline.Sub(now)/2, true
		}
	}
	return s
}

// errNotNeeded is the cause for stopping pure hooks whose answers are no longer
// needed.
var errNotNeeded = errors.New("a hook before it has decided")

func (r *runner) decide(row *Row, event *protocol.Event, until time.Time) {
	r.plan.decide(row, event, until)
}

func (r *runner) count(h *HookReport) (int, error) {
	return r.counter().Add(h.Scope + "/" + h.Hook)
}

// until returns a context that ends at a time with the cause; for zero, the run's.
func (r *runner) until(at time.Time, cause error) (context.Context, context.CancelFunc) {
	if at.IsZero() {
		return r.ctx, func() {}
	}
	return context.WithDeadlineCause(r.ctx, at, cause)
}

func (r *runner) perform(s *state, i int, until time.Time, cause error) result {
	ctx, end := r.until(until, cause)
	defer end()
	t := r.prepare(s, i)
	t.answer = r.execute(ctx, t)
	return r.conclude(t)
}

func (r *runner) prefetch(s *state, turns []int, until time.Time, cause error) *prefetched {
	ctx, end := r.until(until, cause)
	ctx, stop := context.WithCancelCause(ctx)
	attempts, ended := make([]*attempt, len(turns)), make([]chan struct{}, len(turns))
	waiting := make(chan int, len(turns))
	for range min(len(turns), max(4, runtime.NumCPU())) {
		go func() {
			for k := range waiting {
				r.executeSafely(ctx, attempts[k])
				close(ended[k])
			}
		}()
	}
	for k, i := range turns {
		attempts[k], ended[k] = r.prepare(s, i), make(chan struct{})
		waiting <- k
	}
	close(waiting)
	taken := 0
	next := func() result {
		<-ended[taken]
		t := attempts[taken]
		taken++
		if taken == len(turns) {
			stop(nil)
			end()
		}
		return r.conclude(t)
	}
	return &prefetched{turns: turns, next: next, stop: func() { stop(errNotNeeded) }}
}

// executeSafely makes a panic, which in a goroutine would end the program, a failure.
func (r *runner) executeSafely(ctx context.Context, t *attempt) {
	defer func() {
		if p := recover(); p != nil {
			t.answer = t.failure(fmt.Errorf("internal error: %v", p))
		}
	}()
	t.answer = r.execute(ctx, t)
}

// conclude returns the result of a hook's run that has ended.
func (r *runner) conclude(t *attempt) result {
	t.report.reason = ""
	if o := t.report.Outcome; (o == OutcomeDeny || o == OutcomeAsk) && t.answer.Reason != protocol.DefaultReason(t.report.Hook) {
		t.report.reason = runlog.Reason(t.answer.Reason) // that the hook itself gave (D90)
	}
	a, cause := r.qualify(t)
	if a.Decision == protocol.Ask && t.report.Cause == "" && !t.row.Hook.Observe {
		t.report.Exception = r.plan.Exception(&t.row, t.current)
	}
	r.room -= t.report.keep(r.room)
	return result{t.report, a, cause, t.foreign}
}

// finish completes the report.
func (r *runner) finish(s *state, report *Report) {
	for i := range s.turns {
		report.Hooks = append(report.Hooks, s.turns[i].report)
	}
	report.Answer = s.merged()
	switch {
	case s.blocker >= 0:
		report.Blocked, report.BlockedBy = true, s.turns[s.blocker].report.Hook
	case r.ctx.Err() != nil && context.Cause(r.ctx) != ErrDeadline:
		report.Blocked, report.Canceled = true, true
		report.Answer = protocol.Answer{Decision: protocol.Deny, Reason: "the run was canceled before every hook had decided"}
	}
	report.Answer = s.modified.answer(report.Answer, report.Blocked)
	for _, row := range r.plan.Rows {
		if row.Failed == Replaced { // by a hook of the repository's author (D6)
			report.Warnings = append(report.Warnings, fmt.Sprintf("%s hook %s does not run: %s", row.Hook.Scope, row.Hook.Shown(), row.Saw))
		}
	}
	report.Warnings = slices.Concat(report.Warnings, r.plan.Warnings, s.hookWarnings())
}

// counter returns the counter of blocks for the event's session and agent.
func (r *runner) counter() kept.Counter {
	if r.plan.hooks.records.config == nil || r.plan.hooks.continues {
		return kept.Counter{}
	}
	agent, _ := r.plan.Event.Field("agent_id")
	return kept.NewCounter(r.plan.hooks.records.state, r.plan.Event.SessionID, strings.Join(agent, "\x00"))
}

// record records the result of the stop, and resets the count when the agent
// stops or a new prompt arrives. A prompt that repeats the last reason is the
// agent's own continuation.
func (r *runner) record(s *state, report *Report) {
	switch {
	case report.Canceled:
	case r.gate && s.blocker >= 0:
		r.counter().Returned(report.Answer.Reason)
	case r.gate:
		r.counter().Reset()
	case r.plan.Event.Type == spec.PreAgentTurn:
		prompt := func() string {
			values, _ := r.plan.Event.Field("prompt")
			return strings.Join(values, "\n")
		}
		if c := r.counter(); !c.Repeats(prompt) {
			c.ResetSession()
		}
	}
}
