package agent

import "time"

var goose = Agent{
	Name: "goose", Title: "Goose",
	Version: "2026-11", Date: "2026-11-22", Source: "aaif-goose/goose crates/goose/src/hooks",
	Programs:       []string{"goose"},
	PlainShell:     true,
	DefaultTimeout: 30 * time.Second,
	// It ignores a plugin without a manifest.
	Settings: []Settings{
		{Path: "~/.agents/plugins/*/plugin.json", Text: gooseManifest},
		{Path: "~/.agents/plugins/*/hooks/hooks.json", Layout: &grouped, Entry: Form{Set("type", "command"), Var("command", ShellLine), Var("timeout", Seconds)}},
		{Path: ".agents/plugins/*/plugin.json", Text: gooseManifest},
		{Path: ".agents/plugins/*/hooks/hooks.json", Layout: &grouped, Entry: Form{Set("type", "command"), Var("command", ShellLine), Var("timeout", Seconds)}},
	},
	Setup: Setup{
		Matcher: func(*NativeEvent) Matcher { return Matcher{} }, PluginFiles: []string{"plugin.json"},
		Folders:    []string{"~/.config/goose"},
		FailClosed: Form{Set("on_failure", "block")}, FailOn: "PreToolUse",
		Steps: []Step{{"", restart}},
	},
	NameKey: "event",
	Proof:   []Evidence{{Has("event", "session_id", "matcher_context")}},
	Fields: []Field{
		{Path: "working_dir", Name: "work_dir"},
		{Path: "tool_call_id", Name: "tool_use_id"},
		{Path: "message", Name: "prompt"},
		{Path: "last_assistant_message", Name: "last_message"},
	},
	Tools: []Tool{
		{"developer__shell", "Shell"}, {"shell", "Shell"}, {"developer__write", "WriteFile"}, {"write", "WriteFile"},
		{"developer__text_editor", "EditFile"}, {"developer__edit", "EditFile"}, {"edit", "EditFile"}, {"developer__tree", "LS"}, {"tree", "LS"},
		{"developer__analyze", "Grep"}, {"developer__read_image", "ReadFile"}, {"read_image", "ReadFile"},
	},
	Keys: []Key{
		{"path", "file_paths", "LS"}, {"path", "file_path", ""}, {"source", "file_path", "ReadFile"}, {"file_path", "file_path", ""},
		{"content", "content", ""}, {"file_text", "content", ""}, {"before", "old_string", ""}, {"old_str", "old_string", ""},
		{"after", "new_string", ""}, {"new_str", "new_string", ""},
	},
	mcp:         clineMCP,
	Judging:     Judging{NoText: "PreToolUse Stop", reject: gooseReject, AnyStatus: true, NoObjection: true},
	Base:        Form{Var("session_id", SessionID), Var("working_dir", WorkDir)},
	Environment: Form{Var("PLUGIN_ROOT", HookDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Message: Form{Var("banner", Message)}},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Subject: "prompt", Note: "cannot block"},
			{Name: "PreToolUse", Exit2: true, Deny: blockTop, Allow: Form{Set("decision", "allow")}},
			{Name: "PostToolUse"}, {Name: "PostToolUseFailure"},
			{Name: "Stop", Exit2: true, Deny: blockTop},
			{Name: "PreToolUseResult"}, {Name: "BeforeReadFile"}, {Name: "AfterFileEdit"}, {Name: "BeforeShellExecution"}, {Name: "AfterShellExecution"},
		}
	},
	Quirks: []Quirk{
		{1, "silence is an empty stdout: {} is a failure of the hook", "the documentation", "none"},
	},
}

const gooseManifest = "{\n  \"name\": \"agent-hooks\",\n  \"version\": \"1.0.0\",\n  \"description\": \"Runs the hooks of .agents/hooks\"\n}\n"

// gooseReject rejects an answer without a known key on events that can block.
func gooseReject(r *formReader) error {
	r.read()
	if !r.found && r.row.Exit2 {
		return r.unread()
	}
	return nil
}
