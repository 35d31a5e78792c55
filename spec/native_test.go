package spec

import "testing"

func TestNearestEvent(t *testing.T) {
	for word, want := range map[string]EventType{
		"PreToolUse":    PreToolCall,
		"BeforeTool":    PreToolCall,
		"Stop":          PreAgentTurnStop,
		"pre-tool-cal":  PreToolCall,
		"PreToolCall":   PreToolCall,
		"PreToolUsed":   "",
		"PreCompress":   PreContextCompact,
		"pre-s":         "", // pre-session and pre-subagent
		"post-session2": PostSession,
		"":              "",
	} {
		got, ok := NearestEvent(word)
		if !ok {
			got = ""
		}
		if got != want || ok && !got.Valid() {
			t.Errorf("NearestEvent(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestNativeEventsAreEvents(t *testing.T) {
	for _, name := range []string{"SessionStart", "SessionEnd", "UserPromptSubmit", "BeforeAgent", "Stop", "AfterAgent", "PreToolUse", "PostToolUse",
		"AfterTool", "PostToolUseFailure", "SubagentStart", "SubagentStop", "PreCompact", "PreCompress", "PostCompact",
		"BeforeModel", "AfterModel", "PermissionRequest", "Notification", "TaskCompleted"} {
		all := NativeEvents(name)
		for _, e := range all {
			if !e.Valid() {
				t.Errorf("%s is %q, which is no event", name, e)
			}
		}
		if len(all) == 0 {
			t.Errorf("%s is no event", name)
		}
	}
	if got := NativeEvents("pre-tool-call"); got != nil {
		t.Errorf("pre-tool-call is no agent's, and got %v", got)
	}
}
