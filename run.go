package agenthooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// RunOptions say how a plan is run.
type RunOptions struct {
	// Wait waits for the async hooks, too.
	Wait bool
	// Async, if not nil, starts the async hooks instead.
	Async func(jobs []exec.Job, event io.WriterTo) error
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
	prepared exec.Command
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
		*row = *planned // a changed input decides anew, and the plan stays what it was
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
		*t.report = *a.report
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

// failure is what a failed hook means (D27, D12).
func (t *turn) failure(cause error) protocol.Answer {
	if errors.Is(cause, errCanceled) {
		t.cancel()
		return protocol.Answer{}
	}
	t.report.Outcome, t.report.Cause, t.report.failure = Failed, cause.Error(), cause
	if errors.Is(cause, errTimeout) {
		t.report.Outcome = TimedOut
	}
	policy := t.row.Hook.OnFailure
	reason := protocol.Reason([]byte(fmt.Sprintf("hook %s: %s (on-failure: %s)", t.report.Hook, cause, policy)))
	switch policy {
	case manifest.Deny:
		return protocol.Answer{Decision: protocol.Deny, Reason: reason}
	case manifest.Ask:
		return protocol.Answer{Decision: protocol.Ask, Reason: reason}
	}
	t.report.warnf("%s; operation allowed", oneLine(cause.Error()))
	return protocol.Answer{}
}

// cancel notes that the run ended before the hook had decided. That is no
// failure of the hook, and allows nothing (D71).
func (t *turn) cancel() {
	t.report.Outcome, t.report.Cause, t.report.failure = Canceled, errCanceled.Error(), errCanceled
	t.report.warnf("%s", t.report.Cause)
}

// settle takes a hook's answer into the run.
func (r *runner) settle(t *turn, a protocol.Answer) {
	a = t.observe(a)
	if r.keepsWorking() {
		if a = r.askAtGate(a); a.Decision == protocol.Deny {
			a = r.limit(t, a)
		}
	}
	if a = r.ignore(t, a); a.ModifiedInput != nil {
		a = r.change(t, a)
	}
	if a.UpdatedOutput != nil {
		r.event = r.event.WithOutput(a.UpdatedOutput)
	}
	if a.ModifiedPrompt != "" {
		r.event = r.event.WithPrompt(a.ModifiedPrompt)
	}
	t.answer, t.report.Answer = a, a
	if a.Decision == protocol.Deny {
		r.block(t)
	}
}

// block ends the run.
func (r *runner) block(t *turn) {
	r.blocked, r.blocker = true, t
	r.report.Blocked, r.report.BlockedBy = true, t.report.Hook
}

// change makes the input that a hook asks for the current one. Each hook may
// change it once per run (D29).
func (r *runner) change(t *turn, a protocol.Answer) protocol.Answer {
	switch {
	case r.event.SameInput(a.ModifiedInput):
		a.ModifiedInput = nil
	case t.changed:
		t.report.warnf("changes the input again; the change is ignored, and so is its allow")
		a.ModifiedInput = nil
		if a.Decision == protocol.Allow {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	default:
		t.changed = true
		r.version++
		t.version = r.version
		r.input = a.ModifiedInput
		r.event = r.event.WithInput(a.ModifiedInput)
	}
	return a
}

// finish merges the answers about the input that reaches the tool; those
// about superseded inputs are dropped (D29).
func (r *runner) finish() {
	var answers []protocol.Answer
	for _, t := range r.turns {
		if t.version == r.version {
			answers = append(answers, t.answer)
		}
	}
	r.report.Answer = protocol.Merge(answers)
	if r.asked && r.report.Answer.Decision == protocol.Allow {
		// Another hook's allow must not stand for the ask (D45).
		r.report.Answer.Decision, r.report.Answer.Reason = protocol.NoOpinion, ""
	}
	if !r.blocked && r.input != nil {
		r.report.Answer.ModifiedInput = r.input
	}
	if !r.blocked && r.ctx.Err() != nil && context.Cause(r.ctx) != ErrDeadline {
		r.report.Blocked, r.report.Canceled = true, true
		r.report.Answer = protocol.Answer{Decision: protocol.Deny, Reason: "the run was canceled before every hook had decided"}
	}
	r.report.Warnings = append(r.report.Warnings, replaced(r.Plan)...)
	r.report.Warnings = append(r.report.Warnings, r.Warnings...)
	r.report.Warnings = append(r.report.Warnings, r.hookWarnings()...)
}

// hookWarnings returns what the hooks' own reports warn of. Those of the
// project's hooks are bounded, since anyone may have written any number.
func (r *runner) hookWarnings() (warnings []string) {
	shown, more, hooks := 0, 0, 0
	for _, t := range r.turns {
		if len(t.report.Warnings) > 0 && t.row.Hook.Scope == discovery.ProjectScope && shown >= mostAlike {
			more, hooks = more+len(t.report.Warnings), hooks+1
			continue
		}
		for _, w := range t.report.Warnings {
			warnings = append(warnings, fmt.Sprintf("hook %s: %s", t.report.Hook, w))
		}
		if t.row.Hook.Scope == discovery.ProjectScope {
			shown += len(t.report.Warnings)
		}
	}
	if more > 0 {
		warnings = append(warnings, fmt.Sprintf("%d more warnings about %d hooks of the project; run --report FILE lists them all", more, hooks))
	}
	return warnings
}

// replaced warns of each hook on the event that a project's hook replaces
// (D6): the repository's author wrote that one.
func replaced(plan *Plan) []string {
	var warnings []string
	for _, row := range plan.Rows {
		if row.Failed == Replaced {
			warnings = append(warnings, fmt.Sprintf("%s hook %s does not run: %s", row.Hook.Scope, row.Hook.Shown(), row.Saw))
		}
	}
	return warnings
}

var (
	errTimeout  = errors.New("timeout")
	errCanceled = errors.New("the run was canceled before the hook had decided")
)

// execute runs one hook, again after a failure as often as it asks for, all
// within its timeout (D12), and says what it means.
func (r *runner) execute(ctx context.Context, t *turn) protocol.Answer {
	if ctx.Err() != nil {
		return t.failure(ended(ctx))
	}
	if t.foreign != nil && t.foreign.Agent.Converses {
		return r.converse(ctx, t)
	}
	var answer protocol.Answer
	var err error
	exec.Retry(ctx, t.prepared, t.row.Hook.Retry, func(result exec.Result) bool {
		r.judging.Lock()
		defer r.judging.Unlock()
		r.room -= t.report.take(result, r.room)
		if answer, err = r.judge(t, result); result.Canceled {
			err = ended(ctx)
		}
		return err != nil
	})
	if err != nil {
		return t.failure(err)
	}
	return answer
}

// command is the hook's process.
func (r *runner) command(t *turn) exec.Command {
	vars, warnings := r.variables(t.row)
	for _, w := range warnings {
		t.report.warnf("%s", w)
	}
	environ, _ := r.hooks.inherits.clean()
	c := exec.Command{
		Path: t.row.entry.Argv[0], Args: t.row.entry.Argv, Dir: r.WorkDir,
		Env:   append(slices.Clip(environ), vars...),
		Stdin: r.event, Timeout: t.row.Hook.Timeout,
		MaxStdout: spec.MaxOutput + 2*r.event.Size(), MaxStderr: spec.MaxOutput,
		Complete: protocol.Complete,
	}
	if t.foreign = r.foreign(t.row, r.event); t.foreign != nil {
		c.Stdin, c.Dir = payload(t.foreign.Stdin), t.foreign.Dir
		c.Env = append(t.foreign.environ(environ), vars...)
	}
	return c
}

// unfinished returns why a process did not leave by itself, nil if it did
// (D27).
func unfinished(result exec.Result, timeout time.Duration) error {
	switch {
	case result.Err != nil:
		return result.Err
	case result.TimedOut:
		return fmt.Errorf("%w after %d ms", errTimeout, timeout.Milliseconds())
	case result.Canceled:
		return errCanceled
	case result.Signal != "":
		return fmt.Errorf("killed by %s", result.Signal)
	}
	return nil
}

// judge says what one process of the hook means.
func (r *runner) judge(t *turn, result exec.Result) (protocol.Answer, error) {
	if err := unfinished(result, t.row.Hook.Timeout); err != nil {
		return protocol.Answer{}, err
	}
	if result.Status == spec.ExitBlock && !readable(t.row.entry.Script) {
		// Interpreters leave with status 2 if their script is gone (D11).
		return protocol.Answer{}, fmt.Errorf("its entry point %s is gone", t.row.entry.Script)
	}
	exit := protocol.Exit{
		Status: result.Status, Stdout: result.Stdout.Data, Stderr: result.Stderr.Data, Dropped: result.Stdout.Dropped, Event: t.event,
	}
	answer, warnings, err := t.foreign.judge(t.event, t.report.Hook, exit)
	if err == nil && r.options.Fit != nil {
		answer, err = r.options.Fit(t.event, answer)
	}
	if err != nil {
		return protocol.Answer{}, err
	}
	t.report.Outcome, t.report.Cause = outcomeOf(answer.Decision), ""
	for _, w := range warnings {
		t.report.warnf("%s", w)
	}
	if n := result.Stderr.Dropped; n > 0 {
		t.report.warnf("stderr is above its limit; %d bytes were left out", n)
	}
	return answer, nil
}

func outcomeOf(d protocol.Decision) Outcome {
	if d == protocol.NoOpinion {
		return OutcomeNone
	}
	return Outcome(d)
}

func readable(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// maxKept bounds the output of all hooks together that a report keeps.
const maxKept = 16 << 20

// take notes what the process did. It keeps at most room bytes of its output,
// and returns how many: answers grow with the event, and anyone may have
// written any number of hooks, but the report must not grow with them.
func (h *HookReport) take(r exec.Result, room int) (kept int) {
	h.Runs++
	h.Duration += r.Duration
	h.Status, h.Signal = r.Status, r.Signal
	stdout := r.Stdout.Data[:min(len(r.Stdout.Data), spec.MaxOutput, room)]
	stderr := r.Stderr.Data[:min(len(r.Stderr.Data), room-len(stdout))]
	h.Stdout, h.Stderr = string(stdout), string(stderr)
	kept = len(stdout) + len(stderr)
	h.Dropped = r.Stdout.Dropped + r.Stderr.Dropped + int64(len(r.Stdout.Data)+len(r.Stderr.Data)-kept)
	return kept
}
