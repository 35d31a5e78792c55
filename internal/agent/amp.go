package agent

import (
	_ "embed"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// amp has no command hooks. A plugin, which package install writes, forwards
// its events with their keys at the top level, and applies the answer: see
// openCode.
var amp = Agent{
	Name: "amp", Title: "Amp",
	Version: "2026-11", Date: "2026-11-28", Source: "`amp plugins show-docs`; ampcode.com, the plugin API and execute mode, as third parties read them in 2026-10; the running plugin runtime, without its server",
	Programs:    []string{"amp"},
	TimeoutUnit: time.Millisecond,
	Settings:    []Settings{{Path: "~/.config/amp/plugins/agent-hooks.js", Plugin: ampPlugin}, {Path: ".amp/plugins/agent-hooks.js", Plugin: ampPlugin}},
	Setup: Setup{
		Folders: []string{"~/.config/amp"},
		Steps:   []Step{{"", "restart Amp, or run its command plugins: reload; older builds need PLUGINS=all"}, {"", "start amp --execute with --plugin-ready-timeout: without it, a turn may begin before the plugin is loaded, and its events are skipped"}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Is("hook_event_name", "tool.call", "tool.result", "agent.start", "agent.end", "session.start"), Has("thread_id")}},
	Fields: []Field{
		{Path: "thread_id", Name: "session_id"},
		{Path: "tool", Name: "tool_name"}, {Path: "input", Name: "tool_input"}, {Path: "toolUseID", Name: "tool_use_id"},
		{Path: "output", Name: "tool_output"}, {Path: "error", Name: "tool_error", Kind: Error},
		{Path: "message", Name: "prompt", Kind: Parts}, {Path: "status", Name: "reason"},
	},
	Tools: []Tool{
		{"Bash", "Shell"}, {"shell_command", "Shell"}, {"run_terminal_command", "Shell"}, {"Read", "ReadFile"}, {"read_file", "ReadFile"}, {"view_media", "ReadFile"},
		{"create_file", "WriteFile"}, {"write_file", "WriteFile"}, {"edit_file", "EditFile"}, {"apply_patch", "EditFile"}, {"delete_file", "Delete"}, {"glob", "Glob"}, {"finder", "Grep"}, {"Grep", "Grep"}, {"read_web_page", "FetchURL"}, {"web_search", "SearchWeb"},
		{"Task", "Task"}, {"oracle", "Task"}, {"todo_write", "TodoWrite"}, {"skill", "Skill"},
	},
	Keys: []Key{
		{"cmd", "command", "Shell"}, {"command", "command", "Shell"}, {"path", "file_path", "ReadFile WriteFile EditFile Delete"},
		{"path", "file_paths", ""}, {"old_str", "old_string", ""}, {"new_str", "new_string", ""},
	},
	Judging: Judging{Also: pluginAlso, Schema: pluginSchema},
	Base:    Form{Var("cwd", WorkDir), Var("thread_id", SessionID)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "session.start", Means: on(spec.PreSession), Message: pluginMessage},
			{Name: "agent.start", Means: on(spec.PreAgentTurn), Deny: pluginBlock, Context: pluginContext, Message: pluginMessage,
				Note: "a deny cancels the thread's turn"},
			{Name: "tool.call", Means: on(spec.PreToolCall), Subagent: spec.PreSubagent, Deny: pluginBlock, Allow: Form{JSON("allow", "true")},
				Input: Form{Var("args", Input)}, Message: pluginMessage},
			{Name: "tool.result", Means: on(spec.PostToolCall), Failed: spec.PostToolCallFailure, Subagent: spec.PostSubagent, Deny: contextFeedback,
				Context: pluginContext, Output: Form{Var("output", NewOutput)}, Message: pluginMessage},
			{Name: "agent.end", Means: endOfTurn, Deny: Form{Var("continue", Reason)}, Message: pluginMessage},
		}
	},
	Quirks: []Quirk{
		{1, "hooks are functions of a plugin, which forwards events and carries out the answer", "the documentation", "deny"},
	},
}

// The answers that the plugins of OpenCode, Amp and Pi apply.
var (
	pluginBlock   = Form{Var("block", Reason)}
	pluginContext = Form{Var("context", Context)}
	pluginMessage = Form{Var("message", Message)}
)

// pluginAlso and pluginSchema describe how these answers are read. A plugin
// blocks on every true value of block. They are variables of their own because
// Go would copy a Judging when the program starts.
var (
	pluginAlso   = []Forms{{Deny: Form{JSON("block", "true"), Var("reason", Reason)}}}
	pluginSchema = []Schema{{"*", []Value{{Paths: []string{"block"}, Text: true, Bool: true}, texts("reason", "context", "message", "prompt"), objects("args"), {Paths: []string{"continue"}, Text: true, Bool: true}}}}
)

//go:embed plugins/amp.js
var ampJS string

func ampPlugin() string { return ampJS }
