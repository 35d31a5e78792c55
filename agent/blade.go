package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// blade is the Blade agent SDK. Its hooks are part of the host's code, so there
// is nothing to install.
var blade = Agent{
	Name: "blade", Title: "Blade",
	Version: "2026", Date: "2026-11-22", Source: "the Blade SDK documentation, Hooks",
	TimeoutUnit: time.Second, MaxTimeout: 600 * time.Second,
	PlainShell: true,
	NameKey:    "hook_event_name",
	AskModes:   []string{"*"},
	Proof:      []string{"hook_event_name hook_execution_id project_dir"},
	Fields: []Field{
		{Path: "user_prompt", Name: "prompt"},
		{Path: "final_response", Name: "last_message"},
		{Path: "stop_reason", Name: "reason"},
		{Path: "error", Name: "tool_error"},
	},
	Tools: claudeTools, Keys: claudeKeys,
	Judging: Judging{
		Schema: []Schema{{"*", "permissionDecision=allow|approve|deny|ask hso.permissionDecision=allow|approve|deny|ask decision=block|approve|allow|deny" +
			" reason=$text continue=$bool hso.continue=$bool hso.blockCompletion=$bool hso.blockCompaction=$bool"}},
		Also: []Forms{
			{Deny: blockTop, Allow: "hso.permissionDecision=allow hso.permissionDecisionReason=$reason"},
			{Deny: "permissionDecision=deny permissionDecisionReason=$reason", Ask: "permissionDecision=ask permissionDecisionReason=$reason",
				Allow: "permissionDecision=allow permissionDecisionReason=$reason", Input: "updatedInput=$input", Context: "additionalContext=$context",
				Output: "updatedOutput=$output"},
			{Prompt: "updatedPrompt=$prompt", Context: "contextInjection=$context"}, {Prompt: "hso.updatedPrompt=$prompt", Context: "hso.contextInjection=$context"},
			{Deny: "blockCompletion=true blockReason=$reason"}, {Deny: "blockCompaction=true blockReason=$reason"}, {Stop: "continue=false"},
		},
	},
	settle:    bladeAnswer,
	InProject: true,
	Base:      "session_id=$session_id hook_execution_id=agent-hooks timestamp=$timestamp project_dir=$project permission_mode=default cwd=$cwd",
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}, Native: "hookSpecificOutput.env? env?", Forms: Forms{Context: "hso.additionalContext=$context", Message: "systemMessage=$message"}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true,
			Forms: Forms{
				Deny: blockTop, Prompt: "updatedPrompt=$prompt hso.updatedPrompt=$prompt",
				Context: "contextInjection=$context hso.contextInjection=$context", Message: "systemMessage=$message", Stop: stopTop,
			},
			Note: "the document does not say whether updatedPrompt and contextInjection are nested, so that both forms are sent"},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true,
			Forms: Forms{
				Deny:    "hso.permissionDecision=deny hso.permissionDecisionReason=$reason",
				Ask:     "hso.permissionDecision=ask hso.permissionDecisionReason=$reason",
				Allow:   "hso.permissionDecision=allow hso.permissionDecisionReason=$reason",
				Input:   "hso.updatedInput=$input",
				Context: "hso.additionalContext=$context", Message: "systemMessage=$message", Stop: stopTop,
			}},
		{Name: "PermissionRequest", Spec: []spec.EventType{spec.PermissionRequest}, Exit2: true,
			Forms: Forms{
				Deny:    "hso.permissionDecision=deny hso.permissionDecisionReason=$reason",
				Ask:     "hso.permissionDecision=ask hso.permissionDecisionReason=$reason",
				Allow:   "hso.permissionDecision=approve hso.permissionDecisionReason=$reason",
				Message: "systemMessage=$message", Stop: stopTop,
			}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall},
			Forms: Forms{Deny: "hso.additionalContext=$reason", Context: "hso.additionalContext=$context", Output: "hso.updatedOutput=$output",
				Message: "systemMessage=$message", Stop: stopTop}},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}, Forms: Forms{Message: "systemMessage=$message", Stop: stopTop}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true,
			Forms: Forms{Deny: "hso.continue=true hso.continueReason=$reason", Context: "hso.additionalContext=$context", Message: "systemMessage=$message"}},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent}, Forms: Forms{Context: "hso.additionalContext=$context", Message: "systemMessage=$message"}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}, Exit2: true,
			Forms: Forms{Deny: "hso.continue=false hso.continueReason=$reason", Context: "hso.additionalContext=$context", Message: "systemMessage=$message"}},
		{Name: "TaskCompleted", Spec: []spec.EventType{spec.TaskCompleted}, Exit2: true,
			Forms: Forms{Deny: "hso.blockCompletion=true hso.blockReason=$reason", Message: "systemMessage=$message"}},
		{Name: "Compaction", Spec: []spec.EventType{spec.PreContextCompact},
			Forms: Forms{Deny: "hso.blockCompaction=true hso.blockReason=$reason", Message: "systemMessage=$message"}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification}, Forms: Forms{Message: "systemMessage=$message"}},
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
