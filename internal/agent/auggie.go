package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

var auggie = Agent{
	Name: "auggie", Aliases: []string{"augment"}, Title: "Auggie",
	Version: "0.36.0", Date: "2026-11-22", Source: "docs.augmentcode.com/cli/hooks; reports by third parties",
	Programs:    []string{"auggie"},
	TimeoutUnit: time.Millisecond,
	// It runs only script files.
	Settings: []Settings{
		{Path: "~/.augment/agent-hooks.sh", Script: true}, {Path: "~/.augment/settings.json", Layout: &grouped, Entry: auggieEntry},
		{Path: ".augment/agent-hooks.sh", Script: true}, {Path: ".augment/settings.json", Layout: &grouped, Entry: auggieEntry},
		{Path: ".augment/settings.local.json"},
	},
	Setup: Setup{
		Matcher: barMatcher,
		Folders: []string{"~/.augment"}, Steps: []Step{{"", restart}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "conversation_id", "workspace_roots"), Lacks("cursor_version", "generation_id")}},
	Fields: []Field{
		{Path: "conversation_id", Name: "session_id"},
		{Path: "tool_response", Name: "tool_output"},
		{Path: "agent_stop_cause", Name: "reason"},
	},
	Tools: []Tool{
		{"launch-process", "Shell"}, {"view", "ReadFile"}, {"save-file", "WriteFile"}, {"str-replace-editor", "EditFile"},
		{"remove-files", "Delete"}, {"web-fetch", "FetchURL"}, {"web-search", "SearchWeb"}, {"codebase-retrieval", "Grep"},
	},
	Keys: []Key{
		{Native: "path", Canonical: "file_path"}, {Native: "file_paths", Canonical: "file_paths"}, {Native: "file_content", Canonical: "content"},
		{Native: "content", Canonical: "content"}, {Native: "old_str", Canonical: "old_string"}, {Native: "old_str_1", Canonical: "old_string"},
		{Native: "new_str", Canonical: "new_string"}, {Native: "new_str_1", Canonical: "new_string"},
	},
	Judging: Judging{Schema: []Schema{{"*", []Value{words("decision", "block", "approve"), texts("reason"), words("hso.permissionDecision", "allow", "deny", "ask"), words("hso.decision", "block"), texts("hso.additionalContext")}}}, Also: []Forms{{Deny: blockTop}}},
	Base:    Form{Var("conversation_id", SessionID), Var("workspace_roots.0", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext},
			{Name: "SessionEnd"},
			{Name: "PromptSubmit", Means: on(spec.PreAgentTurn), Since: "0.27.0", Note: "exists from 0.27.0; whether it blocks is not known"},
			{Name: "PreToolUse", Exit2: true, Deny: hsoDeny, Allow: hsoAllow, Input: hsoInput, Context: hsoContext},
			{Name: "PostToolUse", Deny: hsoFeedback, Context: hsoContext},
			{Name: "Stop", Deny: Form{Set("hso.decision", "block"), Var("hso.reason", Reason)}},
			{Name: "Notification"},
		}
	},
	Quirks: []Quirk{
		{1, "a stop's block is nested, and exit status 2 does not block it", "the documentation", "stop-deny"},
	},
}

var auggieEntry = Form{Set("type", "command"), Var("command", ScriptPath), Var("timeout", Milliseconds)}
