package agenthooks

import (
	"cmp"

	"github.com/agent-hooks/agent-hooks/protocol"
)

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
