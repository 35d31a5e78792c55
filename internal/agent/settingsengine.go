package agent

import "time"

// settingsEngine is the engine that reads hooks from .agent/settings.json.
var settingsEngine = Agent{
	Name: "settings-engine", Aliases: []string{"settings-json", "settings.json"}, Title: "the settings.json engine",
	Version: "2026-02-14", Date: "2026-11-22", Source: "the engine's analysis document",
	DefaultTimeout: 10 * time.Second,
	PlainShell:     true,
	Settings: []Settings{
		{Path: "~/.agent/settings.json", Layout: &grouped, Entry: commandEntry}, {Path: ".agent/settings.json", Layout: &grouped, Entry: commandEntry},
		{Path: ".agent/settings.local.json"},
	},
	Setup:    Setup{Folders: []string{"~/.agent"}, Steps: []Step{{"", restart}}},
	NameKey:  "hook_event_name event_name event",
	AskModes: []string{"*"},
	Fields: []Field{
		{Path: "tool_response", Name: "tool_output"}, {Path: "tool_result", Name: "tool_output"},
		{Path: "error", Name: "tool_error", Kind: Error},
		{Path: "project_root", Name: "work_dir"},
	},
	Tools: claudeTools, Keys: claudeKeys,
	Judging: Judging{
		Schema: []Schema{{"*", []Value{words("permission_decision", "allow", "deny", "ask"), words("permissionDecision", "allow", "deny", "ask"), words("hso.permissionDecision", "allow", "deny", "ask"), words("decision", "block", "approve", "allow", "deny"), texts("reason"), objects("updated_input", "updatedInput"), texts("additional_context")}}},
		Also: []Forms{
			{Deny: Form{Set("permissionDecision", "deny"), Var("reason", Reason)}, Ask: Form{Set("permissionDecision", "ask"), Var("reason", Reason)}, Allow: Form{Set("permissionDecision", "allow"), Var("reason", Reason)},
				Input: Form{Var("updatedInput", Input)}, Context: Form{Var("additionalContext", Context)}},
			{Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow, Input: hsoInput, Context: hsoContext},
			{Deny: blockTop},
		},
	},
	Base: Form{Var("session_id", SessionID), Var("cwd", WorkDir), Var("project_root", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "PreToolUse", Exit2: true, Harmless: true, Deny: Form{Set("permission_decision", "deny"), Var("reason", Reason)},
				Ask: Form{Set("permission_decision", "ask"), Var("reason", Reason)}, Allow: Form{Set("permission_decision", "allow"), Var("reason", Reason)},
				Input: Form{Var("updated_input", Input)}, Context: settingsContext},
			{Name: "PostToolUse", Deny: snakeFeedback, Context: settingsContext, Note: inferred},
			{Name: "PostToolUseFailure", Deny: snakeFeedback, Context: settingsContext, Note: inferred},
			{Name: "UserPromptSubmit", Exit2: true, Context: settingsContext, Note: inferred},
			{Name: "SessionStart", Context: settingsContext, Note: inferred},
			{Name: "SessionEnd", Note: inferred},
			{Name: "Stop", Exit2: true, Note: inferred},
			{Name: "SubagentStop", Exit2: true, Note: inferred},
			{Name: "PreCompact", Note: inferred},
		}
	},
	Quirks: []Quirk{
		{1, "answers are flat and in snake_case", "the document, 2.6", "modify"},
		{3, "updated_input without a decision decides nothing: it needs no question", "the document, 1.3", "modify"},
		{2, "ask calls the approval callback, in every mode", "the document, 1.3", "ask"},
	},
}

var settingsContext = Form{Var("additional_context", Context)}

// inferred marks events that the document does not mention.
const inferred = "not in the document; inferred from Claude Code, whose format it follows"
