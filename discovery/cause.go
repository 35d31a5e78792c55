package discovery

import "github.com/agent-hooks/agent-hooks/spec"

// TriggerCause returns why the trigger cannot be read, as one line, even if
// something else also keeps the hook from running, such as missing trust; "" if
// the trigger can be read.
func (h *Hook) TriggerCause() string {
	if h.Trigger != "" {
		return ""
	}
	if d := h.wrongTrigger(); d != nil {
		return d.Message
	}
	for _, d := range h.Diagnostics {
		if d.Fatal() {
			return d.Message
		}
	}
	return h.Cause
}

// wrongTrigger returns the diagnostic about the trigger, nil for none.
func (h *Hook) wrongTrigger() *spec.Diagnostic {
	for _, d := range h.Diagnostics {
		if d.Key == "trigger" && d.Fatal() {
			return &d
		}
	}
	return nil
}
