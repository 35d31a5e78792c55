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
		{Path: "~/.grok/hooks/*.json", Layout: &grouped, Entry: commandEntry}, {Path: ".grok/hooks/*.json", Layout: &grouped, Entry: commandEntry},
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
		{Native: "file_path", Canonical: "file_path"}, {Native: "target_file", Canonical: "file_path"}, {Native: "path", Canonical: "file_paths"},
		{Native: "target_directory", Canonical: "file_paths"}, {Native: "content", Canonical: "content"}, {Native: "contents", Canonical: "content"},
	},
	mcp: clineMCP, classify: grokInput,
	Judging:     Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "deny", "block"), texts("reason")}}}, Also: []Forms{{Deny: blockTop}}, AnyStatus: true, NoObjection: true},
	Base:        Form{Var("sessionId", SessionID), Var("cwd", WorkDir), Var("workspaceRoot", ProjectDir), Var("timestamp", Timestamp)},
	Environment: Form{Var("GROK_HOOK_EVENT", EventName), Var("GROK_SESSION_ID", SessionID), Var("GROK_WORKSPACE_ROOT", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "pre_tool_use", Setting: "PreToolUse", Exit2: true, Deny: denyTop, Allow: Form{Set("decision", "allow")}},
			{Name: "session_start", Setting: "SessionStart"}, {Name: "session_end", Setting: "SessionEnd"},
			{Name: "user_prompt_submit", Setting: "UserPromptSubmit", Note: "cannot block"},
			{Name: "post_tool_use", Setting: "PostToolUse"}, {Name: "post_tool_use_failure", Setting: "PostToolUseFailure"},
			{Name: "stop", Setting: "Stop", Note: "cannot be blocked"},
			{Name: "stop_failure", Setting: "StopFailure"}, {Name: "stop_cancelled", Means: on(spec.PostAgentTurn), Unregistered: true},
			{Name: "subagent_start", Setting: "SubagentStart"}, {Name: "subagent_stop", Setting: "SubagentStop"},
			{Name: "pre_compact", Setting: "PreCompact"}, {Name: "post_compact", Setting: "PostCompact"},
			{Name: "notification", Setting: "Notification"}, {Name: "permission_denied", Setting: "PermissionDenied"},
		}
	},
	Quirks: []Quirk{
		{1, "payloads name events in snake case, settings do not", "the documentation", "deny"},
		{3, "toolInput may be truncated, as toolInputTruncated reports; every matcher then counts as matched", "the documentation", "truncated"},
		{2, "only PreToolUse blocks", "the documentation", "stop-deny"},
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
