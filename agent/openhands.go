package agent

import "github.com/agent-hooks/agent-hooks/spec"

var openHands = Agent{
	Name: "openhands", Title: "OpenHands",
	Version: "2026-11", Date: "2026-11-22", Source: "the OpenHands documentation, hooks",
	Programs: []string{"openhands"},
	Settings: []Settings{
		{Scope: "user", Path: "~/.openhands/hooks.json", Format: "json", Layout: &groupedOrTop, Entry: commandEntry},
		{Scope: "project", Path: ".openhands/hooks.json", Format: "json", Layout: &groupedOrTop, Entry: commandEntry},
	},
	Setup:   Setup{Folders: []string{"~/.openhands"}, Steps: []Step{{"", restart}}},
	NameKey: "hook_event_name event_type event",
	Fields: []Field{
		{Path: "tool_response", Name: "tool_output"}, {Path: "working_dir", Name: "work_dir"},
	},
	Tools: []Tool{
		{"terminal", "Shell"}, {"file_editor", "EditFile"}, {"str_replace_editor", "EditFile"}, {"grep", "Grep"}, {"glob", "Glob"},
		{"browser_navigate", "FetchURL"}, {"task_tracker", "TodoWrite"}, {"delegate", "Task"},
	},
	Keys: []Key{
		{Native: "command", Canonical: "command", Tool: "Shell"},
		{Native: "path", Canonical: "file_path", Tool: "EditFile"}, {Native: "path", Canonical: "file_paths"},
		{Native: "file_text", Canonical: "content"}, {Native: "old_str", Canonical: "old_string"}, {Native: "new_str", Canonical: "new_string"},
		{Native: "url", Canonical: "url"},
	},
	Judging: Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "deny", "block", "approve"), texts("reason")}}}, Also: []Forms{{Deny: blockTop}}},
	Base:    Form{Var("session_id", SessionID), Var("working_dir", WorkDir)},
	Events: []NativeEvent{
		{Name: "pre_tool_use", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true, Forms: Forms{Deny: denyTop}},
		{Name: "post_tool_use", Spec: []spec.EventType{spec.PostToolCall}},
		{Name: "user_prompt_submit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, Forms: Forms{Deny: denyTop}},
		{Name: "session_start", Spec: []spec.EventType{spec.PreSession}},
		{Name: "session_end", Spec: []spec.EventType{spec.PostSession}},
		{Name: "stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true,
			Forms: Forms{Deny: denyTop}},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true, Unregistered: true, Forms: Forms{Deny: denyTop}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}, Unregistered: true},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, Unregistered: true, Forms: Forms{Deny: denyTop}},
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}, Unregistered: true},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}, Unregistered: true},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true, Unregistered: true,
			Forms: Forms{Deny: denyTop}},
	},
	Quirks: []Quirk{
		{ID: "Q-openhands-1", Text: "events are named in snake case or in Claude Code's way", Source: "reports of 2026-11", Fixture: "openhands/deny-pascal.txt"},
	},
}
