package agent

import (
	"time"
)

var qwenCode = Agent{
	Name: "qwen-code", Aliases: []string{"qwen"}, Title: "Qwen Code",
	Live: true, Version: "0.24.4", Date: "2026-11-22",
	Source:    "the documentation in @qwen-code/qwen-code; the running client",
	Variables: []string{"QWEN_PROJECT_DIR"}, Programs: []string{"qwen"},
	OtherVariables: "QWEN_CODE_ QWEN_HOME",
	// Values of 1000 and above are read as milliseconds; in old builds all
	// values are.
	TimeoutUnit: time.Millisecond,
	Settings: []Settings{
		{Path: "~/.qwen/settings.json", Layout: &grouped, Entry: qwenEntry}, {Path: ".qwen/settings.json", Layout: &grouped, Entry: qwenEntry},
		{Path: "/etc/qwen-code/settings.json", Moved: "QWEN_CODE_SYSTEM_SETTINGS_PATH", Layout: &groupedOn, Entry: qwenEntry},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.qwen/projects", ""}},
		Prompts: &Prompts{Prompt: 30 * time.Second},
		Matcher: func(*NativeEvent) Matcher {
			return Matcher{All: []string{"*"}, List: "|-", Split: "|", Portable: true}
		},
		SecondsBelow: 1000, PluginFiles: []string{"qwen-extension.json"},
		Plugins: func(m *Machine) []Plugin { return extensions(m, "~/.qwen/extensions", "qwen") },
		Folders: []string{"~/.qwen"}, Headless: "-p", Windows: CmdExe,
		Flaws: Flaws{
			File:  TrailingComma | HooksForm,
			Event: MatcherForm,
			Part:  Repeated | UnknownEvent | EventForm | GroupForm | NoGroup | HooksOfGroup | HandlerForm | NoType | UnknownType | NoCommand | NoMember,
			Types: []string{"command", "prompt", "http", "function"}, Tried: "0.24.4, 2026-11-28",
		},
		Managed:  Managed{Ways: []string{"QWEN_CODE_SYSTEM_SETTINGS_PATH names another file, also in ~/.qwen/.env", "qwen --bare and --safe-mode run no hooks"}},
		Steps:    []Step{{"", restart}, {"project", "trust this folder in Qwen Code"}},
		Switches: []Switch{{Paths: []string{"~/.qwen/settings.json", ".qwen/settings.json", "/etc/qwen-code/settings.json"}, Keys: []string{"disableAllHooks"}, Bad: true}},
	},
	Release:  "$QWEN_CODE_STARTUP_VERSION",
	NameKey:  "hook_event_name",
	AskModes: []string{"default", "plan", "auto_edit"},
	Proof: []Evidence{
		{Has("hook_event_name", "session_id", "transcript_path", "timestamp", "permission_mode"), Lacks("hook_execution_id", "turn_id", "cursor_version")},
		{Has("hook_event_name", "session_id", "submitted_prompt")},
	},
	Fields: claudeFields,
	Tools: []Tool{
		{"run_shell_command", "Shell"}, {"exec", "Shell"}, {"monitor", "Shell"}, {"read_file", "ReadFile"}, {"write_file", "WriteFile"},
		{"edit", "EditFile"}, {"notebook_edit", "EditFile"}, {"glob", "Glob"}, {"grep_search", "Grep"},
		{"list_directory", "LS"}, {"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"agent", "Task"}, {"task", "Task"},
		{"todo_write", "TodoWrite"}, {"ask_user_question", "AskUser"}, {"skill", "Skill"},
	},
	Keys: []Key{
		{"file_path", "file_path", ""}, {"absolute_path", "file_path", ""}, {"notebook_path", "file_path", ""}, {"path", "file_paths", ""},
		{"paths", "file_paths", ""}, {"content", "content", ""}, {"new_source", "content", "EditFile"},
	},
	Judging: Judging{
		Also:        []Forms{{Deny: denyTop}, {Deny: blockTop}, {Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow}, {Deny: stopTop, Context: hsoContext, Message: systemMessage}, {Stop: stopBare}},
		Schema:      []Schema{{"*", []Value{words("decision", "ask", "block", "deny", "approve", "allow"), texts("reason"), bools("continue"), texts("stopReason", "systemMessage"), words("hso.permissionDecision", "allow", "deny", "ask"), texts("hso.permissionDecisionReason", "hso.additionalContext"), words("hso.decision.behavior", "allow", "deny")}}},
		NeedsReason: true, AnyStatus: true, Plain: claudePlain, PlainMessage: true,
	},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Var("timestamp", Timestamp), Set("permission_mode", "default")},
	Environment: Form{Var("QWEN_PROJECT_DIR", ProjectDir), Var("GEMINI_PROJECT_DIR", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Context: hsoContext, Message: systemMessage},
			{Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage, Stop: stopTop,
				Note: "fires again for tool results and continuations; those are not pre-agent-turn"},
			{Name: "PreToolUse", Exit2: true, Deny: hsoDeny, Ask: hsoAsk, Message: systemMessage, Stop: stopTop,
				Note: "a changed input is possible on PermissionRequest only; here it becomes a deny that shows it"},
			{Name: "PermissionRequest", Deny: hsoRefuse, Ask: bySilence, Allow: hsoPermit, Input: hsoPermitInput, Message: systemMessage},
			{Name: "PostToolUse", Deny: stopTop, Context: hsoContext, Message: systemMessage, Output: Form{JSON("continue", "false"), Var("stopReason", NewOutputText)},
				Stop: stopTop, Note: "a block never reaches the model; continue:false puts its reason in place of the result"},
			{Name: "PostToolUseFailure", Deny: hsoFeedback, Context: hsoContext, Message: systemMessage},
			{Name: "Stop", Exit2: true, Deny: blockTop, Message: systemMessage, Stop: stopTop},
			{Name: "StopFailure"},
			{Name: "SubagentStart", Context: hsoContext, Message: systemMessage},
			{Name: "SubagentStop", Exit2: true, Deny: blockTop, Message: systemMessage, Stop: stopTop},
			{Name: "PreCompact", Message: systemMessage},
			{Name: "PostCompact"}, {Name: "Notification"}, {Name: "PostToolBatch"}, {Name: "UserPromptExpansion"}, {Name: "SessionDelete"}, {Name: "MessageDisplay"},
			{Name: "PermissionDenied"}, {Name: "TodoCreated"}, {Name: "TodoCompleted"}, {Name: "InstructionsLoaded"}, {Name: "QueryEnd"}, {Name: "ConfigChange"},
			{Name: "TeammateIdle"}, {Name: "CwdChanged"}, {Name: "FileChanged"}, {Name: "WorktreeCreate"}, {Name: "WorktreeRemove"}, {Name: "Setup"},
			{Name: "TaskCreated"}, {Name: "TaskCompleted", Means: none},
		}
	},
	Quirks: []Quirk{
		{1, "PreToolUse ignores updatedInput, so a changed input is a deny that shows it", "the running client, reports of 2026-11", "modify"},
		{2, "PreToolUse additionalContext does not reach the model and is not sent", "the running client", "context"},
		{3, "PostToolUse ignores decision and exit status 2; continue:false replaces the result with stopReason", "the running client", "post-deny"},
		{4, "hookSpecificOutput.tool_input would make later hooks see an input that the tool does not get, so it is never sent", "reports of 2026-11", "modify-allow"},
		{5, "PermissionRequest can change the input, and grants the call with it", "reports of 2026-11", "permission-modify"},
		{6, "permissionDecision needs a reason", "the documentation", "ask"},
	},
}

// Values of 1000 and above are milliseconds in every version.
var qwenEntry = Form{Set("type", "command"), Set("name", "agent-hooks"), Var("command", CommandLine), Var("timeout", Milliseconds)}

// qwenFresh is the key of a prompt that comes from a person: Qwen Code also fires the
// prompt event for continuations (D30).
const qwenFresh = "submitted_prompt"
