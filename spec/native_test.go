package spec

import "testing"

func TestNativeEventsAreEvents(t *testing.T) {
	for _, name := range []string{"SessionStart", "SessionEnd", "UserPromptSubmit", "BeforeAgent", "Stop", "AfterAgent", "PreToolUse", "PostToolUse",
		"AfterTool", "PostToolUseFailure", "SubagentStart", "SubagentStop", "PreCompact", "PreCompress", "PostCompact",
		"BeforeModel", "AfterModel", "PermissionRequest", "Notification", "TaskCompleted"} {
		all := NativeEvents(name)
		for _, e := range all {
			if !e.Valid() {
				t.Errorf("%s is %q, which is not an event", name, e)
			}
		}
		if len(all) == 0 {
			t.Errorf("%s is not an event", name)
		}
	}
	if got := NativeEvents("pre-tool-call"); got != nil {
		t.Errorf("pre-tool-call is not an agent's name, got %v", got)
	}
}
