package agent

import "github.com/agent-hooks/agent-hooks/spec"

var qoder = Agent{
	Name: "qoder", Title: "Qoder",
	Version: "2026-11", Date: "2026-11-22", Source: "the Qoder documentation, which follows Claude Code's format",
	Programs: []string{"qodercli", "qoder"},
	Settings: []Settings{
		{Scope: "user", Path: "~/.qoder/settings.json", Format: "json", Layout: &grouped, Entry: commandEntry},
		{Scope: "project", Path: ".qoder/settings.json", Format: "json", Layout: &grouped, Entry: commandEntry},
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
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}, Forms: Forms{Context: hsoContext}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, Forms: Forms{Context: hsoContext}},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}, Exit2: true},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}, Exit2: true},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification}},
	},
	Quirks: []Quirk{
		{ID: "Q-qoder-1", Text: "exit status 2 is the only documented block", Source: "reports of 2026-11", Fixture: "qoder/deny.txt"},
	},
}
