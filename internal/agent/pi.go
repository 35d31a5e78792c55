package agent

import (
	_ "embed"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// pi has no command hooks. An extension, which package install writes, forwards
// its events with their keys at the top level, and applies the answer: see
// openCode.
var pi = Agent{
	Name: "pi", Title: "Pi",
	Live: true, Version: "1.6.0", Date: "2026-11-28", Source: "docs/extensions.md of @earendil-works/pi-coding-agent 1.5.2; the running client",
	Programs:    []string{"pi"},
	TimeoutUnit: time.Millisecond,
	Settings:    []Settings{{Path: "~/.pi/agent/extensions/agent-hooks.js", Plugin: piPlugin}, {Path: ".pi/extensions/agent-hooks.js", Plugin: piPlugin}},
	Setup:       Setup{Traces: []Trace{{"~/.pi/agent/sessions", ""}}, Folders: []string{"~/.pi"}, Headless: "-p", Steps: []Step{{"", "restart Pi, or run /reload"}, {"project", "trust this project in Pi"}}},
	NameKey:     "hook_event_name",
	Proof:       []Evidence{{Is("hook_event_name", "tool_call", "tool_result"), Has("toolName", "toolCallId", "input"), Lacks("hookName")}},
	Fields: []Field{
		{Path: "toolName", Name: "tool_name"}, {Path: "input", Name: "tool_input"}, {Path: "toolCallId", Name: "tool_use_id"},
		{Path: "content", Name: "tool_output", Kind: Parts}, {Path: "error", Name: "tool_error", Kind: Error},
		{Path: "text", Name: "prompt"},
	},
	Tools: []Tool{
		{"bash", "Shell"}, {"read", "ReadFile"}, {"write", "WriteFile"}, {"edit", "EditFile"}, {"find", "Glob"}, {"ls", "LS"}, {"grep", "Grep"},
	},
	Keys: []Key{
		{"path", "file_path", "ReadFile WriteFile EditFile"}, {"path", "file_paths", ""}, {"oldText", "old_string", ""},
		{"newText", "new_string", ""},
	},
	Judging: Judging{Also: pluginAlso, Schema: pluginSchema},
	Base:    Form{Var("cwd", WorkDir), Var("session_id", SessionID)},
	mcp:     clineMCP,
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "session_start", Context: pluginContext, Message: pluginMessage, Note: "the context goes with the session's first prompt"},
			{Name: "session_shutdown", Means: on(spec.PostSession)},
			{Name: "input", Means: on(spec.PreAgentTurn), Deny: pluginBlock, Prompt: Form{Var("prompt", Prompt)}, Context: pluginContext, Message: pluginMessage},
			{Name: "tool_call", Means: on(spec.PreToolCall), Harmless: true, Deny: pluginBlock, Input: Form{Var("args", Input)}, Message: pluginMessage,
				Note: "Pi never asks for permission, so a changed input grants nothing"},
			{Name: "tool_result", Means: on(spec.PostToolCall), Failed: spec.PostToolCallFailure, Deny: contextFeedback, Context: pluginContext,
				Output: Form{Var("output", NewOutputText)}, Message: pluginMessage},
			{Name: "agent_before_settle", Means: endOfTurn, Deny: Form{Var("continue", Reason)}, Message: pluginMessage},
			{Name: "session_before_compact", Means: on(spec.PreContextCompact), Deny: pluginBlock, Message: pluginMessage},
			{Name: "session_compact", Means: on(spec.PostContextCompact)},
		}
	},
	Quirks: []Quirk{
		{1, "hooks are functions of an extension, which forwards events and carries out the answer", "the documentation", "deny"},
	},
}

//go:embed plugins/pi.js
var piJS string

func piPlugin() string { return piJS }
