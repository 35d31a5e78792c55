package agenthooks

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// RunOptions say how a plan is run.
type RunOptions struct {
	// Wait waits for the async hooks, too.
	Wait bool
	// Fit, if not nil, adapts each sync hook's answer to what the caller can
	// carry out: its changed input and output. event is the one that the hook
	// read. An error is a failure of the hook (D27).
	Fit func(event *protocol.Event, a protocol.Answer) (protocol.Answer, error)
	// Caller is the call of the agent that sent the event; nil if it came in
	// the format's own form. A hook that speaks the caller's language reads the
	// caller's own bytes (D60).
	Caller *agent.Call
	// LogLater leaves the run log and the recording to Report.Log, so that the
	// caller can act on the report first.
	LogLater bool
	// ProjectTime bounds how long the project's hooks run together while hooks
	// of the user are still to run (D32). Zero means half of the time until
	// the context's deadline, if it has one.
	ProjectTime time.Duration
	// Ask and Modify say what becomes of an ask, and of a changed input or
	// prompt, where the caller cannot express them (D45).
	Ask, Modify Fallback
	// Continues says that the agent keeps working if this event is blocked, as
	// it does on pre-agent-turn-stop: such blocks are limited (D30).
	Continues bool

	async func(jobs []exec.Job, event io.WriterTo) error // nil but in tests: starts the async hooks
}

// Fallback is what becomes of an answer that the caller cannot express.
type Fallback string

// The fallbacks.
const (
	Express     Fallback = ""       // the caller can express it
	DenyInstead Fallback = "deny"   // it is a block
	Ignore      Fallback = "ignore" // it is dropped, with a warning, and grants nothing
)

// ErrDeadline is the cause of a context whose end counts as a timeout of the
// hooks that have not finished (D32). See context.WithTimeoutCause.
var ErrDeadline = errors.New("the run's deadline passed")

// Run runs the plan's sync hooks one after another, then starts its async
// hooks unless something blocked (D7), and merges the answers (D28).
//
// A pre-tool-call hook may change the tool's input; every other sync hook
// that matches the new input is then asked about it, so that no input reaches
// the tool that a matching guard has not seen (D29).
//
// When ctx ends with the cause ErrDeadline, hooks that have not finished are
// timeouts. With another cause they are stopped, and the report says Blocked
// and Canceled: nobody has decided that the operation may go on (D71).
func (p *Plan) Run(ctx context.Context, o RunOptions) *Report {
	began := time.Now()
	r := &runner{Plan: p, ctx: ctx, options: o, event: p.Event, room: maxKept}
	r.report = &Report{Event: p.Event.Type, Agent: p.hooks.agent, Project: p.hooks.Project.Root, WorkDir: p.WorkDir, event: p.Event, records: p.hooks.records}
	r.prepare()
	r.left, r.bounded = r.projectTime()
	for again := true; again && !r.blocked; {
		again = r.pass()
	}
	r.fallBack()
	r.startAsync()
	r.finish()
	r.count()
	r.endSession()
	r.report.Duration = time.Since(began)
	if !o.LogLater {
		r.report.Warnings = append(r.report.Warnings, r.report.Log()...)
	}
	return r.report
}

type runner struct {
	*Plan
	ctx     context.Context
	options RunOptions
	report  *Report
	event   *protocol.Event // with the input that reaches the tool if nothing changes it
	version int             // how often the input was changed
	input   []byte          // the changed input
	blocked bool
	blocker *turn // nil if nothing blocked
	asked   bool  // an ask was ignored
	turns   []*turn
	room    int // for the output that the report keeps

	left    time.Duration // of the time of the project's hooks
	bounded bool
	judging sync.Mutex // guards room, and the caller's functions that judge an answer
}

// turn is one hook's part in a run.
type turn struct {
	row     *Row
	report  *HookReport
	at      int  // its index in the run's turns
	version int  // of the input that it was last asked about, -1 for none
	decided int  // the version of the input that row was decided for
	changed bool // it has changed the input
	answer  protocol.Answer

	event    *protocol.Event // that it reads
	prepared *exec.Command
	foreign  *foreign // nil if the hook speaks the format's own language
}

func (r *runner) prepare() {
	n := len(r.Rows)
	if n == 0 {
		return
	}
	rows, turns, reports := make([]Row, n), make([]turn, n), make([]HookReport, n)
	r.turns, r.report.Hooks = make([]*turn, 0, n), make([]*HookReport, 0, n)
	for i, planned := range r.Rows {
		row := &rows[i]
		*row = *planned // a changed input decides again, and the plan stays what it was
		reports[i] = HookReport{
			Hook: row.Hook.Shown(), Scope: string(row.Hook.Scope), File: row.Hook.File,
			Async: row.Hook.Async, Status: -1, Outcome: NotReached,
		}
		t := &turns[i]
		*t = turn{row: row, at: i, version: -1, report: &reports[i]}
		r.turns = append(r.turns, t)
		r.report.Hooks = append(r.report.Hooks, t.report)
	}
}

// pass asks every sync hook that has not seen the current input, and reports
// whether the input changed on the way.
func (r *runner) pass() (changed bool) {
	before := r.version
	for next := 0; next < len(r.turns) && !r.blocked; {
		group, after := r.group(next)
		if taken := r.askAll(group); taken < len(group) {
			after = group[taken].at
		}
		next = after
	}
	return !r.blocked && r.version != before
}

// ask asks one hook about the current input, or takes the answer of an attempt
// that was started before; nil: there was none.
func (r *runner) ask(t *turn, a *attempt) {
	t.version = r.version
	if a != nil {
		<-a.done
		*t.report, t.foreign = *a.report, a.foreign
		r.settle(t, a.answer)
		return
	}
	t.answer, t.report.Answer = protocol.Answer{}, protocol.Answer{}
	t.consider()
	switch {
	case t.row.Failure != nil:
		r.settle(t, t.failure(t.row.Failure))
	case t.row.Runs:
		t.event, t.prepared = r.event, r.command(t)
		ctx, done := r.shared(t)
		answer := r.execute(ctx, t)
		done()
		r.settle(t, answer)
	}
}

// consider notes in the report what the plan says of the hook.
func (t *turn) consider() {
	row := t.row
	t.report.Failed, t.report.Saw, t.report.Cause = row.Failed, row.Saw, ""
	t.report.Matched = row.Runs || row.Failure != nil
	if !t.report.Matched {
		t.report.Outcome = NotConcerned
	}
	if row.Warning != "" {
		t.report.warnf("%s; counts as matched", row.Warning)
	}
	if row.Failed == Trusted {
		t.report.warnf("%s; it does not run", oneLine(row.Saw))
	}
	if !row.Runs {
		return
	}
	if row.Notice != "" {
		t.report.warnf("%s", oneLine(row.Notice))
	}
	for _, d := range row.Hook.Diagnostics {
		if d.Severity == spec.Error {
			t.report.warnf("%s", oneLine(d.String()))
		}
	}
}
