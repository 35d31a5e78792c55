package agent

import (
	"errors"
	"time"
)

var qoder = Agent{
	Name: "qoder", Title: "Qoder",
	Version: "1.1.52", Date: "2026-11-28", Source: "the code of @qoder-ai/qodercli, its skill hook-config, docs.qoder.com/cli/hooks-reference, and extensions/hooks for the IDE, as third parties read it in 2026-10",
	Programs:       []string{"qodercli", "qoder"},
	Variables:      []string{"QODER_PROJECT_DIR"},
	OtherVariables: "QODER_HOOK_ QODER_CONFIG_DIR",
	DefaultTimeout: 600 * time.Second,
	Settings: []Settings{
		{Path: "~/.qoder/settings.json", Home: "QODER_CONFIG_DIR", Layout: &grouped, Entry: commandEntry}, {Path: ".qoder/settings.json", Layout: &grouped, Entry: commandEntry},
		{Path: ".qoder/settings.local.json"},
	},
	Setup: Setup{
		Prompts:  &Prompts{Prompt: 30 * time.Second, Agent: 60 * time.Second},
		Folders:  []string{"~/.qoder"},
		Steps:    []Step{{"", restart}, {"", "trust each folder in Qoder: before that, interactive sessions run no hooks"}},
		Switches: []Switch{{Paths: []string{"~/.qoder/settings.json", ".qoder/settings.json", ".qoder/settings.local.json"}, Home: "QODER_CONFIG_DIR", Keys: []string{"disableAllHooks"}, Bad: true}},
	},
	NameKey:  "hook_event_name",
	AskModes: []string{"default"},
	Fields:   claudeFields,
	Tools:    qoderTools,
	Keys:     claudeKeys,
	Judging: Judging{
		Also: []Forms{{Deny: denyTop, Allow: Form{Set("decision", "allow"), Var("reason", Reason)}}, {Deny: blockTop, Allow: Form{Set("decision", "approve"), Var("reason", Reason)}}, {Stop: stopBare}},
		Schema: []Schema{
			{"*", []Value{
				words("decision", "block", "approve", "deny", "allow"), texts("reason"), bools("continue"), texts("stopReason", "systemMessage"), bools("suppressOutput"),
				texts("hso.additionalContext", "hso.permissionDecisionReason"), words("hso.decision.behavior", "allow", "deny"), texts("hso.decision.message"),
			}},
			{"PreToolUse", []Value{words("hso.permissionDecision", "allow", "deny", "ask", "defer"), objects("hso.updatedInput")}},
		},
		ReplacesInput: true, NeedsName: true, Strict: "PreToolUse", TextPasses: true, Plain: "SessionStart UserPromptSubmit PreCompact", reject: qoderReject,
	},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "default")},
	Environment: Form{Var("QODER_PROJECT_DIR", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir), Var("QODER_PLUGIN_ROOT", HookDir), Var("CLAUDE_PLUGIN_ROOT", HookDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext, Message: systemMessage},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "PreToolUse", Exit2: true, Harmless: true, Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow, Input: hsoInput, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "PermissionRequest", Deny: hsoRefuse, Ask: bySilence, Allow: hsoPermit, Input: hsoPermitInput, Stop: Form{JSON("hso.decision.interrupt", "true")}},
			{Name: "PostToolUse", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage, Output: Form{Var("hso.updatedToolOutput", NewOutput)}, Stop: stopTop},
			{Name: "PostToolUseFailure", Deny: hsoFeedback, Context: hsoContext, Message: systemMessage},
			{Name: "Stop", Exit2: true, Deny: blockTop, Message: systemMessage, Stop: stopTop},
			{Name: "StopFailure"},
			{Name: "SubagentStart", Context: hsoContext},
			{Name: "SubagentStop", Exit2: true, Deny: blockTop, Message: systemMessage, Stop: stopTop},
			{Name: "PreCompact", Exit2: true, Deny: blockTop, Context: hsoContext, Note: "context becomes part of the instructions for the summary"},
			{Name: "PostCompact"}, {Name: "Notification"}, {Name: "TaskCompleted", Exit2: true},
			{Name: "Setup"}, {Name: "ConfigChange"}, {Name: "TeammateIdle"}, {Name: "InstructionsLoaded"}, {Name: "CwdChanged"}, {Name: "FileChanged"}, {Name: "WorktreeCreate"},
			{Name: "WorktreeRemove"}, {Name: "Elicitation"}, {Name: "ElicitationResult"}, {Name: "TaskCreated"}, {Name: "PermissionDenied"},
		}
	},
	Quirks: []Quirk{
		{1, "updatedInput replaces the whole input, and grants nothing", "its code", "modify"},
		{2, "on PreToolUse, an answer that its schema rejects is a deny, also for a hookSpecificOutput without hookEventName; text is an allow", "its code", "deny"},
		{3, "in the mode yolo, an ask is an allow, so it is sent only in the mode default", "its code", "ask"},
	},
}

// qoderReject rejects hookSpecificOutput without an event's name.
func qoderReject(r *formReader) error {
	specific := lookup(latest(r.object), "hookSpecificOutput")
	if isObject(specific) && lookup(latest(specific), "hookEventName") == nil {
		return errors.New("hookSpecificOutput without hookEventName is rejected")
	}
	return nil
}

// qoderTools are the tools of the CLI, followed by the IDE's own names.
var qoderTools = []Tool{
	{"Bash", "Shell"}, {"PowerShell", "Shell"}, {"Monitor", "Shell"}, {"Read", "ReadFile"}, {"Write", "WriteFile"}, {"Edit", "EditFile"},
	{"MultiEdit", "EditFile"}, {"NotebookEdit", "EditFile"}, {"Glob", "Glob"}, {"Grep", "Grep"}, {"LS", "LS"},
	{"WebFetch", "FetchURL"}, {"WebSearch", "SearchWeb"}, {"Agent", "Task"}, {"Task", "Task"},
	{"TodoWrite", "TodoWrite"}, {"AskUserQuestion", "AskUser"}, {"Skill", "Skill"},
	{"run_in_terminal", "Shell"}, {"read_file", "ReadFile"}, {"create_file", "WriteFile"}, {"search_replace", "EditFile"}, {"grep_code", "Grep"},
	{"search_file", "Glob"}, {"list_dir", "LS"}, {"search_web", "SearchWeb"}, {"fetch_content", "FetchURL"}, {"todo_write", "TodoWrite"},
}
