package explain

import (
	"cmp"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Outcome returns the name of an outcome for messages.
func Outcome(o agenthooks.Outcome) string {
	if o == agenthooks.OutcomeNone {
		return "no opinion"
	}
	return string(o)
}

// Reason returns the reason for the outcome on one line; "" if there is none.
func Reason(h *agenthooks.HookReport) string {
	if h.Status == spec.ExitBlock && h.Cause == "" {
		return "" // the reason is on stderr
	}
	return cmp.Or(h.Cause, h.Answer.Reason)
}
