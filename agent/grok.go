package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

var grok = Agent{
	Name: "grok", Aliases: []string{"grok-build"}, Title: "Grok Build",
	Version: "2026-11", Date: "2026-11-22", Source: "the Grok Build user guide, hooks",
	Variables:      []string{"GROK_WORKSPACE_ROOT"},
	Programs:       []string{"grok"},
	DefaultTimeout: 5 * time.Second,
	Settings: []Settings{
		{Scope: "user", Path: "~/.grok/hooks/*.json", Format: "file", Layout: &grouped, Entry: commandEntry},
		{Scope: "project", Path: ".grok/hooks/*.json", Format: "file", Layout: &grouped, Entry: commandEntry},
	},
	Setup: Setup{
		Folders: []string{"~/.grok"}, Windows: CmdExe, Strict: Strict{NoMark: true},
		Steps: []Step{{"", restart}, {"project", "trust this project's hooks in Grok with /hooks-trust"}},
	},
	NameKey: "hookEventName",
	Proof:   []Evidence{{Has("hookEventName", "sessionId", "workspaceRoot")}},
	Guest:   Guest{"claude-code cursor", []Evidence{{Has("hookEventName", "workspaceRoot")}, {Has("hookEventName", "toolInputTruncated")}}},
	Fields: []Field{
		{Path: "sessionId", Name: "session_id"}, {Path: "workspaceRoot", Name: "work_dir"},
		{Path: "toolName", Name: "tool_name"}, {Path: "toolInput", Name: "tool_input"}, {Path: "toolUseId", Name: "tool_use_id"},
		{Path: "toolOutput", Name: "tool_output"}, {Path: "toolResponse", Name: "tool_output"}, {Path: "error", Name: "tool_error", Kind: Error},
	},
	Tools: []Tool{
		{"run_terminal_command", "Shell"}, {"read_file", "ReadFile"}, {"search_replace", "EditFile"}, {"write", "WriteFile"},
		{"list_dir", "LS"}, {"grep", "Grep"}, {"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"spawn_subagent", "Task"},
	},
	Keys: []Key{
		{Native: "command", Canonical: "command", Tool: "Shell"},
		{Native: "file_path", Canonical: "file_path"}, {Native: "target_file", Canonical: "file_path"},
		{Native: "path", Canonical: "file_paths"}, {Native: "target_directory", Canonical: "file_paths"},
		{Native: "content", Canonical: "content"}, {Native: "contents", Canonical: "content"},
		{Native: "old_string", Canonical: "old_string"}, {Native: "new_string", Canonical: "new_string"},
		{Native: "url", Canonical: "url"}, {Native: "query", Canonical: "query"},
	},
	mcp: clineMCP, classify: grokInput,
	Judging:     Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "deny", "block"), texts("reason")}}}, Also: []Forms{{Deny: blockTop}}, AnyStatus: true, NoObjection: true},
	Base:        Form{Var("sessionId", SessionID), Var("cwd", WorkDir), Var("workspaceRoot", ProjectDir), Var("timestamp", Timestamp)},
	Environment: Form{Var("GROK_HOOK_EVENT", EventName), Var("GROK_SESSION_ID", SessionID), Var("GROK_WORKSPACE_ROOT", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	Events: []NativeEvent{
		{Name: "pre_tool_use", Spec: []spec.EventType{spec.PreToolCall}, Unregistered: true, Exit2: true, Forms: Forms{Deny: denyTop, Allow: Form{Set("decision", "allow")}}},
		{Name: "session_start", Spec: []spec.EventType{spec.PreSession}, Unregistered: true},
		{Name: "session_end", Spec: []spec.EventType{spec.PostSession}, Unregistered: true},
		{Name: "user_prompt_submit", Spec: []spec.EventType{spec.PreAgentTurn}, Unregistered: true},
		{Name: "post_tool_use", Spec: []spec.EventType{spec.PostToolCall}, Unregistered: true},
		{Name: "post_tool_use_failure", Spec: []spec.EventType{spec.PostToolCallFailure}, Unregistered: true},
		{Name: "stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Unregistered: true},
		{Name: "stop_failure", Spec: []spec.EventType{spec.PostAgentTurn}, Unregistered: true},
		{Name: "stop_cancelled", Spec: []spec.EventType{spec.PostAgentTurn}, Unregistered: true},
		{Name: "subagent_start", Spec: []spec.EventType{spec.PreSubagent}, Unregistered: true},
		{Name: "subagent_stop", Spec: []spec.EventType{spec.PostSubagent}, Unregistered: true},
		{Name: "pre_compact", Spec: []spec.EventType{spec.PreContextCompact}, Unregistered: true},
		{Name: "post_compact", Spec: []spec.EventType{spec.PostContextCompact}, Unregistered: true},
		{Name: "notification", Spec: []spec.EventType{spec.Notification}, Unregistered: true},
		{Name: "permission_denied", Unregistered: true},
		// Names in settings; payloads use the names above.
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true, Forms: Forms{Deny: denyTop, Allow: Form{Set("decision", "allow")}}},
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Note: "cannot block"},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Note: "cannot be blocked"},
		{Name: "StopFailure", Spec: []spec.EventType{spec.PostAgentTurn}},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact}},
		{Name: "PostCompact", Spec: []spec.EventType{spec.PostContextCompact}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification}},
		{Name: "PermissionDenied"},
	},
	Quirks: []Quirk{
		{ID: "Q-grok-1", Text: "payloads name events in snake case, settings do not", Source: "the documentation", Fixture: "grok/deny.txt"},
		{ID: "Q-grok-3", Text: "toolInput may be truncated, as toolInputTruncated reports; every matcher then counts as matched",
			Source: "the documentation", Fixture: "grok/truncated.txt"},
		{ID: "Q-grok-2", Text: "only PreToolUse blocks", Source: "the documentation", Fixture: "grok/stop-deny.txt"},
	},
}

// grokInput reports an input that Grok truncated: the rest may contain what a
// matcher searches for.
func grokInput(c *Call) {
	for _, v := range c.find("toolInputTruncated") {
		if string(v) == "true" {
			c.undecided = "the tool's input is cut off"
		}
	}
}
