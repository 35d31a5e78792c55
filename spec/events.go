package spec

import "slices"

// EventInfo says when an event fires and what a block of it means
// (spec 004 "事件类型", D30).
type EventInfo struct {
	Event    EventType `json:"event"`
	Category string    `json:"category"` // session, turn, gate, tool, subagent or context
	Timing   string    `json:"timing"`   // before or after
	Blocking string    `json:"blocking"` // yes, gate or recommended: the format's own column
	Block    string    `json:"block"`    // what a block means to the agent
	Mode     string    `json:"mode"`     // recommended mode: sync
	When     string    `json:"when"`     // when it fires
}

var events = [...]EventInfo{
	{PreSession, "session", "before", "yes", "the session does not start", "sync", "before a session starts"},
	{PostSession, "session", "after", "yes", "the reason is reported back; the session is over", "sync", "after a session has ended"},
	{PreAgentTurn, "turn", "before", "yes", "the prompt is not processed", "sync", "before the agent processes an input"},
	{PostAgentTurn, "turn", "after", "yes", "the reason is reported back; the turn is over", "sync", "after the agent has processed an input"},
	{PreAgentTurnStop, "gate", "before", "gate", "the agent gets the reason and goes on working", "sync", "before the agent stops responding"},
	{PostAgentTurnStop, "gate", "after", "yes", "the reason is reported back; the agent has stopped", "sync", "after the agent has stopped responding"},
	{PreToolCall, "tool", "before", "recommended", "the tool is not executed", "sync", "before a tool is executed"},
	{PostToolCall, "tool", "after", "yes", "the reason is reported back; the tool has run", "sync", "after a tool has succeeded"},
	{PostToolCallFailure, "tool", "after", "yes", "the reason is reported back; the tool has failed", "sync", "after a tool has failed"},
	{PreSubagent, "subagent", "before", "yes", "the subagent does not start", "sync", "before a subagent starts"},
	{PostSubagent, "subagent", "after", "yes", "the reason is reported back; the subagent has stopped", "sync", "after a subagent has stopped"},
	{PreContextCompact, "context", "before", "yes", "the context is not compacted", "sync", "before the context is compacted"},
	{PostContextCompact, "context", "after", "yes", "the reason is reported back; the context is compacted", "sync", "after the context has been compacted"},
}

// Events returns the thirteen events in the format's order.
func Events() []EventInfo { return slices.Clone(events[:]) }

// Info returns what the format says about e; ok is false if e is not one of
// its events.
func Info(e EventType) (info EventInfo, ok bool) {
	for i := range events {
		if events[i].Event == e {
			return events[i], true
		}
	}
	return EventInfo{}, false
}
