package agent

import "github.com/agent-hooks/agent-hooks/spec"

var vibe = Agent{
	Name: "mistral-vibe", Aliases: []string{"vibe"}, Title: "Mistral Vibe",
	Version: "2.21", Date: "2026-11-28", Source: "docs.mistral.ai, the CLI's hooks; the source of its runtime, 2026-10",
	Programs: []string{"vibe"},
	Settings: []Settings{{Path: "~/.vibe/hooks.toml", Layout: &oneList, Entry: vibeEntry}, {Path: ".vibe/hooks.toml", Layout: &oneList, Entry: vibeEntry}},
	Setup: Setup{
		Folders:    []string{"~/.vibe"},
		FailClosed: Form{JSON("strict", "true")}, FailOn: "pre_tool",
		Steps: []Step{{"", restart}, {"project", "trust this folder in Mistral Vibe"}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Is("hook_event_name", "pre_tool", "post_tool", "post_agent"), Has("cwd")}},
	Fields:  []Field{{Path: "tool_call_id", Name: "tool_use_id"}},
	Tools: []Tool{
		{"bash", "Shell"}, {"file_system.bash", "Shell"}, {"read_file", "ReadFile"}, {"write_file", "WriteFile"}, {"search_replace", "EditFile"},
		{"grep", "Grep"}, {"todo", "TodoWrite"},
	},
	Keys: []Key{{"path", "file_paths", "Grep"}, {"path", "file_path", ""}, {"file_path", "file_path", ""}},
	Judging: Judging{
		Schema: []Schema{{"*", []Value{
			words("decision", "allow", "deny"), texts("reason", "system_message", "hook_specific_output.additional_context"), objects("hook_specific_output.tool_input"),
		}}},
		NoText: "*", ReplacesInput: true, NoObjection: true,
	},
	Base: Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), JSON("parent_session_id", "null")},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "pre_tool", Means: on(spec.PreToolCall), Harmless: true, Deny: denyTop, Input: Form{Var("hook_specific_output.tool_input", Input)}, Message: vibeMessage,
				Note: "runs before the question for permission, which shows the changed input"},
			{Name: "post_tool", Means: on(spec.PostToolCall), Failed: spec.PostToolCallFailure, Deny: denyTop,
				Context: Form{Var("hook_specific_output.additional_context", Context)}, Output: Form{Set("decision", "deny"), Var("reason", NewOutputText)},
				Message: vibeMessage, Note: "the reason of a block replaces the result"},
			{Name: "post_agent", Means: endOfTurn, Deny: denyTop, Message: vibeMessage, Note: "a block counts three times in a turn"},
		}
	},
	Quirks: []Quirk{
		{1, "every exit status other than 0 is a failure, which lets the tool run, so a block is JSON", "the documentation", "deny"},
		{2, "the changed input is hook_specific_output.tool_input, whole; it grants nothing", "the documentation", "modify"},
		{3, "new runtimes name the command tool file_system.bash", "reports of 2026-11, unconfirmed", "bash"},
	},
}

var (
	vibeMessage = Form{Var("system_message", Message)}
	// It takes neither match nor strict on post_agent.
	vibeEntry = Form{Var("name", EntryName), Var("type", EventName), Var("command", CommandLine), Var("timeout", Seconds)}
)
