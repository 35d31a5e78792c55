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
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}, Native: "hookSpecificOutput.env? env?", Forms: Forms{Context: hsoContext, Message: systemMessage}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true,
			Forms: Forms{
				Deny: blockTop, Prompt: Form{Var("updatedPrompt", Prompt), Var("hso.updatedPrompt", Prompt)},
				Context: Form{Var("contextInjection", Context), Var("hso.contextInjection", Context)}, Message: systemMessage, Stop: stopTop,
			},
			Note: "the document does not say whether updatedPrompt and contextInjection are nested, so that both forms are sent"},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true,
			Forms: Forms{
				Deny:    hsoDeny,
				Ask:     hsoAsk,
				Allow:   hsoAllow,
				Input:   hsoInput,
				Context: hsoContext, Message: systemMessage, Stop: stopTop,
			}},
		{Name: "PermissionRequest", Spec: []spec.EventType{spec.PermissionRequest}, Exit2: true,
			Forms: Forms{
				Deny:    hsoDeny,
				Ask:     hsoAsk,
				Allow:   Form{Set("hso.permissionDecision", "approve"), Var("hso.permissionDecisionReason", Reason)},
				Message: systemMessage, Stop: stopTop,
			}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall},
			Forms: Forms{Deny: hsoFeedback, Context: hsoContext, Output: Form{Var("hso.updatedOutput", NewOutput)},
				Message: systemMessage, Stop: stopTop}},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}, Forms: Forms{Message: systemMessage, Stop: stopTop}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true,
			Forms: Forms{Deny: Form{JSON("hso.continue", "true"), Var("hso.continueReason", Reason)}, Context: hsoContext, Message: systemMessage}},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent}, Forms: Forms{Context: hsoContext, Message: systemMessage}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}, Exit2: true,
			Forms: Forms{Deny: Form{JSON("hso.continue", "false"), Var("hso.continueReason", Reason)}, Context: hsoContext, Message: systemMessage}},
		{Name: "TaskCompleted", Spec: []spec.EventType{spec.TaskCompleted}, Exit2: true,
			Forms: Forms{Deny: Form{JSON("hso.blockCompletion", "true"), Var("hso.blockReason", Reason)}, Message: systemMessage}},
		{Name: "Compaction", Spec: []spec.EventType{spec.PreContextCompact},
			Forms: Forms{Deny: Form{JSON("hso.blockCompaction", "true"), Var("hso.blockReason", Reason)}, Message: systemMessage}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification}, Forms: Forms{Message: systemMessage}},
	},
	Quirks: []Quirk{
		{ID: "Q-blade-1", Text: "continue true blocks a Stop, continue false a SubagentStop", Source: "Blade, Stop and SubagentStop", Fixture: "blade/subagent-stop-deny.txt"},
		{ID: "Q-blade-2", Text: "PermissionRequest says approve where PreToolUse says allow", Source: "Blade, PermissionRequest", Fixture: "blade/permission-allow.txt"},
		{ID: "Q-blade-3", Text: "the overview says that Compaction cannot block; its section has blockCompaction, which is used", Source: "Blade, Compaction", Fixture: "blade/compaction-deny.txt"},
		{ID: "Q-blade-5", Text: "the document does not say whether an event's own fields are nested, so both forms are read; a top-level continue counts as the event's only with continueReason",
			Source: "Blade, Stop and SubagentStop", Fixture: "blade/subagent-stop-deny.txt"},
		{ID: "Q-blade-4", Text: "project_dir names the project", Source: "Blade, common input", Fixture: "blade/deny.txt"},
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
