package serve

import "testing"

// TestCallsIn checks which settings count as running the managed hooks on each operation of an
// event (D82).
func TestCallsIn(t *testing.T) {
	const plugin = "// written by agent-hooks install\nconst program = \"/usr/bin/agent-hooks\"\nconst args = [\"run\", \"--scope\", \"managed\"]\nconst agent = \"opencode\"\nconst events = new Set([\"session.idle\", \"tool.execute.before\"])\nconst other = [\"chat.message\"]\n"
	for _, test := range []struct {
		extension, text, event string
		want                   bool
	}{
		{".json", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "agent-hooks run --scope managed"}]}]}}`, "PreToolUse", true},
		{".json", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"command": "agent-hooks run --scope managed"}]}]}}`, "PreToolUse", false},
		{".json", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "agent-hooks run"}]}]}, "x": "--scope managed"}`, "PreToolUse", false},
		{".json", `{"hooks": {"PreToolUse": [{"hooks": [{"command": ["agent-hooks", "run", "--scope", "managed"]}]}]}}`, "Stop", false},
		{".toml", "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ncommand = 'agent-hooks run --scope managed'\n", "PreToolUse", true},
		{".toml", "[[hooks.PreToolUse", "PreToolUse", false},
		{".sh", "#!/bin/sh\nexec /usr/bin/agent-hooks run --agent auggie --scope managed \"$@\"\n", "PreToolUse", true},
		{".sh", "#!/bin/sh\n# --scope managed\nexec /usr/bin/agent-hooks run --agent auggie \"$@\"\n", "PreToolUse", false},
		{".json", `{"hooks": {"PreToolUse": [{"hooks": [{"command": "/nowhere/agent-hooks.sh"}]}]}}`, "PreToolUse", false},
		{".js", plugin, "tool.execute.before", true},
		{".js", plugin, "event:session.idle", true},
		{".js", plugin, "chat.message", false},
		{".js", "// --scope managed \"tool.execute.before\"\nconst args = [\"run\"]\nconst events = new Set([\"tool.execute.before\"])\n", "tool.execute.before", false},
	} {
		if got := callsIn(test.extension, []byte(test.text), test.event); got != test.want {
			t.Errorf("%s %s: %v", test.event, test.text, got)
		}
	}
}
