package agent_test

import (
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

func TestUnset(t *testing.T) {
	for variable, want := range map[string]map[string]bool{
		"CLAUDE_TOOL_INPUT":      {"claude-code": true, "gemini-cli": false},
		"CLAUDE_FILE_PATHS":      {"claude-code": true},
		"CLAUDE_PROJECT_DIR":     {"claude-code": false, "gemini-cli": false},
		"CLAUDE_CODE_REMOTE":     {"claude-code": false},
		"CLAUDE_CONFIG_DIR":      {"claude-code": false},
		"GEMINI_TOOL_ARGS":       {"gemini-cli": true, "claude-code": false},
		"CURSOR_FILE":            {"cursor": true},
		"CODEX_HOME":             {"codex": false},
		"COPILOT_TOOL":           {"copilot": true},
		"JCLI_TOOL_NAME":         {"j-cli": true},
		"JCLI_CWD":               {"j-cli": false},
		"KIMI_EVENT":             {"kimi-code": true},
		"FACTORY_TOOL":           {"factory-droid": true},
		"TOOL_INPUT":             {"claude-code": true, "gemini-cli": true},
		"TOOL_NAME":              {"claude-code": true},
		"TOOL_ARGS":              {"claude-code": true},
		"TOOL_RESULT":            {"claude-code": true},
		"HOOK_EVENT_NAME":        {"claude-code": true},
		"FILE_PATHS":             {"claude-code": true},
		"FILE_PATH":              {"claude-code": true},
		"HOOK_DEBUG":             {"claude-code": false},
		"TOOL_DIR":               {"claude-code": false},
		"CODE_DIR":               {"claude-code": false},
		"PLUGIN_DATA":            {"copilot": false},
		"ROOT_DIR":               {"windsurf": false},
		"PATH":                   {"claude-code": false},
		"AGENT_HOOKS_HOOK_DIR":   {"claude-code": false},
		"QWEN_PROJECT_DIR":       {"qwen-code": false},
		"CLAUDE_PLUGIN_OPTION_X": {"claude-code": false},
	} {
		for name, unset := range want {
			if got := agent.Find(name).Unset(variable); got != unset {
				t.Errorf("%s: Unset(%s) = %v", name, variable, got)
			}
		}
	}
}
