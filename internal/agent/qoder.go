package agent

var qoder = Agent{
	Name: "qoder", Title: "Qoder",
	Version: "2026-11", Date: "2026-11-22", Source: "the Qoder documentation, which follows Claude Code's format",
	Programs: []string{"qodercli", "qoder"},
	Settings: []Settings{
		{Path: "~/.qoder/settings.json", Layout: &grouped, Entry: commandEntry}, {Path: ".qoder/settings.json", Layout: &grouped, Entry: commandEntry},
	},
	Setup: Setup{
		Matcher: barMatcher,
		Folders: []string{"~/.qoder"}, Windows: CmdExe, Steps: []Step{{"", restart}},
	},
	NameKey: "hook_event_name",
	Fields:  claudeFields,
	Tools:   claudeTools, Keys: claudeKeys,
	Judging:     Judging{Also: claudeAlso, Schema: claudeSchema, Plain: claudePlain},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "default")},
	Environment: Form{Var("QODER_SESSION_ID", SessionID), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Context: hsoContext},
			{Name: "PreToolUse", Exit2: true},
			{Name: "PostToolUse", Exit2: true},
			{Name: "PostToolUseFailure"},
			{Name: "Stop", Exit2: true},
			{Name: "SubagentStart"},
			{Name: "SubagentStop", Exit2: true},
			{Name: "PreCompact"}, {Name: "Notification"},
		}
	},
	Quirks: []Quirk{
		{1, "exit status 2 is the only documented block", "reports of 2026-11", "deny"},
	},
}
