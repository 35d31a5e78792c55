package agent

var openHands = Agent{
	Name: "openhands", Title: "OpenHands",
	Version: "2026-11", Date: "2026-11-22", Source: "the OpenHands documentation, hooks",
	Programs: []string{"openhands"},
	Settings: []Settings{
		{Path: "~/.openhands/hooks.json", Layout: &groupedOrTop, Entry: commandEntry}, {Path: ".openhands/hooks.json", Layout: &groupedOrTop, Entry: commandEntry},
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
		{Native: "path", Canonical: "file_path", Tool: "EditFile"}, {Native: "path", Canonical: "file_paths"}, {Native: "file_text", Canonical: "content"},
		{Native: "old_str", Canonical: "old_string"}, {Native: "new_str", Canonical: "new_string"},
	},
	Judging: Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "deny", "block", "approve"), texts("reason")}}}, Also: []Forms{{Deny: blockTop}}},
	Base:    Form{Var("session_id", SessionID), Var("working_dir", WorkDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "pre_tool_use", Also: "PreToolUse", Exit2: true, Deny: denyTop},
			{Name: "post_tool_use", Also: "PostToolUse"},
			{Name: "user_prompt_submit", Also: "UserPromptSubmit", Exit2: true, Deny: denyTop},
			{Name: "session_start", Also: "SessionStart"}, {Name: "session_end", Also: "SessionEnd"},
			{Name: "stop", Also: "Stop", Exit2: true, Deny: denyTop},
		}
	},
	Quirks: []Quirk{
		{1, "events are named in snake case or in Claude Code's way", "reports of 2026-11", "deny-pascal"},
	},
}
