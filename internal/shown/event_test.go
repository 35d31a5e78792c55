package shown

import (
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestNearEvent(t *testing.T) {
	for word, want := range map[string]spec.EventType{
		"PreToolUse":    spec.PreToolCall,
		"BeforeTool":    spec.PreToolCall,
		"Stop":          spec.PreAgentTurnStop,
		"pre-tool-cal":  spec.PreToolCall,
		"PreToolCall":   spec.PreToolCall,
		"before_tool":   spec.PreToolCall,
		"after_tool":    spec.PostToolCall,
		"before_stop":   spec.PreAgentTurnStop,
		"PreToolUsed":   "",
		"PreCompress":   spec.PreContextCompact,
		"pre-s":         "", // pre-session and pre-subagent
		"post-session2": spec.PostSession,
		"":              "",
	} {
		got, ok := NearEvent(word)
		if !ok {
			got = ""
		}
		if got != want || ok && !got.Valid() {
			t.Errorf("NearEvent(%q) = %q, want %q", word, got, want)
		}
	}
}
