package spec

import (
	"slices"
	"testing"
)

func TestEvents(t *testing.T) {
	var names, tools, pre []EventType
	for _, info := range Events() {
		e := info.Event
		names = append(names, e)
		if e.IsTool() {
			tools = append(tools, e)
		}
		if e.IsPre() {
			pre = append(pre, e)
		}
		if got, ok := Info(e); !ok || got != info || !e.Valid() {
			t.Errorf("Info(%q) = %v, %v", e, got, ok)
		}
		if (info.Timing == "before") != e.IsPre() || (info.Category == "tool") != e.IsTool() {
			t.Errorf("%+v contradicts itself", info)
		}
		if info.Extension != (len(names) > 13) {
			t.Errorf("extension %v of event %d, %s", info.Extension, len(names), e)
		}
	}
	if want := []EventType{"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
		"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
		"pre-context-compact", "post-context-compact",
		"pre-llm-call", "post-llm-call", "permission-request", "notification", "task-completed"}; !slices.Equal(names, want) {
		t.Errorf("events %q, want %q", names, want)
	}
	if want := []EventType{PreToolCall, PostToolCall, PostToolCallFailure, PermissionRequest}; !slices.Equal(tools, want) {
		t.Errorf("tool events %q, want %q", tools, want)
	}
	if want := []EventType{PreSession, PreAgentTurn, PreAgentTurnStop, PreToolCall, PreSubagent, PreContextCompact, PreLLMCall, PermissionRequest, TaskCompleted}; !slices.Equal(pre, want) {
		t.Errorf("pre-events %q, want %q", pre, want)
	}
}

func TestUnknownEvent(t *testing.T) {
	for _, e := range []EventType{"", "pre-tool", "Pre-Tool-Call", "pre-tool-call "} {
		if _, ok := Info(e); ok || e.Valid() {
			t.Errorf("%q is an event", e)
		}
	}
}

// A caller that changes a returned table must not change the format.
func TestTablesAreCopies(t *testing.T) {
	Events()[0].Block = "changed"
	Fields()[0].Name = "changed"
	Codes()[0].Fatal = false
	SchemaNames()[0] = "changed"
	ToolNames("Bash")[1] = "changed"
	if Events()[0].Block == "changed" || Fields()[0].Name == "changed" || !Codes()[0].Fatal ||
		SchemaNames()[0] == "changed" || ToolNames("Bash")[1] == "changed" {
		t.Error("a table was changed from outside")
	}
}
