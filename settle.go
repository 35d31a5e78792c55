package agenthooks

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// settle adds a hook's answer to the run.
func (r *runner) settle(t *turn, a protocol.Answer) {
	t.report.reason = hookReason(t.report, a)
	a = t.observe(r.qualify(t, a))
	if r.keepsWorking() {
		if a = r.askAtGate(a); a.Decision == protocol.Deny {
			a = r.limit(t, a)
		}
	}
	a = r.change(t, r.ignore(t, a))
	t.answer, t.report.Answer = a, a
	if a.Decision == protocol.Deny {
		r.block(t)
	}
}

// hookReason returns the reason that a hook itself gave for a block or a
// question, as one escaped line for the run log (D90).
func hookReason(h *HookReport, a protocol.Answer) string {
	if h.Outcome != OutcomeDeny && h.Outcome != OutcomeAsk || a.Reason == protocol.DefaultReason(h.Hook) {
		return ""
	}
	return runlog.Reason(a.Reason)
}

// observe returns the effective answer. A hook that is only observed decides
// and changes nothing; the report says what it would have done (D76).
func (t *turn) observe(a protocol.Answer) protocol.Answer {
	if !t.row.Hook.Observe {
		return a
	}
	t.report.Would = string(cmp.Or(a.Decision, protocol.Decision("none")))
	if a.Decision == protocol.NoOpinion && (a.ModifiedInput != nil || a.UpdatedOutput != nil || a.ModifiedPrompt != "") {
		t.report.Would = "change"
	}
	if t.report.Would != "none" {
		text := "is only observed; it would " + t.report.Would
		if a.Reason != "" {
			text += ": " + oneLine(a.Reason)
		}
		t.report.warnf("%s", text)
	}
	return protocol.Answer{}
}

// block ends the run.
func (r *runner) block(t *turn) {
	r.blocked, r.blocker = true, t
	r.report.Blocked, r.report.BlockedBy = true, t.report.Hook
}

// change applies a hook's changes of the event: every other matching hook then
// runs on the result. Each hook may change the event once per run (D29, D88).
func (r *runner) change(t *turn, a protocol.Answer) protocol.Answer {
	next, a := r.changed(t, a)
	switch {
	case next == r.event && a.Decision != protocol.Deny:
		r.changes = r.changes.with(protocol.Answer{Native: a.Native})
	case next == r.event:
	case t.changed:
		t.report.warnf("changes the %s again; the change is ignored, and so is its allow", changedPart(a))
		a.ModifiedInput, a.ModifiedPrompt, a.UpdatedOutput = nil, "", nil
		if a.Decision != protocol.Deny { // otherwise it is how the operation stops
			a.Native = nil
		}
		if a.Decision == protocol.Allow {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	default:
		t.changed = true
		r.version++
		t.version = r.version
		if r.options.Caller != nil {
			next = r.options.Caller.Changed(next)
		}
		r.event = next
		r.changes = r.changes.with(a)
	}
	return a
}

// changed returns the event as changed by an answer, and the answer without the
// parts that change nothing.
func (r *runner) changed(t *turn, a protocol.Answer) (*protocol.Event, protocol.Answer) {
	next := r.event
	if a.ModifiedInput != nil {
		if r.event.SameInput(a.ModifiedInput) {
			a.ModifiedInput = nil
		} else {
			next = next.WithInput(a.ModifiedInput)
		}
	}
	if a.ModifiedPrompt != "" {
		if changed := r.event.WithPrompt(a.ModifiedPrompt); r.event.Same("prompt", changed.Changed("prompt")) {
			a.ModifiedPrompt = ""
		} else {
			next = next.WithPrompt(a.ModifiedPrompt)
		}
	}
	if a.UpdatedOutput != nil {
		if r.event.SameOutput(a.UpdatedOutput) {
			a.UpdatedOutput = nil
		} else {
			next = next.WithOutput(a.UpdatedOutput)
		}
	}
	if a.Native != nil && t.foreign != nil {
		next = t.foreign.Changed(next, a.Native)
		if a.Decision != protocol.Deny {
			a.Native = t.foreign.Combined(r.changes.native, a.Native)
		}
	}
	return next, a
}

// changedPart names the part of the event that an answer changes.
func changedPart(a protocol.Answer) string {
	switch {
	case a.ModifiedPrompt != "":
		return "prompt"
	case a.UpdatedOutput != nil:
		return "output"
	case a.ModifiedInput != nil:
		return "input"
	}
	return "request or the response"
}

// changes are the current versions of the parts that hooks have changed; nil
// and "" for the others.
type changes struct {
	input, output, native json.RawMessage
	prompt                string
}

// with returns the changes with those of an answer.
func (c changes) with(a protocol.Answer) changes {
	if a.ModifiedInput != nil {
		c.input = a.ModifiedInput
	}
	if a.UpdatedOutput != nil {
		c.output = a.UpdatedOutput
	}
	if a.Native != nil {
		c.native = a.Native
	}
	if a.ModifiedPrompt != "" {
		c.prompt = a.ModifiedPrompt
	}
	return c
}

// apply adds the changes to the merged answer. A block drops all of them except
// a changed output: the tool has run, and its output still reaches the model.
func (c changes) apply(a *protocol.Answer, blocked bool) {
	if c.output != nil {
		a.UpdatedOutput = c.output
	}
	if blocked {
		return
	}
	if c.input != nil {
		a.ModifiedInput = c.input
	}
	if c.prompt != "" {
		a.ModifiedPrompt = c.prompt
	}
	if c.native != nil && a.Native == nil {
		a.Native = c.native
	}
}

// failure returns the answer for a failed hook (D27, D12).
func (t *turn) failure(cause error) protocol.Answer {
	if errors.Is(cause, errCanceled) {
		t.cancel()
		return protocol.Answer{}
	}
	cause = t.plan.explained(t.row, cause)
	t.report.Outcome, t.report.Cause, t.report.failure = Failed, cause.Error(), cause
	if errors.Is(cause, errTimeout) {
		t.report.Outcome = TimedOut
	}
	policy, source := t.policy()
	reason := protocol.Reason([]byte(fmt.Sprintf("hook %s: %s (%s: %s)", t.report.Hook, cause, source, policy)))
	switch policy {
	case manifest.Deny:
		return protocol.Answer{Decision: protocol.Deny, Reason: reason}
	case manifest.Ask:
		return protocol.Answer{Decision: protocol.Ask, Reason: reason}
	}
	t.report.warnf("%s; operation allowed", oneLine(cause.Error()))
	return protocol.Answer{}
}

// cancel records that the run ended before the hook had decided. This is not a
// failure of the hook, and allows nothing (D71).
func (t *turn) cancel() {
	t.report.Outcome, t.report.Cause, t.report.failure = Canceled, errCanceled.Error(), errCanceled
	t.report.warnf("%s", t.report.Cause)
}
