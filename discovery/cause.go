package discovery

import "strings"

// blameTrigger makes what is wrong with a trigger that cannot be read the
// cause why the hook does not run, whatever else is wrong with it: only that
// keeps it from being a failure on its event (D5).
func (h *Hook) blameTrigger() {
	if h.Trigger != "" || h.State != Invalid {
		return
	}
	for _, d := range h.Diagnostics {
		missing := d.Code == "missing-key" && strings.HasPrefix(d.Message, `no key "trigger"`)
		mistyped := d.Code == "wrong-type" && strings.HasPrefix(d.Message, "trigger is ")
		if d.Code == "trigger" || missing || mistyped {
			h.Cause = d.Message
			return
		}
	}
}
