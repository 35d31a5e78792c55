package agenthooks

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// settle adds a hook's answer to the run.
func (r *runner) settle(t *turn, a protocol.Answer) {
	t.report.reason = hookReason(t.report, a)
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
	if a.Native != nil && t.foreign != nil {
		r.event = t.foreign.Changed(r.event, a.Native)
	}
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

// change replaces the current input with a hook's modified_input. Each hook may
// change the input once per run (D29).
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

// failure returns the answer for a failed hook (D27, D12).
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

// cancel records that the run ended before the hook had decided. This is not a
// failure of the hook, and allows nothing (D71).
func (t *turn) cancel() {
	t.report.Outcome, t.report.Cause, t.report.failure = Canceled, errCanceled.Error(), errCanceled
	t.report.warnf("%s", t.report.Cause)
}
