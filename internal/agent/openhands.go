package agent

import "bytes"

var openHands = Agent{
	Name: "openhands", Title: "OpenHands",
	Version: "1.16.0", Date: "2026-11-28", Source: "docs.openhands.dev, hooks; openhands-sdk 1.28.1, as third parties read them in 2026-10",
	Variables: []string{"OPENHANDS_PROJECT_DIR"},
	Programs:  []string{"openhands"},
	Settings: []Settings{
		{Path: "~/.openhands/hooks.json", Layout: &groupedOrTop, Entry: commandEntry}, {Path: ".openhands/hooks.json", Layout: &groupedOrTop, Entry: commandEntry},
	},
	Setup:   Setup{Folders: []string{"~/.openhands"}, Steps: []Step{{"", restart}}, Trust: openHandsHidden},
	NameKey: "hook_event_name event_type event",
	Fields: []Field{
		{Path: "tool_response", Name: "tool_output"}, {Path: "working_dir", Name: "work_dir"}, {Path: "message", Name: "prompt"},
	},
	Tools: []Tool{
		{"terminal", "Shell"}, {"file_editor", "EditFile"}, {"str_replace_editor", "EditFile"}, {"grep", "Grep"}, {"glob", "Glob"},
		{"browser_navigate", "FetchURL"}, {"task_tracker", "TodoWrite"}, {"delegate", "Task"},
	},
	Keys: []Key{
		{"path", "file_path", "EditFile"}, {"path", "file_paths", ""}, {"file_text", "content", ""}, {"old_str", "old_string", ""},
		{"new_str", "new_string", ""},
	},
	Judging:     Judging{Schema: []Schema{{"*", []Value{words("decision", "allow", "deny", "block", "approve"), texts("reason")}}}, Also: []Forms{{Deny: blockTop}, {Deny: stopBare}}},
	Base:        Form{Var("session_id", SessionID), Var("working_dir", WorkDir)},
	Environment: Form{Var("OPENHANDS_PROJECT_DIR", ProjectDir), Var("OPENHANDS_SESSION_ID", SessionID), Var("OPENHANDS_EVENT_TYPE", EventName), Var("OPENHANDS_TOOL_NAME", ToolName)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "pre_tool_use", Also: "PreToolUse", Exit2: true, Deny: denyTop},
			{Name: "post_tool_use", Also: "PostToolUse"},
			{Name: "user_prompt_submit", Also: "UserPromptSubmit", Exit2: true, Deny: denyTop, Context: camelContext},
			{Name: "session_start", Also: "SessionStart"}, {Name: "session_end", Also: "SessionEnd"},
			{Name: "stop", Also: "Stop", Exit2: true, Deny: denyTop},
		}
	},
	Quirks: []Quirk{
		{1, "events are named in snake case or in Claude Code's way", "reports of 2026-11", "deny-pascal"},
		{2, "it reads one file only: that of the project, if there is one, otherwise the user's", "openhands-sdk 1.28.1", "deny"},
	},
}

// openHandsHidden reports a project's file without entries: where it exists, OpenHands does
// not read the user's.
func openHandsHidden(m *Machine, _ []Entry) []Finding {
	const path = ".openhands/hooks.json"
	if text := m.Read(path, ""); text != nil && !bytes.Contains(text, []byte("agent-hooks")) {
		return []Finding{{Level: Broken, Text: "OpenHands reads " + path + " here instead of the user's file, so no hook runs", Fix: "agent-hooks install openhands --scope project"}}
	}
	return nil
}
