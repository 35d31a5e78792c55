package agenthooks

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/protocol"
)

// ignore drops the parts of an answer that the caller cannot express and that
// the options say to ignore (D45). It is called before anything depends on
// them, so that guards see the input that the tool gets. An allow for a changed
// input is dropped with the change.
func (r *runner) ignore(t *turn, a protocol.Answer) protocol.Answer {
	changes := a.ModifiedInput != nil && !r.event.SameInput(a.ModifiedInput) || a.ModifiedPrompt != ""
	usable := r.options.Caller != nil && r.options.Caller.TakesInput()
	if r.options.Modify == Ignore && changes && !usable {
		t.report.warnf("its change is ignored, because the agent cannot take it (--modify=ignore)")
		a.ModifiedInput, a.ModifiedPrompt = nil, ""
		if a.Decision == protocol.Allow {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	}
	return a
}

// fallBack resolves an ask or a change that the caller cannot express, after
// all sync hooks have answered (D45).
func (r *runner) fallBack() {
	if r.blocked {
		return
	}
	for _, t := range r.turns {
		a := &t.answer
		current := t.version == r.version
		switch {
		case r.options.Modify == DenyInstead && t.changed && r.changes.input != nil:
			r.refuse(t, "the agent cannot take a changed input; request it yourself: "+string(r.changes.input))
		case r.options.Modify == DenyInstead && a.ModifiedPrompt != "":
			r.refuse(t, "the agent cannot take a changed prompt: "+a.ModifiedPrompt)
		case r.options.Ask == DenyInstead && current && a.Decision == protocol.Ask:
			r.refuse(t, "a person must approve this, and the agent cannot ask")
		case r.options.Ask == Ignore && current && a.Decision == protocol.Ask:
			t.report.warnf("its ask is ignored, because the agent cannot ask (--ask=ignore): %s", oneLine(a.Reason))
			r.ignoredAsk = true
			a.Decision, a.Reason = protocol.NoOpinion, ""
		default:
			continue
		}
		if r.blocked {
			return
		}
	}
}

// refuse turns the hook's answer into a block.
func (r *runner) refuse(t *turn, why string) {
	reason := fmt.Sprintf("hook %s: %s", t.report.Hook, why)
	if t.answer.Decision == protocol.Ask && t.answer.Reason != "" {
		reason = t.answer.Reason + "\n" + reason
	}
	t.version = r.version
	t.answer = protocol.Answer{Decision: protocol.Deny, Reason: protocol.Reason([]byte(reason)), SystemMessage: t.answer.SystemMessage, Log: t.answer.Log}
	t.report.Answer = t.answer
	r.block(t)
}
