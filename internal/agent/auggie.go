package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

var auggie = Agent{
	Name: "auggie", Aliases: []string{"augment"}, Title: "Auggie",
	Live: true, Version: "0.36.0", Date: "2026-11-28", Source: "the running client, without a terminal, and its code; docs.augmentcode.com/cli/hooks",
	Variables:      []string{"AUGMENT_PROJECT_DIR"},
	OtherVariables: "AUGMENT_",
	Programs:       []string{"auggie"},
	TimeoutUnit:    time.Millisecond,
	// It runs only script files.
	Settings: []Settings{
		{Path: "~/.augment/agent-hooks.sh", Script: true}, {Path: "~/.augment/settings.json", Layout: &grouped, Entry: auggieEntry},
		{Path: ".augment/agent-hooks.sh", Script: true}, {Path: ".augment/settings.json", Layout: &grouped, Entry: auggieEntry},
		{Path: "/etc/augment/agent-hooks.sh", Script: true}, {Path: "/etc/augment/settings.json", Layout: &grouped, Entry: auggieEntry},
		{Path: ".augment/settings.local.json"},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.augment/sessions", ""}},
		Matcher: barMatcher,
		Folders: []string{"~/.augment"}, Headless: "--print", Steps: []Step{{"", restart}},
		Managed: Managed{Ways: []string{"the account's server decides whether the client runs hooks", "an entry of the user's own can change a call after managed hooks saw it"}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "conversation_id", "workspace_roots"), Lacks("cursor_version", "generation_id")}},
	Fields: []Field{
		{Path: "conversation_id", Name: "session_id"},
		{Path: "user_prompt", Name: "prompt", On: "PromptSubmit"},
		{Path: "tool_error", Name: "tool_error", Kind: Error},
		{Path: "agent_stop_cause", Name: "reason"},
	},
	Tools: []Tool{
		{"launch-process", "Shell"}, {"view", "ReadFile"}, {"save-file", "WriteFile"}, {"str-replace-editor", "EditFile"},
		{"remove-files", "Delete"}, {"web-fetch", "FetchURL"}, {"web-search", "SearchWeb"}, {"codebase-retrieval", "Grep"}, {"grep-search", "Grep"},
		{"apply_patch", "EditFile"}, {"write-process", "Shell"}, {"sub-agent-general-purpose", "Task"},
	},
	Keys: []Key{
		{"path", "file_path", ""}, {"command", "command", "Shell"}, {"input_text", "command", "Shell"}, {"file_paths", "file_paths", ""},
		{"file_content", "content", ""}, {"content", "content", ""}, {"old_str", "old_string", ""}, {"old_str_1", "old_string", ""},
		{"new_str", "new_string", ""}, {"new_str_1", "new_string", ""},
	},
	Judging: Judging{
		Schema: []Schema{{"*", []Value{bools("continue"), texts("systemMessage", "additionalContext"), words("hso.permissionDecision", "allow", "deny", "ask"), objects("hso.updatedInput"), words("hso.decision", "block"), texts("hso.additionalContext")}}},
		Also:   []Forms{{Deny: stopBare}}, NeedsName: true, ReplacesInput: true, Plain: "SessionStart",
	},
	Base:        Form{Var("conversation_id", SessionID), Var("workspace_roots.0", ProjectDir)},
	Environment: Form{Var("AUGMENT_PROJECT_DIR", ProjectDir), Var("AUGMENT_CONVERSATION_ID", SessionID), Var("AUGMENT_HOOK_EVENT", EventName), Var("AUGMENT_TOOL_NAME", ToolName)},
	InProject:   true,
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Message: systemMessage, Note: "documented to take context; 0.36.0 drops it"},
			{Name: "SessionEnd"},
			{Name: "PromptSubmit", Means: on(spec.PreAgentTurn), Since: "0.27.0", Note: "exists from 0.27.0; the client does not wait for its hooks"},
			{Name: "PreToolUse", Exit2: true, Harmless: true, Deny: hsoDeny, Input: hsoInput, Message: systemMessage},
			{Name: "PostToolUse", Failed: spec.PostToolCallFailure, Deny: hsoFeedback, Context: hsoContext, Message: systemMessage},
			{Name: "Stop", Message: systemMessage, Note: "documented to take a block; 0.36.0 drops it"},
			{Name: "Notification"},
		}
	},
	Quirks: []Quirk{
		{1, "a stop's block and a start's context are documented, and have no effect", "seen in 0.36.0", "stop-deny"},
		{2, "allow and ask have no effect; the permissions decide on the changed input", "seen in 0.36.0", "modify"},
		{3, "the account's server decides whether the client runs hooks (enable_hooks)", "seen in 0.36.0", "deny"},
	},
}

var auggieEntry = Form{Set("type", "command"), Var("command", ScriptPath), Var("timeout", Milliseconds)}
