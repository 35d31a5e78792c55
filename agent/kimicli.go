package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// kimiCLI is the Python client that Kimi Code supersedes.
var kimiCLI = Agent{
	Name: "kimi-cli", Title: "Kimi CLI",
	Version: "1.49.0", Date: "2026-11-22", Source: "MoonshotAI/kimi-cli source and documentation",
	Programs:       []string{"kimi-cli"},
	PlainShell:     true,
	OtherVariables: "KIMI_API_KEY KIMI_HOME",
	DefaultTimeout: 30 * time.Second,
	Settings: []Settings{
		{Scope: "user", Path: "~/.kimi/config.toml", Format: "toml", Layout: &oneList, Entry: eventEntry},
	},
	Setup: Setup{
		RunsIn:  inPlugin,
		Folders: []string{"~/.kimi"}, Windows: CmdExe, Strict: Strict{Events: true}, Steps: []Step{{"", restart}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "session_id", "tool_call_id"), Lacks("client_type", "tool_use_id")}},
	Fields: []Field{
		{Path: "tool_call_id", Name: "tool_use_id"},
		{Path: "error", Name: "tool_error"},
		{Path: "agent_name", Name: "agent_type"},
		{Path: "response", Name: "last_message"},
	},
	Tools: []Tool{
		{"Shell", "Shell"}, {"ReadFile", "ReadFile"}, {"ReadMediaFile", "ReadFile"}, {"WriteFile", "WriteFile"}, {"StrReplaceFile", "EditFile"},
		{"Glob", "Glob"}, {"Grep", "Grep"}, {"FetchURL", "FetchURL"}, {"SearchWeb", "SearchWeb"}, {"Agent", "Task"}, {"Task", "Task"},
		{"SetTodoList", "TodoWrite"},
	},
	Keys: []Key{
		{Native: "command", Canonical: "command", Tool: "Shell"},
		{Native: "path", Canonical: "file_paths", Tool: "Glob"}, {Native: "path", Canonical: "file_paths", Tool: "Grep"},
		{Native: "path", Canonical: "file_path"}, {Native: "content", Canonical: "content"},
		{Native: "url", Canonical: "url"}, {Native: "query", Canonical: "query"},
	},
	Judging: Judging{Schema: []Schema{{"*", []Value{words("hso.permissionDecision", "allow", "deny", "ask", "defer"), texts("hso.permissionDecisionReason")}}}},
	Base:    Form{Var("session_id", SessionID), Var("cwd", WorkDir)},
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}, MaxTimeout: 5 * time.Second},
		{Name: "UserPromptSubmit", Subject: "prompt", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, Forms: Forms{Deny: hsoDeny}},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true, Forms: Forms{Deny: hsoDeny}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true, Forms: Forms{Deny: hsoDeny}, Note: "fires again once"},
		{Name: "StopFailure", Spec: []spec.EventType{spec.PostAgentTurn}},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact}},
		{Name: "PostCompact", Spec: []spec.EventType{spec.PostContextCompact}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification}},
	},
	Quirks: []Quirk{
		{ID: "Q-kimi-cli-1", Text: "of all output, only the reason of a block reaches the model", Source: "the documentation", Fixture: "kimi-cli/prompt-context.txt"},
	},
}
