package discovery

// blameTrigger makes what is wrong with a trigger that cannot be read the
// cause why the hook does not run, whatever else is wrong with it: only that
// keeps it from being a failure on its event (D5).
func (h *Hook) blameTrigger() {
	if h.Trigger != "" || h.State != Invalid {
		return
	}
	if message := h.wrongTrigger(); message != "" {
		h.Cause = message
	}
}

// TriggerCause says why the trigger cannot be read, one line, whatever else
// keeps the hook from running, such as that it is not trusted yet; "" if the
// trigger can be read.
func (h *Hook) TriggerCause() string {
	if h.Trigger != "" {
		return ""
	}
	if message := h.wrongTrigger(); message != "" {
		return message
	}
	for _, d := range h.Diagnostics {
		if d.Fatal() {
			return d.Message
		}
	}
	return h.Cause
}

// wrongTrigger is what is said of the trigger itself, "" for nothing.
func (h *Hook) wrongTrigger() string {
	for _, d := range h.Diagnostics {
		if d.Key == "trigger" && d.Fatal() {
			return d.Message
		}
	}
	return ""
}
