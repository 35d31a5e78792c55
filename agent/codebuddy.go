package agent

import (
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var codeBuddy = Agent{
	Name: "codebuddy", Aliases: []string{"codebuddy-code"}, Title: "CodeBuddy Code",
	Version: "2.117.0", Date: "2026-11-22", Source: "the source of 2.117.0; the documentation of August, which follows Claude Code's",
	Variables: []string{"CODEBUDDY_PROJECT_DIR"},
	Programs:  []string{"codebuddy"},
	Settings: []Settings{
		{Scope: "user", Path: "~/.codebuddy/settings.json", Format: "json", Layout: &grouped, Entry: commandEntry},
		{Scope: "project", Path: ".codebuddy/settings.json", Format: "json", Layout: &grouped, Entry: commandEntry},
		{Scope: "local", Path: ".codebuddy/settings.local.json", Format: "json"},
	},
	Setup: Setup{
		Folders: []string{"~/.codebuddy"}, Reviews: true,
		Steps: []Step{{"", restart}, {"", "review the change in CodeBuddy with /hooks"}},
	},
	NameKey: "hook_event_name",
	Fields:  claudeFields,
	Tools:   claudeTools, Keys: claudeKeys,
	Judging:     Judging{Also: claudeAlso, Schema: claudeSchema, AnyStatus: true, Plain: claudePlain},
	settle:      codeBuddyAnswer,
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "default")},
	Environment: Form{Var("CODEBUDDY_PROJECT_DIR", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}, Forms: Forms{Context: hsoContext}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, Forms: Forms{Deny: blockTop, Context: hsoContext}},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true,
			Forms: Forms{Deny: hsoDeny, Allow: hsoAllow, Input: Form{Grant("hso.permissionDecision", "allow"), Var("hso.updatedInput", Input)}},
			Note:  "of several hooks the last permissionDecision counts: another one's allow undoes a deny"},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}, Exit2: true, Forms: Forms{Deny: blockTop}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true, Forms: Forms{Deny: blockTop}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}, Exit2: true, Forms: Forms{Deny: blockTop}},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification}},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent}, Unregistered: true},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}, Unregistered: true},
		{Name: "PermissionRequest", Spec: []spec.EventType{spec.PermissionRequest}, Unregistered: true},
		{Name: "PostCompact", Spec: []spec.EventType{spec.PostContextCompact}, Unregistered: true},
		{Name: "StopFailure", Spec: []spec.EventType{spec.PostAgentTurn}, Unregistered: true},
		{Name: "TaskCompleted", Spec: []spec.EventType{spec.TaskCompleted}, Unregistered: true},
	},
	Quirks: []Quirk{
		{ID: "Q-codebuddy-1", Text: "permissionDecision counts at every exit status, and decides even at 2; here exit status 2 blocks", Source: "the source of 2.117.0", Fixture: "codebuddy/deny.txt"},
		{ID: "Q-codebuddy-2", Text: "a changed input is sent with an allow, which also grants the call", Source: "the source of 2.117.0", Fixture: "codebuddy/modify-allow.txt"},
	},
}

// codeBuddyAnswer drops an approval that CodeBuddy reads only at exit status 0.
func codeBuddyAnswer(j *judgment, a protocol.Answer) protocol.Answer {
	if j.exit.Status != 0 && a.Decision == protocol.Allow && len(descend([]byte(j.stdout), "hookSpecificOutput.permissionDecision")) == 0 {
		a.Decision, a.Reason = protocol.NoOpinion, ""
	}
	return a
}
