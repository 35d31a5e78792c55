package agenthooks

import "github.com/agent-hooks/agent-hooks/matcher"

// Subject returns the input of the matchers for the plan's event, including the
// tool input. It is empty on an event without a tool.
func (p *Plan) Subject() matcher.Subject {
	if !p.Event.Type.IsTool() {
		return matcher.Subject{}
	}
	return subjectOf(p.Event, true)
}
