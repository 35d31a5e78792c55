package agent

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var claudeCode = Agent{
	Name: "claude-code", Aliases: []string{"claude"}, Title: "Claude Code",
	Live: true, Version: "2.1.332", Date: "2026-11-28",
	Source:         "code.claude.com/docs/en/hooks; the running client",
	Bash:           []string{"windows"}, // Git Bash; elsewhere the user's shell
	Variables:      []string{"CLAUDE_PROJECT_DIR"},
	OtherVariables: "CLAUDE_PLUGIN_DATA CLAUDE_PLUGIN_OPTION_ CLAUDE_ENV_FILE CLAUDE_EFFORT CLAUDE_CODE_ CLAUDE_PID CLAUDE_HOME CLAUDE_API_KEY CLAUDE_BIN CLAUDE_MODEL",
	Programs:       []string{"claude"},
	DefaultTimeout: 600 * time.Second,
	Settings: []Settings{
		{Path: "~/.claude/settings.json", Home: "CLAUDE_CONFIG_DIR", Layout: &grouped, Entry: commandEntry,
			WindowsEntry: Form{Set("type", "command"), Var("command", ProgramPath), Var("args", Arguments), Var("timeout", Seconds)}},
		{Path: "~/.claude/settings.local.json", Home: "CLAUDE_CONFIG_DIR"}, {Path: ".claude/settings.json", Layout: &grouped, Entry: commandEntry},
		{Path: "/etc/claude-code/managed-settings.d/agent-hooks.json",
			Over:   "~/.claude/remote-settings.json",
			Layout: &grouped, Entry: Form{Set("type", "command"), Var("command", ProgramPath), Var("args", Arguments), Var("timeout", Seconds)}},
		{Path: ".claude/settings.local.json"},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.claude/projects", "CLAUDE_CONFIG_DIR"}},
		Prompts: &Prompts{Prompt: 30 * time.Second, Agent: 60 * time.Second},
		Matcher: func(*NativeEvent) Matcher {
			return Matcher{All: []string{"*"}, List: "|, -", Split: "|,"}
		},
		PathVariables: "CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT CLAUDE_PLUGIN_DATA PLUGIN_ROOT", PluginFiles: []string{".claude-plugin/plugin.json"},
		Folders: []string{"~/.claude"}, Headless: "-p",
		Flaws: Flaws{
			File: Comment | TrailingComma | HooksForm | GroupForm | NoGroup | HooksOfGroup | MatcherForm | MatcherNull | HandlerForm |
				NoType | UnknownType | NoCommand | NoMember | Timeout | TimeoutZero,
			Part:  Repeated | UnknownEvent | EventForm,
			Types: []string{"command", "prompt", "agent", "http", "mcp_tool"}, Tried: "2.1.332, 2026-11-28",
		},
		FailClosed: Form{Set("onFailure", "block")}, FailSince: "2.1.295",
		MCPFailure: `without "onFailure": "block" each failure of it lets the call run, and a repository's .mcp.json may replace its server`,
		Managed: Managed{
			Lock: "allowManagedHooksOnly", LockIn: []string{"/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.d/*.json"},
			Ways: []string{"managed settings from a server may replace the file", "without the lock, an entry of the user's own can change a call after managed hooks saw it"},
		},
		Steps: []Step{{"", restart}, {"", "accept Claude Code's trust dialog in each folder: before that, interactive sessions run no hooks"}},
		Switches: []Switch{
			{Paths: []string{"~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"}, Home: "CLAUDE_CONFIG_DIR", Keys: []string{"disableAllHooks"}, Bad: true},
			{Paths: []string{"/etc/claude-code/managed-settings.json"}, Keys: []string{"allowManagedHooksOnly"}, Bad: true},
			{Paths: []string{"/etc/claude-code/managed-settings.json"}, Keys: []string{"disableAllHooks"}, Bad: true},
			{Variable: "CLAUDE_CODE_SIMPLE"},
			{Paths: []string{"~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"}, Home: "CLAUDE_CONFIG_DIR",
				Keys: []string{"env", "CLAUDE_CODE_EXPERIMENTAL_CODE_MODE"}, Bad: "1", Variable: "CLAUDE_CODE_EXPERIMENTAL_CODE_MODE",
				Says: "in Code Mode, the model's code calls tools; by Claude Code's documentation hooks run for each call, but their timeouts and failures act differently there, and nobody has tried it"},
		},
		Trust: claudeTrust, Plugins: claudePlugins,
	},
	Release: "$AI_AGENT",
	NameKey: "hook_event_name", Blocks: BlockStopsByForm,
	AskModes: []string{"default", "acceptEdits", "plan"},
	Proof: []Evidence{
		{Has("hook_event_name", "session_id", "cwd", "transcript_path", "prompt_id"), Lacks("timestamp", "turn_id", "cursor_version", "hook_execution_id")},
		{Has("hook_event_name", "session_id", "cwd", "transcript_path", "effort"), Lacks("timestamp", "turn_id", "cursor_version")},
	},
	Fields:      claudeFields,
	Tools:       claudeTools,
	Keys:        claudeKeys,
	settle:      claudeAnswer,
	output:      claudeOutput,
	response:    claudeResponse,
	Judging:     Judging{Also: claudeAlso, Schema: claudeSchema, ReplacesInput: true, AnyStatus: true, Status2Reason: true, NeedsName: true, Plain: claudePlain + " PreCompact PostModelSwitch"},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Set("permission_mode", "default")},
	Environment: Form{Var("CLAUDE_PROJECT_DIR", ProjectDir), Var("CLAUDE_PLUGIN_ROOT", HookDir), Set("CLAUDECODE", "1"), Var("CLAUDE_CODE_SESSION_ID", SessionID)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Base: Form{Set("source", "startup")}, Context: hsoContext, Message: systemMessage},
			{Name: "SessionEnd", Since: "1.0.85", Base: Form{Set("reason", "other")}, MaxTimeout: 60 * time.Second, DefaultTimeout: 1500 * time.Millisecond,
				Note: "an entry without a timeout gets 1.5 s"},
			{Name: "UserPromptSubmit", Exit2: true, DefaultTimeout: 30 * time.Second, Deny: blockTop, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "PreToolUse", Exit2: true, Harmless: true, Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow, Input: hsoInput, Context: hsoContext, Message: systemMessage,
				Stop: stopTop},
			{Name: "PermissionRequest", Since: "2.0.45", Deny: hsoRefuse, Ask: bySilence, Allow: hsoPermit, Input: hsoPermitInput, Message: systemMessage,
				Stop: Form{JSON("hso.decision.interrupt", "true")}},
			{Name: "PostToolUse", Exit2: true, Deny: blockTop, Context: hsoContext, Message: systemMessage, Output: Form{Var("hso.updatedToolOutput", NewOutput)},
				Stop: stopTop},
			{Name: "PostToolUseFailure", Since: "2.1.0", Deny: hsoFeedback, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "Stop", Exit2: true, Base: Form{JSON("stop_hook_active", "false"), Set("last_assistant_message", "")}, Deny: blockTop, Message: systemMessage,
				Stop: stopTop, Note: "additionalContext is not sent: it would make the model continue"},
			{Name: "StopFailure", Since: "2.1.78"},
			{Name: "SubagentStart", Since: "2.0.43", Context: hsoContext, Message: systemMessage},
			{Name: "SubagentStop", Exit2: true, Base: Form{JSON("stop_hook_active", "false")}, Deny: blockTop, Message: systemMessage, Stop: stopTop},
			{Name: "PreCompact", Exit2: true, Base: Form{Set("trigger", "auto"), JSON("custom_instructions", "null")}, Deny: blockTop, Context: plainContext, Message: systemMessage},
			{Name: "PostCompact", Since: "2.1.76"},
			{Name: "Notification", Context: hsoContext},
			{Name: "TaskCompleted", Since: "2.1.33", Exit2: true},
			{Name: "PreSkillShellCommand", Since: "2.1.332", Means: on(spec.PreToolCall), Exit2: true, Deny: hsoDeny, Message: systemMessage, Stop: stopTop,
				Note: "a command in the text of a skill or a slash command, which no PreToolUse precedes; an ask refuses it"},
			{Name: "PostToolBatch", Exit2: true}, {Name: "UserPromptExpansion", Exit2: true}, {Name: "PreModelSwitch", Exit2: true}, {Name: "TaskCreated", Exit2: true},
			{Name: "TeammateIdle", Exit2: true}, {Name: "Elicitation", Exit2: true}, {Name: "ElicitationResult", Exit2: true}, {Name: "ConfigChange", Exit2: true},
			{Name: "WorktreeCreate", Exit2: true}, {Name: "WorktreeRemove"}, {Name: "PostModelSwitch"}, {Name: "PermissionDenied"}, {Name: "Setup"},
			{Name: "InstructionsLoaded"}, {Name: "CwdChanged"}, {Name: "FileChanged"}, {Name: "DirectoryAdded"}, {Name: "MessageDisplay"},
		}
	},
	Quirks: []Quirk{
		{1, "updatedInput replaces the whole input; a partial object fails the call, so the full object is sent", "the running client", "modify-allow"},
		{2, "exit status 2 does not block on PermissionRequest; the decision object does", "the documentation", "permission-deny"},
		{3, "a bare continue:false on PreToolUse runs the tool and stops afterwards; a deny is sent with it", "the running client", "deny-stop"},
		{4, "exit status 2 and JSON are never mixed: before 2.1.214 JSON that failed the schema canceled the block", "the documentation", "deny-message"},
		{5, "updatedToolOutput must have the shape of the tool's own result; text replaces a command's stdout", "the running client", "output-text"},
		{6, "additionalContext on Stop and SubagentStop makes the model continue, so a context is not sent there", "reports of 2026-11", "stop-context"},
		{7, "hookSpecificOutput without the event's hookEventName is dropped", "the running client", "ask"},
		{9, "exit status 2 puts the entry's command line before the reason, so a stop is blocked by the form; the model then reads the reason twice", "seen in 2.1.329", "stop-deny"},
		{8, "updatedInput without a decision grants nothing: the permission rules decide on the changed input", "seen in 2.1.329", "modify"},
		{10, "in its automatic mode a deny blocks, an allow permits what its classifier refuses, an ask is refused without a terminal, and a changed input goes to the classifier", "seen in 2.1.330", "allow"},
		{12, "commands in the text of a skill or a slash command reach PreSkillShellCommand only: without it, a guard of PreToolUse does not see them", "seen in 2.1.332", "skill-command"},
		{11, "on PreCompact the whole stdout, also JSON, becomes instructions for the summary, so a context is sent as text and without a message", "seen in 2.1.330", "compact-context"},
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
	{"file_path", "file_path", ""}, {"notebook_path", "file_path", ""}, {"path", "file_paths", ""}, {"content", "content", ""},
	{"new_source", "content", "EditFile"},
}

// claudeAnswer reads context at the end of a turn, which keeps Claude Code working,
// as a block.
func claudeAnswer(j *judgment, a protocol.Answer) protocol.Answer {
	if j.on("Stop SubagentStop") {
		r := formReader{judgment: j, object: []byte(j.stdout)}
		r.take(&a, Forms{Deny: hsoFeedback})
	}
	return a
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
	if m.Read("/etc/claude-code/managed-settings.json", "") != nil || len(m.Below("/etc/claude-code/managed-settings.d", "", ".json")) > 0 {
		return found // with managed settings, Claude Code lets no module come between a call and its hooks (seen in 2.1.332)
	}
	for _, path := range m.Below("~/.claude/plugins", home, "hooks/hooks.json") {
		if valueAt(m.Decoded(path, ""), "modules") == nil {
			continue
		}
		if events := claudeModEvents(m, filepath.Dir(filepath.Dir(path))); events != "" {
			found = append(found, Finding{Level: Warning, Text: "the plugin of " + path + " runs modules in Claude Code itself that handle " + events + ": they can answer a call before your hooks see it, and approve what they block"})
		}
	}
	return found
}

// claudeModEvents returns the events of a plugin's modules with which they can keep a hook's decision
// from having an effect; "tool calls" if that cannot be determined.
func claudeModEvents(m *Machine, plugin string) string {
	var text []byte
	for _, name := range []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"} {
		for _, file := range m.Below(plugin, "", name) {
			text = append(text, m.Read(file, "")...)
		}
	}
	var events []string
	for _, event := range []string{"tool.call", "tool.check", "tool.judge", "tool.run", "classic.PreToolUse", "classic.PermissionRequest", "classic.*", "tool.*", "*"} {
		for _, quote := range []string{`"`, "'", "`"} {
			if bytes.Contains(text, []byte(quote+event+quote)) {
				events = append(events, event)
				break
			}
		}
	}
	if len(text) == 0 {
		return "tool calls"
	}
	return strings.Join(events, ", ")
}

// claudePlugins returns the plugins that Claude Code has switched on. Later
// settings replace earlier ones.
func claudePlugins(m *Machine) []Plugin {
	const home = "CLAUDE_CONFIG_DIR"
	on, offBy := map[string]bool{}, map[string]string{}
	for _, path := range []string{"~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"} {
		enabled, _ := valueAt(m.Decoded(path, home), "enabledPlugins").(map[string]any)
		for id, value := range enabled {
			on[id] = on[id] || value == true
			switch {
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

// claudeResponse converts another agent's result to the shape of Claude Code's
// results, so that a script finds .stdout and .filePath.
func claudeResponse(b *builder, value []byte) []byte {
	if result := latest(value); lookup(result, "stdout") != nil || lookup(result, "filePath") != nil {
		return value
	}
	tool, _ := rawjson.Text(lookup(b.members, "tool_name"))
	switch tool {
	case "Shell":
		return objectOf([]member{
			{"stdout", rawjson.AppendText(nil, outputText(value))}, {"stderr", []byte(`""`)},
			{"interrupted", []byte("false")}, {"isImage", []byte("false")},
		})
	case "WriteFile", "EditFile":
		if path := lookup(latest(lookup(b.members, "tool_input")), "file_path"); path != nil {
			return objectOf([]member{{"filePath", b.absolute(path)}, {"success", []byte("true")}})
		}
	}
	return value
}

// claudeOutput converts an output to the shape of the tool's own result: an
// object with at least the same keys. Text replaces the standard output of a
// command.
func claudeOutput(c *Call, value []byte) ([]byte, error) {
	own, _ := c.canonical("tool_output")
	_, text := rawjson.Text(value)
	switch {
	case len(own) > 0 && own[0][0] == '[' && text:
		return withText(nil, value), nil
	case len(own) == 0 || !isObject(own[0]):
		return value, nil
	}
	original := latest(own[0])
	if isObject(value) {
		given := valuesOf(latest(value))
		for _, m := range original {
			if given[m.key] == nil {
				return nil, fmt.Errorf("bad answer: updated_output lacks the key %q of the tool's result", clip(m.key))
			}
		}
		return value, nil
	}
	if fitted := resultText(own[0], value); text && isObject(fitted) {
		return fitted, nil
	}
	return nil, fmt.Errorf("bad answer: updated_output does not have the shape of the tool's result, an object")
}

// The forms of Claude Code that agents following it also read.
var claudeAlso = []Forms{
	{Deny: blockTop, Allow: Form{Set("decision", "approve"), Var("reason", Reason)}},
	{Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow},
	{Deny: hsoRefuse, Allow: hsoPermit, Input: hsoPermitInput},
	{Input: hsoInput, Context: hsoContext, Message: systemMessage, Stop: stopTop},
	{Stop: stopBare},
}

const claudePlain = "SessionStart UserPromptSubmit UserPromptExpansion"

// The schemas of Claude Code and of the agents that follow it.
var claudeSchema = []Schema{
	{"*", []Value{
		words("decision", "block", "approve"), texts("reason"), bools("continue"), texts("stopReason", "systemMessage"), bools("suppressOutput"),
		texts("hso.additionalContext", "hso.permissionDecisionReason"), words("hso.decision.behavior", "allow", "deny"), texts("hso.decision.message"),
	}},
	{"PreToolUse", []Value{words("hso.permissionDecision", "allow", "deny", "ask", "defer")}},
}

// claudeAttended is "0" in the environment of hooks if nobody watches the session, so
// that messages to the user are lost.
const claudeAttended = "CLAUDE_CODE_SESSION_ATTENDED"
