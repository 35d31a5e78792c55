package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// settingsEngine is the engine that reads hooks from .agent/settings.json.
var settingsEngine = Agent{
	Name: "settings-engine", Aliases: []string{"settings-json", "settings.json"}, Title: "the settings.json engine",
	Version: "2026-02-14", Date: "2026-11-22", Source: "the engine's analysis document",
	DefaultTimeout: 10 * time.Second,
	PlainShell:     true,
	Settings: []Settings{
		{Scope: "user", Path: "~/.agent/settings.json", Format: "json", Layout: &grouped, Entry: commandEntry},
		{Scope: "project", Path: ".agent/settings.json", Format: "json", Layout: &grouped, Entry: commandEntry},
		{Scope: "local", Path: ".agent/settings.local.json", Format: "json"},
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
	Events: []NativeEvent{
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true, Harmless: true,
			Forms: Forms{
				Deny: Form{Set("permission_decision", "deny"), Var("reason", Reason)}, Ask: Form{Set("permission_decision", "ask"), Var("reason", Reason)},
				Allow: Form{Set("permission_decision", "allow"), Var("reason", Reason)}, Input: Form{Var("updated_input", Input)}, Context: settingsContext,
			}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}, Forms: Forms{Deny: snakeFeedback, Context: settingsContext}, Note: inferred},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}, Forms: Forms{Deny: snakeFeedback, Context: settingsContext}, Note: inferred},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, Forms: Forms{Context: settingsContext}, Note: inferred},
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}, Forms: Forms{Context: settingsContext}, Note: inferred},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}, Note: inferred},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true, Note: inferred},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}, Exit2: true, Note: inferred},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact}, Note: inferred},
	},
	Quirks: []Quirk{
		{ID: "Q-settings-engine-1", Text: "answers are flat and in snake_case", Source: "the document, 2.6", Fixture: "settings-engine/modify.txt"},
		{ID: "Q-settings-engine-3", Text: "updated_input without a decision decides nothing: it needs no question", Source: "the document, 1.3", Fixture: "settings-engine/modify.txt"},
		{ID: "Q-settings-engine-2", Text: "ask calls the approval callback, in every mode", Source: "the document, 1.3", Fixture: "settings-engine/ask.txt"},
	},
}

var settingsContext = Form{Var("additional_context", Context)}

// inferred marks events that the document does not mention.
const inferred = "not in the document; inferred from Claude Code, whose format it follows"
