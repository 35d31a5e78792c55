package agent

import "github.com/agent-hooks/agent-hooks/spec"

var devin = Agent{
	Name: "devin", Aliases: []string{"devin-cli"}, Title: "Devin",
	Version: "3000.10.31", Date: "2026-11-28",
	Source:    "docs.devin.ai/cli/extensibility/hooks, as third parties read it in 2026-10; captures of 3000.6 to 3000.10 by third parties",
	Variables: []string{"DEVIN_PROJECT_DIR"},
	Programs:  []string{"devin"},
	Settings: []Settings{
		{Path: "~/.config/devin/config.json", Layout: &grouped, Entry: commandEntry}, {Path: ".devin/hooks.v1.json", Layout: &groupedTop, Entry: commandEntry},
		{Path: ".devin/config.json"}, {Path: ".devin/config.local.json"},
	},
	Setup: Setup{
		Prompts: &Prompts{},
		Matcher: barMatcher,
		Folders: []string{"~/.config/devin"}, Headless: "-p", Windows: CmdExe,
		Flaws: Flaws{File: UnknownEvent},
		Steps: []Step{{"", restart}},
	},
	NameKey: "hook_event_name",
	Proof: []Evidence{
		{Has("hook_event_name", "session_id"), Is("tool_name", "exec", "run_subagent", "read_subagent", "find_file_by_name"), Lacks("cwd", "transcript_path", "timestamp")},
		{Is("hook_event_name", "PreToolUse", "PostToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "PostCompaction"), Has("session_id", "prompt_id"), Lacks("cwd", "transcript_path", "timestamp", "turn_id", "client_type", "project_path")},
	},
	Guest: Guest{"claude-code", []Evidence{
		{Is("hook_event_name", "PostCompaction")},
		{Has("hook_event_name"), Is("tool_name", "exec", "run_subagent", "read_subagent", "find_file_by_name", "ask_user_question", "todo_write", "read", "write", "edit", "glob", "grep", "skill")},
	}},
	Fields: []Field{
		{Path: "tool_response", Name: "tool_output"},
		{Path: "tool_response.error", Name: "tool_error", Kind: Error},
		{Path: "last_assistant_message", Name: "last_message"},
	},
	Tools: []Tool{
		{"exec", "Shell"}, {"read", "ReadFile"}, {"write", "WriteFile"}, {"edit", "EditFile"}, {"apply_patch", "EditFile"},
		{"glob", "Glob"}, {"find_file_by_name", "Glob"}, {"grep", "Grep"}, {"run_subagent", "Task"}, {"todo_write", "TodoWrite"},
		{"ask_user_question", "AskUser"}, {"skill", "Skill"}, {"webfetch", "FetchURL"}, {"notebook_read", "ReadFile"}, {"notebook_edit", "EditFile"},
	},
	Keys: []Key{
		{"command", "command", "Shell"}, {"cmd", "command", "Shell"}, {"file_path", "file_path", ""},
		{"path", "file_path", "ReadFile WriteFile EditFile"}, {"path", "file_paths", ""},
	},
	Judging: Judging{
		Schema: []Schema{{"*", []Value{words("decision", "block", "deny", "approve"), texts("reason"), words("hso.permissionDecision", "allow", "deny", "ask"), texts("hso.additionalContext"), objects("hso.updatedInput")}}},
		Also:   []Forms{{Deny: blockTop, Context: hsoContext}, {Deny: denyTop}, {Deny: hsoDeny, Allow: hsoAllow}},
	},
	Base:        Form{Var("session_id", SessionID), Var("prompt_id", PromptID)},
	Environment: Form{Var("DEVIN_PROJECT_DIR", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop, Context: hsoContext, Note: "whether Devin obeys a block here is not confirmed"},
			{Name: "PreToolUse", Exit2: true, Deny: blockTop, Allow: Form{Set("decision", "approve")}, Input: hsoInput, Context: hsoContext,
				Note: "whether a changed input grants the call is not known, so it is sent only with an allow; the newest documentation has context for prompts, sessions and results only"},
			{Name: "PermissionRequest", Exit2: true, Deny: blockTop, Ask: bySilence, Allow: Form{Set("decision", "approve")}},
			{Name: "PostToolUse", Failed: spec.PostToolCallFailure, Exit2: true, Deny: blockTop, Context: hsoContext},
			{Name: "Stop", Exit2: true, Deny: blockTop},
			{Name: "PostCompaction", Means: on(spec.PostContextCompact)},
		}
	},
	Quirks: []Quirk{
		{1, "payloads have no cwd; DEVIN_PROJECT_DIR names the project", "the documentation", "deny"},
		{2, "failed calls arrive as PostToolUse with tool_response.error", "the documentation", "failed"},
		{3, "one unknown event in the file disables all of its hooks, so that only the documented ones are in this table", "the documentation", "unknown-event"},
	},
}
