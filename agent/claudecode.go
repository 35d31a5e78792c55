package agent

import (
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

var claudeCode = Agent{
	Name: "claude-code", Aliases: []string{"claude"}, Title: "Claude Code",
	Live: true, Version: "2.1.329", Date: "2026-11-22",
	Source:         "code.claude.com/docs/en/hooks; the running client",
	Variables:      []string{"CLAUDE_PROJECT_DIR"},
	OtherVariables: "CLAUDE_PLUGIN_DATA CLAUDE_PLUGIN_OPTION_ CLAUDE_ENV_FILE CLAUDE_EFFORT CLAUDE_CODE_ CLAUDE_PID CLAUDE_HOME CLAUDE_API_KEY CLAUDE_BIN CLAUDE_MODEL",
	Attended:       "CLAUDE_CODE_SESSION_ATTENDED",
	Programs:       []string{"claude"},
	DefaultTimeout: 600 * time.Second,
	Settings: []Settings{
		{Scope: "user", Path: "~/.claude/settings.json", Home: "CLAUDE_CONFIG_DIR", Format: "json", Layout: &grouped, Entry: commandEntry,
			WindowsEntry: Form{Set("type", "command"), Var("command", ProgramPath), Var("args", Arguments), Var("timeout", Seconds)}},
		{Scope: "user", Path: "~/.claude/settings.local.json", Home: "CLAUDE_CONFIG_DIR", Format: "json"},
		{Scope: "project", Path: ".claude/settings.json", Format: "json", Layout: &grouped, Entry: commandEntry},
		{Scope: "local", Path: ".claude/settings.local.json", Format: "json"},
	},
	Setup: Setup{
		Matcher: func(*NativeEvent) Matcher {
			return Matcher{All: []string{"*"}, List: "|, -", Split: "|,"}
		},
		PathVariables: "CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA PLUGIN_ROOT", PluginFiles: []string{".claude-plugin/plugin.json"},
		Folders: []string{"~/.claude"}, Headless: "-p",
		FailClosed: Form{Set("onFailure", "block")}, FailSince: "2.1.295",
		Steps: []Step{{"", restart}, {"", "accept Claude Code's trust dialog in each folder: before that, interactive sessions run no hooks"}},
		Switches: []Switch{
			{Path: "~/.claude/settings.json", Home: "CLAUDE_CONFIG_DIR", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: ".claude/settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: ".claude/settings.local.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: "/etc/claude-code/managed-settings.json", Keys: []string{"allowManagedHooksOnly"}, Bad: true},
			{Path: "/etc/claude-code/managed-settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Path: "/Library/Application Support/ClaudeCode/managed-settings.json", Keys: []string{"allowManagedHooksOnly"}, Bad: true},
			{Path: "/Library/Application Support/ClaudeCode/managed-settings.json", Keys: []string{"disableAllHooks"}, Bad: true},
			{Variable: "CLAUDE_CODE_SIMPLE"},
		},
		Trust: claudeTrust, Plugins: claudePlugins,
	},
	Transcripts: &claudeTranscripts,
	NameKey:     "hook_event_name", Newline: true, Unsent: "timestamp",
	AskModes: []string{"default", "acceptEdits", "plan"},
	Proof: []Evidence{
		{Has("hook_event_name", "session_id", "cwd", "transcript_path", "prompt_id"), Lacks("timestamp", "turn_id", "cursor_version", "hook_execution_id")},
		{Has("hook_event_name", "session_id", "cwd", "transcript_path", "effort"), Lacks("timestamp", "turn_id", "cursor_version")},
	},
	Fields:      claudeFields,
	Tools:       claudeTools,
	Keys:        claudeKeys,
	output:      claudeOutput,
	response:    claudeResponse,
	Judging:     Judging{Also: claudeAlso, Schema: claudeSchema, ReplacesInput: true, AnyStatus: true, Status2Reason: true, NeedsName: true, Plain: claudePlain, Feedback: "Stop SubagentStop"},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "default")},
	Environment: Form{Var("CLAUDE_PROJECT_DIR", ProjectDir), Var("CLAUDE_PLUGIN_ROOT", HookDir), Set("CLAUDECODE", "1"), Var("CLAUDE_CODE_SESSION_ID", SessionID)},
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}, Base: Form{Set("source", "startup")},
			Forms: Forms{Context: hsoContext, Message: systemMessage}},
		{Name: "SessionEnd", Since: "1.0.85", Spec: []spec.EventType{spec.PostSession}, Base: Form{Set("reason", "other")}, MaxTimeout: 60 * time.Second},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true, DefaultTimeout: 30 * time.Second,
			Forms: Forms{Deny: blockTop, Context: hsoContext, Message: systemMessage, Stop: stopTop}},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true, Harmless: true,
			Forms: Forms{
				Deny:    hsoDeny,
				Ask:     hsoAsk,
				Allow:   hsoAllow,
				Input:   hsoInput,
				Context: hsoContext, Message: systemMessage, Stop: stopTop,
			}},
		{Name: "PermissionRequest", Since: "2.0.45", Spec: []spec.EventType{spec.PermissionRequest},
			Forms: Forms{
				Deny: hsoRefuse, Ask: bySilence,
				Allow: hsoPermit, Input: hsoPermitInput,
				Message: systemMessage, Stop: Form{JSON("hso.decision.interrupt", "true")},
			}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}, Exit2: true,
			Forms: Forms{Deny: blockTop, Context: hsoContext, Message: systemMessage,
				Output: Form{Var("hso.updatedToolOutput", NewOutput)}, Stop: stopTop}},
		{Name: "PostToolUseFailure", Since: "2.1.0", Spec: []spec.EventType{spec.PostToolCallFailure},
			Forms: Forms{Deny: hsoFeedback, Context: hsoContext, Message: systemMessage, Stop: stopTop}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true,
			Base:  Form{JSON("stop_hook_active", "false"), Set("last_assistant_message", "")},
			Forms: Forms{Deny: blockTop, Message: systemMessage, Stop: stopTop},
			Note:  "additionalContext is not sent: it would make the model continue"},
		{Name: "StopFailure", Since: "2.1.78", Spec: []spec.EventType{spec.PostAgentTurn}},
		{Name: "SubagentStart", Since: "2.0.43", Spec: []spec.EventType{spec.PreSubagent},
			Forms: Forms{Context: hsoContext, Message: systemMessage}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}, Exit2: true, Base: Form{JSON("stop_hook_active", "false")},
			Forms: Forms{Deny: blockTop, Message: systemMessage, Stop: stopTop}},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact}, Exit2: true, Base: Form{Set("trigger", "auto"), JSON("custom_instructions", "null")},
			Forms: Forms{Deny: blockTop, Message: systemMessage}},
		{Name: "PostCompact", Since: "2.1.76", Spec: []spec.EventType{spec.PostContextCompact}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification},
			Forms: Forms{Context: hsoContext}},
		{Name: "TaskCompleted", Since: "2.1.33", Spec: []spec.EventType{spec.TaskCompleted}, Exit2: true},
		{Name: "PostToolBatch"}, {Name: "UserPromptExpansion"}, {Name: "PreModelSwitch"}, {Name: "PostModelSwitch"},
		{Name: "PermissionDenied"}, {Name: "Setup"}, {Name: "TeammateIdle"}, {Name: "TaskCreated"},
		{Name: "Elicitation"}, {Name: "ElicitationResult"}, {Name: "ConfigChange"}, {Name: "WorktreeCreate"},
		{Name: "WorktreeRemove"}, {Name: "InstructionsLoaded"}, {Name: "CwdChanged"}, {Name: "FileChanged"},
		{Name: "DirectoryAdded"}, {Name: "MessageDisplay"},
	},
	Quirks: []Quirk{
		{ID: "Q-claude-code-1", Text: "updatedInput replaces the whole input; a partial object fails the call, so the full object is sent",
			Source: "the running client", Fixture: "claude-code/modify-allow.txt"},
		{ID: "Q-claude-code-2", Text: "exit status 2 does not block on PermissionRequest; the decision object does",
			Source: "the documentation", Fixture: "claude-code/permission-deny.txt"},
		{ID: "Q-claude-code-3", Text: "a bare continue:false on PreToolUse runs the tool and stops afterwards; a deny is sent with it",
			Source: "the running client", Fixture: "claude-code/deny-stop.txt"},
		{ID: "Q-claude-code-4", Text: "exit status 2 and JSON are never mixed: before 2.1.214 JSON that failed the schema canceled the block",
			Source: "the documentation", Fixture: "claude-code/deny-message.txt"},
		{ID: "Q-claude-code-5", Text: "updatedToolOutput must have the shape of the tool's own result; text replaces a command's stdout",
			Source: "the running client", Fixture: "claude-code/output-text.txt"},
		{ID: "Q-claude-code-6", Text: "additionalContext on Stop and SubagentStop makes the model continue, so a context is not sent there",
			Source: "reports of 2026-11", Fixture: "claude-code/stop-context.txt"},
		{ID: "Q-claude-code-7", Text: "hookSpecificOutput without the event's hookEventName is dropped",
			Source: "the running client", Fixture: "claude-code/ask.txt"},
		{ID: "Q-claude-code-8", Text: "updatedInput without a decision grants nothing: the permission rules decide on the changed input",
			Source: "seen in 2.1.329", Fixture: "claude-code/modify.txt"},
	},
}

// claudeFields are the fields of Claude Code and of the agents that follow it.
var claudeFields = []Field{
	{Path: "tool_response", Name: "tool_output"},
	{Path: "error", Name: "tool_error"},
	{Path: "last_assistant_message", Name: "last_message"},
}

var claudeTools = []Tool{
	{"Bash", "Shell"}, {"PowerShell", "Shell"}, {"Monitor", "Shell"}, {"Read", "ReadFile"}, {"Write", "WriteFile"}, {"Edit", "EditFile"},
	{"MultiEdit", "EditFile"}, {"NotebookEdit", "EditFile"}, {"Glob", "Glob"}, {"Grep", "Grep"}, {"LS", "LS"},
	{"WebFetch", "FetchURL"}, {"WebSearch", "SearchWeb"}, {"Agent", "Task"}, {"Task", "Task"},
	{"TodoWrite", "TodoWrite"}, {"AskUserQuestion", "AskUser"}, {"Skill", "Skill"},
}

var claudeKeys = []Key{
	{Native: "command", Canonical: "command", Tool: "Shell"},
	{Native: "file_path", Canonical: "file_path"}, {Native: "notebook_path", Canonical: "file_path"},
	{Native: "path", Canonical: "file_paths"},
	{Native: "content", Canonical: "content"}, {Native: "new_source", Canonical: "content", Tool: "EditFile"},
	{Native: "old_string", Canonical: "old_string"}, {Native: "new_string", Canonical: "new_string"},
	{Native: "url", Canonical: "url"}, {Native: "query", Canonical: "query"},
}

// claudeTrust checks that the folder is trusted, and reports the installed
// plugins with modules: these run in Claude Code's own process and may answer,
// change or approve a call before or after the hooks see it.
func claudeTrust(m *Machine, _ []Entry) []Finding {
	const home = "CLAUDE_CONFIG_DIR"
	path := "~/.claude.json"
	if m.Replaced(home) {
		path = "~/.claude/.claude.json"
	}
	found := m.trusted(path, home, true, "projects", "", "hasTrustDialogAccepted")
	for _, path := range m.Below("~/.claude/plugins", home, "hooks/hooks.json") {
		if valueAt(m.Decoded(path, ""), "modules") != nil {
			found = append(found, Finding{Text: "the plugin of " + path + " runs modules in Claude Code itself, which can answer or change a call before your hooks see it, and approve what they block"})
		}
	}
	return found
}

// claudePlugins returns the plugins that Claude Code has switched on. Later
// settings replace earlier ones.
func claudePlugins(m *Machine) []Plugin {
	const home = "CLAUDE_CONFIG_DIR"
	on, offBy := map[string]bool{}, map[string]string{}
	for _, path := range []string{"~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"} {
		enabled, _ := valueAt(m.Decoded(path, home), "enabledPlugins").(map[string]any)
		for id, value := range enabled {
			switch on[id] = on[id] || value == true; {
			case value == true:
				offBy[id] = ""
			case on[id]:
				offBy[id] = filepath.Join(m.Project, filepath.FromSlash(path))
			}
		}
	}
	var all []Plugin
	known, _ := valueAt(m.Decoded("~/.claude/plugins/installed_plugins.json", home), "plugins").(map[string]any)
	for _, id := range slices.Sorted(maps.Keys(known)) {
		places, _ := known[id].([]any)
		for _, place := range places {
			dir, _ := valueAt(place, "installPath").(string)
			project, _ := valueAt(place, "projectPath").(string)
			if on[id] && filepath.IsAbs(dir) && (project == "" || project == m.Project) {
				all = append(all, Plugin{id, dir, "claude plugin update " + id, "claude plugin uninstall " + id, offBy[id]})
				break
			}
		}
	}
	return all
}
