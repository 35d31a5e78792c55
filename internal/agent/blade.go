package agent

import (
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// blade is the Blade agent SDK. Its hooks are part of the host's code, so there
// is nothing to install.
var blade = Agent{
	Name: "blade", Title: "Blade",
	Version: "2026", Date: "2026-11-22", Source: "the Blade SDK documentation, Hooks",
	PlainShell: true,
	Setup: Setup{
		Prompts: &Prompts{},
		Snippet: "add this to the hooks of createSession, once per event: { matcher: '*', hooks: [{ type: 'command', command: %s, timeout: 600 }] }",
	},
	NameKey:  "hook_event_name",
	AskModes: []string{"*"},
	Proof:    []Evidence{{Has("hook_event_name", "hook_execution_id", "project_dir")}},
	Fields: []Field{
		{Path: "user_prompt", Name: "prompt"},
		{Path: "final_response", Name: "last_message"},
		{Path: "stop_reason", Name: "reason"},
		{Path: "error", Name: "tool_error"},
	},
	Tools: claudeTools, Keys: claudeKeys,
	Judging: Judging{
		Schema: []Schema{{"*", []Value{words("permissionDecision", "allow", "approve", "deny", "ask"), words("hso.permissionDecision", "allow", "approve", "deny", "ask"), words("decision", "block", "approve", "allow", "deny"), texts("reason"), bools("continue", "hso.continue", "hso.blockCompletion", "hso.blockCompaction")}}},
		Also: []Forms{
			{Deny: blockTop, Allow: hsoAllow},
			{Deny: Form{Set("permissionDecision", "deny"), Var("permissionDecisionReason", Reason)}, Ask: Form{Set("permissionDecision", "ask"), Var("permissionDecisionReason", Reason)},
				Allow: Form{Set("permissionDecision", "allow"), Var("permissionDecisionReason", Reason)}, Input: Form{Var("updatedInput", Input)}, Context: Form{Var("additionalContext", Context)},
				Output: Form{Var("updatedOutput", NewOutput)}},
			{Prompt: Form{Var("updatedPrompt", Prompt)}, Context: Form{Var("contextInjection", Context)}}, {Prompt: Form{Var("hso.updatedPrompt", Prompt)}, Context: Form{Var("hso.contextInjection", Context)}},
			{Deny: Form{JSON("blockCompletion", "true"), Var("blockReason", Reason)}}, {Deny: Form{JSON("blockCompaction", "true"), Var("blockReason", Reason)}}, {Stop: stopBare},
		},
	},
	settle:    bladeAnswer,
	InProject: true,
	Base:      Form{Var("session_id", SessionID), Set("hook_execution_id", "agent-hooks"), Var("timestamp", Timestamp), Var("project_dir", ProjectDir), Set("permission_mode", "default"), Var("cwd", WorkDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Native: "hookSpecificOutput.env? env?", Context: hsoContext, Message: systemMessage},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop, Prompt: Form{Var("updatedPrompt", Prompt), Var("hso.updatedPrompt", Prompt)},
				Context: Form{Var("contextInjection", Context), Var("hso.contextInjection", Context)}, Message: systemMessage, Stop: stopTop,
				Note: "the document does not say whether updatedPrompt and contextInjection are nested, so that both forms are sent"},
			{Name: "PreToolUse", Exit2: true, Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow, Input: hsoInput, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "PermissionRequest", Exit2: true, Deny: hsoDeny, Ask: hsoAsk,
				Allow: Form{Set("hso.permissionDecision", "approve"), Var("hso.permissionDecisionReason", Reason)}, Message: systemMessage, Stop: stopTop},
			{Name: "PostToolUse", Deny: hsoFeedback, Context: hsoContext, Output: Form{Var("hso.updatedOutput", NewOutput)}, Message: systemMessage, Stop: stopTop},
			{Name: "PostToolUseFailure", Message: systemMessage, Stop: stopTop},
			{Name: "Stop", Exit2: true, Deny: Form{JSON("hso.continue", "true"), Var("hso.continueReason", Reason)}, Context: hsoContext, Message: systemMessage},
			{Name: "SubagentStart", Context: hsoContext, Message: systemMessage},
			{Name: "SubagentStop", Exit2: true, Deny: Form{JSON("hso.continue", "false"), Var("hso.continueReason", Reason)}, Context: hsoContext,
				Message: systemMessage},
			{Name: "TaskCompleted", Exit2: true, Deny: Form{JSON("hso.blockCompletion", "true"), Var("hso.blockReason", Reason)}, Message: systemMessage},
			{Name: "Compaction", Means: on(spec.PreContextCompact), Deny: Form{JSON("hso.blockCompaction", "true"), Var("hso.blockReason", Reason)},
				Message: systemMessage},
			{Name: "Notification", Message: systemMessage},
		}
	},
	Quirks: []Quirk{
		{1, "continue true blocks a Stop, continue false a SubagentStop", "Blade, Stop and SubagentStop", "subagent-stop-deny"},
		{2, "PermissionRequest says approve where PreToolUse says allow", "Blade, PermissionRequest", "permission-allow"},
		{3, "the overview says that Compaction cannot block; its section has blockCompaction, which is used", "Blade, Compaction", "compaction-deny"},
		{5, "the document does not say whether an event's own fields are nested, so both forms are read; a top-level continue counts as the event's only with continueReason",
			"Blade, Stop and SubagentStop", "subagent-stop-deny"},
		{4, "project_dir names the project", "Blade, common input", "deny"},
	},
}

// bladeAnswer reads the event's own continue where it is not nested: with a
// continueReason, which distinguishes it from the continue of every answer. It
// also reads an approval that is not nested.
func bladeAnswer(j *judgment, a protocol.Answer) protocol.Answer {
	blocks := map[string]string{"Stop": "true", "SubagentStop": "false"}[j.row.Name]
	object := []byte(j.stdout)
	if said := descend(object, "permissionDecision"); len(said) == 1 && isLiteral(said[0], "approve") && j.row.Name == "PermissionRequest" && a.Decision == protocol.NoOpinion {
		a.Decision = protocol.Allow
	}
	for _, value := range descend(object, "continue") {
		for _, reason := range descend(object, "continueReason") {
			if text, isText := rawjson.Text(reason); isText && string(value) == blocks && a.Decision != protocol.Deny {
				a.Decision, a.Reason, a.Stop = protocol.Deny, text, false
			}
		}
	}
	return a
}
