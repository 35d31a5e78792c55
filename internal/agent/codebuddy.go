package agent

import "github.com/agent-hooks/agent-hooks/protocol"

var codeBuddy = Agent{
	Name: "codebuddy", Aliases: []string{"codebuddy-code"}, Title: "CodeBuddy Code",
	Version: "2.117.0", Date: "2026-11-28", Source: "the code of 2.117.0 in @tencent-ai/agent-sdk; docs/hooks.md of 2.161.0, as third parties read it in 2026-10",
	Variables: []string{"CODEBUDDY_PROJECT_DIR"},
	Programs:  []string{"codebuddy"},
	Settings: []Settings{
		{Path: "~/.codebuddy/settings.json", Layout: &grouped, Entry: commandEntry}, {Path: ".codebuddy/settings.json", Layout: &grouped, Entry: commandEntry},
		{Path: ".codebuddy/settings.local.json"},
	},
	Setup: Setup{
		Prompts: &Prompts{},
		Folders: []string{"~/.codebuddy"}, Reviews: true,
		Steps:    []Step{{"", restart}, {"", "review the change in CodeBuddy with /hooks"}},
		Switches: []Switch{{Paths: []string{"~/.codebuddy/settings.json", ".codebuddy/settings.json", ".codebuddy/settings.local.json"}, Keys: []string{"disableAllHooks"}, Bad: true}},
	},
	NameKey: "hook_event_name",
	Fields:  claudeFields,
	Tools:   claudeTools, Keys: claudeKeys,
	Judging:     Judging{Also: claudeAlso, Schema: claudeSchema, AnyStatus: true, Plain: claudePlain},
	settle:      codeBuddyAnswer,
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "default")},
	Environment: Form{Var("CODEBUDDY_PROJECT_DIR", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop, Context: hsoContext},
			{Name: "PreToolUse", Exit2: true, Deny: hsoDeny, Allow: hsoAllow, Input: Form{Grant("hso.permissionDecision", "allow"), Var("hso.updatedInput", Input), Var("hso.modifiedInput", Input)},
				Note: "of several hooks the last permissionDecision counts: another one's allow undoes a deny"},
			{Name: "PostToolUse", Exit2: true, Deny: blockTop},
			{Name: "Stop", Exit2: true, Deny: blockTop},
			{Name: "SubagentStop", Exit2: true, Deny: blockTop},
			{Name: "PreCompact"}, {Name: "Notification"}, {Name: "SubagentStart", Unregistered: true},
			{Name: "PostToolUseFailure", Unregistered: true},
			{Name: "PermissionRequest", Unregistered: true},
			{Name: "PostCompact", Unregistered: true}, {Name: "StopFailure", Unregistered: true}, {Name: "TaskCompleted", Unregistered: true},
		}
	},
	Quirks: []Quirk{
		{1, "permissionDecision counts at every exit status, and decides even at 2; here exit status 2 blocks", "the source of 2.117.0", "deny"},
		{2, "a changed input is sent with an allow, which also grants the call; the code has updatedInput, the documentation modifiedInput, so both are sent", "the code of 2.117.0, docs/hooks.md", "modify-allow"},
	},
}

// codeBuddyAnswer drops an approval that CodeBuddy reads only at exit status 0.
func codeBuddyAnswer(j *judgment, a protocol.Answer) protocol.Answer {
	if j.exit.Status != 0 && a.Decision == protocol.Allow && len(descend([]byte(j.stdout), "hookSpecificOutput.permissionDecision")) == 0 {
		a.Decision, a.Reason = protocol.NoOpinion, ""
	}
	return a
}
