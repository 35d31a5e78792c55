package spec

import "slices"

// EventInfo describes when an event fires and what blocking it means (SPEC.md
// 2.1, D30).
type EventInfo struct {
	Event    EventType `json:"event"`
	Category string    `json:"category"` // session, turn, gate, tool, subagent, context or model
	Timing   string    `json:"timing"`   // before or after
	Blocking string    `json:"blocking"` // yes, gate or recommended: the format's own column
	Block    string    `json:"block"`    // what a block means to the agent
	Mode     string    `json:"mode"`     // recommended mode: sync
	When     string    `json:"when"`     // when it fires
	// Extension marks an event that is not one of the format's thirteen (D48).
	Extension bool `json:"extension"`
}

var events = [...]EventInfo{
	{PreSession, "session", "before", "yes", "the session does not start", "sync", "before a session starts", false},
	{PostSession, "session", "after", "yes", "the reason is reported back; the session is over", "sync", "after a session has ended", false},
	{PreAgentTurn, "turn", "before", "yes", "the prompt is not processed", "sync", "before the agent processes an input", false},
	{PostAgentTurn, "turn", "after", "yes", "the reason is reported back; the turn is over", "sync", "after the agent has processed an input", false},
	{PreAgentTurnStop, "gate", "before", "gate", "the agent gets the reason and continues", "sync", "before the agent stops responding", false},
	{PostAgentTurnStop, "gate", "after", "yes", "the reason is reported back; the agent has stopped", "sync", "after the agent has stopped responding", false},
	{PreToolCall, "tool", "before", "recommended", "the tool is not executed", "sync", "before a tool is executed", false},
	{PostToolCall, "tool", "after", "yes", "the reason is reported back; the tool has run", "sync", "after a tool has succeeded", false},
	{PostToolCallFailure, "tool", "after", "yes", "the reason is reported back; the tool has failed", "sync", "after a tool has failed", false},
	{PreSubagent, "subagent", "before", "yes", "the subagent does not start", "sync", "before a subagent starts", false},
	{PostSubagent, "subagent", "after", "yes", "the reason is reported back; the subagent has stopped", "sync", "after a subagent has stopped", false},
	{PreContextCompact, "context", "before", "yes", "the context is not compacted", "sync", "before the context is compacted", false},
	{PostContextCompact, "context", "after", "yes", "the reason is reported back; the context is compacted", "sync", "after the context has been compacted", false},
	{PreLLMCall, "model", "before", "yes", "the model is not called", "sync", "before the model is called", true},
	{PostLLMCall, "model", "after", "yes", "the reason is reported back; the model has answered", "sync", "after the model has answered", true},
	{PermissionRequest, "tool", "before", "yes", "the permission is refused; the tool is not executed", "sync", "before the user is asked to permit a tool", true},
	{Notification, "session", "after", "yes", "the reason is reported back; the notification is out", "sync", "when the agent notifies the user", true},
	{TaskCompleted, "turn", "before", "yes", "the task stays open; the agent gets the reason", "sync", "before a task is marked as completed", true},
}

// Events returns the format's thirteen events in its order, then the extension
// events.
func Events() []EventInfo { return slices.Clone(events[:]) }

// Info returns the row of e; ok is false if e is not an event.
func Info(e EventType) (info EventInfo, ok bool) {
	for i := range events {
		if events[i].Event == e {
			return events[i], true
		}
	}
	return EventInfo{}, false
}
