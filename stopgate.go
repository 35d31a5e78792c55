package agenthooks

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/stops"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// keepsWorking reports whether a block makes the agent keep working.
func (r *runner) keepsWorking() bool {
	return r.plan.Event.Type == spec.PreAgentTurnStop || r.options.Caller != nil && r.options.Caller.Holds()
}

// askAtGate turns an ask that the caller cannot express into a deny before
// blocks are counted, because it would also keep the agent working.
func (r *runner) askAtGate(a protocol.Answer) protocol.Answer {
	if a.Decision == protocol.Ask && r.options.Ask == DenyInstead {
		a.Decision, a.Reason = protocol.Deny, protocol.Reason([]byte("a person must approve this: "+a.Reason))
	}
	return a
}

// counter returns the counter of blocks for the event's session and agent.
func (r *runner) counter() stops.Counter {
	if r.plan.hooks.records.settings == nil {
		return stops.Counter{}
	}
	agent, _ := r.plan.Event.Field("agent_id")
	return stops.New(r.plan.hooks.records.state, r.plan.Event.SessionID, strings.Join(agent, "\x00"))
}

// limit turns a block into a warning after stop-limit consecutive blocks,
// because at least one agent has no limit of its own (D30). Where blocks cannot
// be counted, stop_hook_active indicates an earlier block.
func (r *runner) limit(t *turn, a protocol.Answer) protocol.Answer {
	n, err := r.counter().Add(t.report.Scope + "/" + t.report.Hook)
	switch {
	case err == nil && n <= r.plan.hooks.records.settings.StopLimit(), err != nil && !r.plan.Event.StopHookActive:
		return a
	case err == nil:
		t.report.warnf("has kept the agent working %d times in a row, its stop-limit; the agent may stop: %s", n-1, oneLine(a.Reason))
	default:
		t.report.warnf("blocks although stop_hook_active is true; the agent may stop: %s", oneLine(a.Reason))
	}
	return protocol.Answer{SystemMessage: a.SystemMessage, Log: a.Log}
}

// count records the result of the stop, and resets the count when the agent
// stops or a new prompt arrives. A prompt that repeats the last reason is the
// agent's own continuation.
func (r *runner) count() {
	switch {
	case r.report.Canceled:
	case r.keepsWorking() && r.blocked:
		r.counter().Returned(r.report.Answer.Reason)
	case r.keepsWorking():
		r.counter().Reset()
	case r.plan.Event.Type == spec.PreAgentTurn:
		prompt, _ := r.plan.Event.Field("prompt")
		if c := r.counter(); !c.Repeats(strings.Join(prompt, "\n")) {
			c.ResetSession()
		}
	}
}
