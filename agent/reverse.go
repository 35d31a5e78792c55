package agent

import (
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Payload returns the native payload that a hook which speaks a's language
// reads for an event (D60), and the native event; nil if the agent has no
// event for it. caller is the call of the agent that sent the event, nil if it
// came in the format's own form. If the caller is a itself, the bytes are the
// caller's own, with only the tool's input replaced once it has changed.
func (a *Agent) Payload(e *protocol.Event, caller *Call) (payload []byte, row *Event) {
	return nil, nil // D60: to be completed
}

// Judge says what a hook that speaks a's language means by its exit and
// output on a native event, by the agent's own rules (D60). The error is a
// failure of the hook.
func (a *Agent) Judge(row *Event, hook string, exit protocol.Exit) (protocol.Answer, []string, error) {
	return protocol.Judge(rowEvent(row), hook, exit) // D60: to be completed
}

func rowEvent(row *Event) spec.EventType {
	if row == nil || len(row.Spec) == 0 {
		return spec.PreToolCall
	}
	return row.Spec[0]
}
