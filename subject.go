package agenthooks

import "github.com/agent-hooks/agent-hooks/matcher"

// Subject returns what the matchers of the plan's event look at, its input
// included. On an event without a tool it says nothing.
func (p *Plan) Subject() matcher.Subject {
	if !p.Event.Type.IsTool() {
		return matcher.Subject{}
	}
	return subjectOf(p.Event, true)
}
