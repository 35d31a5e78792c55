package agent

import (
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// copilot is the CLI, the cloud agent and VS Code, which read the same files.
// Their payloads differ: the CLI and the cloud agent send camelCase keys
// without the event's name, and VS Code's local harness sends snake_case keys
// with it.
var copilot = Agent{
	Name: "copilot", Aliases: []string{"vscode", "copilot-cli", "copilot-cloud", "github-copilot"}, Title: "GitHub Copilot",
	Live: true, Version: "1.0.102", Date: "2026-11-24",
	Source:         "github/docs hooks-reference; github/copilot-cli changelog; the running CLI; microsoft/vscode-docs hooks, 2026-10 (VS Code was not run)",
	OtherVariables: "COPILOT_MODEL",
	Programs:       []string{"copilot"},
	DefaultTimeout: 30 * time.Second,
	Release:        "$COPILOT_CLI_BINARY_VERSION",
	Settings: []Settings{
		{Path: "~/.copilot/hooks/*.json", Home: "COPILOT_HOME", Layout: &listedOne, Entry: copilotEntry}, {Path: "~/.copilot/settings.json", Home: "COPILOT_HOME"},
		{Path: ".github/hooks/*.json", Layout: &listedOne, Entry: copilotEntry, Cloud: true}, {Path: ".github/copilot/settings.json"},
		{Path: "/etc/github-copilot/policy.d/agent-hooks.json", Layout: &listedOne, Entry: copilotEntry},
		{Path: ".github/copilot/settings.local.json"},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.copilot/session-state", "COPILOT_HOME"}},
		Prompts: &Prompts{},
		Matcher: copilotMatcher,
		Flaws: Flaws{
			File:  Comment | TrailingComma | ByteMark | HooksForm | EventForm,
			Part:  Repeated | UnknownEvent | HandlerForm | UnknownType | NoCommand | NoMember | Timeout | TimeoutZero,
			Types: []string{"command", "prompt", "http"}, Tried: "1.0.102, 2026-11-28",
		},
		Managed: Managed{Ways: []string{"an entry of the user's own can change a call after managed hooks saw it"}},
		Title:   "GitHub Copilot CLI and cloud agent", Folders: []string{"~/.copilot"}, Headless: "-p",
		Steps:    []Step{{"", restart}, {"project", "trust this folder in Copilot CLI"}, copilotElsewhere},
		Switches: []Switch{{Paths: []string{"~/.copilot/settings.json", ".github/copilot/settings.json", ".github/copilot/settings.local.json"}, Home: "COPILOT_HOME", Keys: []string{"disableAllHooks"}, Bad: true}},
		Reads:    []Reading{{Agent: "claude-code", Scope: "project"}},
	},
	Hosts: []Setup{{
		Name: "vscode", Title: "VS Code", Programs: []string{"code", "code-insiders"},
		Folders: []string{"~/.vscode", "~/.config/Code", "~/Library/Application Support/Code", "~/AppData/Roaming/Code"},
		Steps: []Step{
			{"", "keep chat.useHooks on in VS Code's settings"},
			{"project", "trust this workspace in VS Code"},
			copilotElsewhere,
		},
		Switches: []Switch{
			{Paths: []string{"~/.config/Code/User/settings.json", ".vscode/settings.json"}, Keys: []string{"chat.useHooks"}, Bad: false},
			{Paths: []string{"~/.config/Code/User/settings.json", ".vscode/settings.json"}, Keys: []string{"chat.hookFilesLocations", ".github/hooks"}, Bad: false},
			{Paths: []string{"~/.config/Code/User/settings.json", ".vscode/settings.json"}, Keys: []string{"chat.hookFilesLocations", "~/.copilot/hooks"}, Bad: false},
		},
		Reads:     []Reading{{Agent: "claude-code", Setting: "chat.useClaudeHooks"}},
		Harnesses: []string{"claude-code", "codex"},
	}},
	response: copilotResponse,
	AskModes: []string{localHarness},
	classify: copilotMode,
	mcp:      copilotMCP,
	mcpName:  "SERVER-TOOL",
	Nameless: true, NameKey: "hook_event_name hookEventName hookName",
	Proof: []Evidence{
		{Has("sessionId", "timestamp", "toolName"), Lacks("hookEventName", "hookName")},
		{Has("sessionId", "timestamp", "cwd", "prompt"), Lacks("hookEventName", "hookName", "hook_event_name", "workspaceRoots")},
		{Has("sessionId", "timestamp", "cwd", "stopReason"), Lacks("hookEventName", "hookName", "hook_event_name")},
		{Is("hook_event_name", "Stop"), Has("session_id", "timestamp", "cwd", "stop_reason"), Lacks("permission_mode", "turn_id", "cursor_version", "hook_execution_id", "project_root")},
		{Is("hook_event_name", "PreToolUse", "PostToolUse", "PostToolUseFailure"), Has("session_id", "timestamp", "cwd", "tool_name", "tool_input"), Lacks("permission_mode", "turn_id", "cursor_version", "hook_execution_id", "project_root", "event_type")},
		{Has("sessionId", "timestamp"), Is("hookEventName", "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SubagentStart", "SubagentStop", "Stop")},
	},
	Guest: Guest{"claude-code", []Evidence{
		{Is("hookEventName", "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "SubagentStart", "SubagentStop", "Stop")},
		{Has("sessionId", "toolArgs")}, {Has("hook_event_name", "stop_reason")}, {Has("hook_event_name", "tool_result")}, {Has("hook_event_name", "initial_prompt")},
		{Has("hook_event_name", "agent_display_name")}, {Has("hook_event_name"), Contains("transcript_path", ".copilot")},
		{Has("hook_event_name"), Is("tool_name", "run_in_terminal", "runTerminalCommand", "create_file", "createFile", "deleteFile", "replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file", "editFiles", "read_file", "file_search", "grep_search", "list_dir", "fetch_webpage", "runSubagent", "manage_todo_list")},
	}},
	Fields: []Field{
		{Path: "sessionId", Name: "session_id"},
		{Path: "timestamp", Name: "timestamp", Kind: Millis},
		{Path: "toolName", Name: "tool_name"},
		{Path: "toolArgs", Name: "tool_input", Kind: JSONText},
		{Path: "toolResult", Name: "tool_output"}, {Path: "tool_result", Name: "tool_output"}, {Path: "tool_response", Name: "tool_output"},
		{Path: "error", Name: "tool_error", Kind: Error},
		{Path: "initialPrompt", Name: "prompt", On: "sessionStart"}, {Path: "source", Name: "source", Kind: Startup},
		{Path: "transcriptPath", Name: "transcript_path"},
		{Path: "stopReason", Name: "reason", On: "agentStop"}, {Path: "stop_reason", Name: "reason", On: "Stop"},
		{Path: "response", Name: "last_message"}, {Path: "last_assistant_message", Name: "last_message"},
		{Path: "agentType", Name: "agent_type"}, {Path: "agentName", Name: "agent_type"}, {Path: "agentId", Name: "agent_id"},
	},
	Tools: copilotTools,
	Keys:  copilotKeys,
	Judging: Judging{
		Also: []Forms{
			{Deny: copilotDeny, Ask: Form{Set("permissionDecision", "ask"), Var("permissionDecisionReason", Reason)}, Input: Form{Var("updatedInput", Input)}},
			{Deny: hsoDeny, Ask: hsoAsk, Allow: hsoAllow}, {Deny: blockTop}, {Stop: stopBare},
			{Deny: Form{Set("hso.decision", "block"), Var("hso.reason", Reason)}}, {Deny: hsoRefuse, Allow: hsoPermit},
			{Deny: Form{Set("behavior", "deny"), Var("message", Reason)}, Allow: Form{Set("behavior", "allow")}},
		},
		Schema:  []Schema{{"*", []Value{words("permissionDecision", "allow", "deny", "ask"), texts("permissionDecisionReason"), objects("modifiedArgs", "updatedInput"), words("behavior", "allow", "deny"), words("decision", "block", "approve", "allow", "deny"), texts("reason"), bools("continue"), texts("additionalContext", "modifiedPrompt", "responseContent"), bools("handled"), words("hso.permissionDecision", "allow", "deny", "ask"), {Paths: []string{"hso.decision"}, Words: []string{"block"}, Object: true}}}},
		Status2: "preToolUse permissionRequest PreToolUse UserPromptSubmit PostToolUse Stop SubagentStop",
		Closed:  "preToolUse",
	},
	Base:        Form{Var("timestamp", UnixMillis), Var("cwd", WorkDir), Var("sessionId", SessionID)},
	Environment: Form{Set("COPILOT_CLI", "1"), Var("CLAUDE_PROJECT_DIR", ProjectDir), Var("PLUGIN_ROOT", HookDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "sessionStart", Base: Form{Set("source", "startup")}, Context: camelContext},
			{Name: "sessionEnd", Note: "with -p it fires after each turn"},
			{Name: "userPromptSubmitted", Means: on(spec.PreAgentTurn), Deny: Form{JSON("handled", "true"), Var("responseContent", Reason)},
				Prompt: Form{Var("modifiedPrompt", Prompt)}, Context: camelContext, Note: "before 1.0.76, its output is dropped; the cloud agent was not tried"},
			{Name: "preToolUse", Deny: copilotDeny, Allow: Form{Set("permissionDecision", "allow"), Var("permissionDecisionReason", Reason)},
				Input: Form{Var("modifiedArgs", Input)}, Context: camelContext,
				Note: "ask is a deny in the cloud agent and was not seen to wait in the CLI, so it is sent as a deny"},
			{Name: "postToolUse", Deny: camelFeedback, Context: camelContext,
				Output: Form{Set("modifiedResult.resultType", "success"), Var("modifiedResult.textResultForLlm", NewOutputText)}},
			{Name: "postToolUseFailure", Deny: camelFeedback, Context: camelContext},
			{Name: "agentStop", Means: endOfTurn, Base: Form{Set("stopReason", "end_turn"), JSON("stop_hook_active", "false")}, Deny: blockTop},
			{Name: "errorOccurred", Means: on(spec.PostAgentTurn), NotImported: "its payload cannot be distinguished from that of agentStop"},
			{Name: "subagentStart", Context: camelContext, Note: "not fired for the general-purpose agent"},
			{Name: "subagentStop", Deny: blockTop},
			{Name: "preCompact"},
			{Name: "permissionRequest", Deny: Form{Set("behavior", "deny"), Var("message", Reason)}, Ask: bySilence, Allow: Form{Set("behavior", "allow")},
				Stop: Form{JSON("interrupt", "true")}},
			{Name: "notification", Context: camelContext},
			{Name: "userPromptTransformed"}, {Name: "preMcpToolCall"}, {Name: "postResult"}, {Name: "prePRDescription"},
			// Names of VS Code's local harness.
			{Name: "SessionStart", Unregistered: true, Context: hsoContext, Message: systemMessage},
			{Name: "UserPromptSubmit", Unregistered: true, Deny: stopTop, Message: systemMessage, Stop: stopTop},
			{Name: "PreToolUse", Unregistered: true,
				Deny: Form{Set("hso.permissionDecision", "deny"), Var("hso.permissionDecisionReason", Reason), Set("permissionDecision", "deny"), Var("permissionDecisionReason", Reason)},
				Ask:  hsoAsk, Allow: hsoAllow, Input: hsoInput, Context: hsoContext, Message: systemMessage, Stop: stopTop},
			{Name: "PostToolUse", Unregistered: true, Deny: blockTop, Context: hsoContext, Message: systemMessage},
			{Name: "PostToolUseFailure", Unregistered: true, Deny: hsoFeedback, Context: hsoContext},
			{Name: "Stop", Unregistered: true, Deny: Form{Set("hso.decision", "block"), Var("hso.reason", Reason), Set("decision", "block"), Var("reason", Reason)},
				Message: systemMessage},
			{Name: "SubagentStart", Unregistered: true, Context: hsoContext},
			{Name: "SubagentStop", Unregistered: true, Deny: blockTop},
			{Name: "PreCompact", Unregistered: true, Message: systemMessage},
			{Name: "SessionEnd", Unregistered: true},
			{Name: "PermissionRequest", Unregistered: true,
				Deny: Form{Set("hso.decision.behavior", "deny"), Var("hso.decision.message", Reason), Set("behavior", "deny"), Var("message", Reason)}, Ask: bySilence,
				Allow: Form{Set("hso.decision.behavior", "allow"), Set("behavior", "allow")}, Stop: Form{JSON("interrupt", "true")}},
			{Name: "Notification", Unregistered: true, Context: camelContext},
			{Name: "ErrorOccurred", Means: on(spec.PostAgentTurn), Unregistered: true},
		}
	},
	Quirks: []Quirk{
		{1, "preToolUse fails closed: any status but 0 denies, so that every answer is JSON at status 0", "the documentation", "deny"},
		{2, "camelCase payloads do not name their event; the command line does", "the documentation", "deny"},
		{3, "toolArgs is a string of JSON, or an object; scripts get the string", "the documentation", "args-string"},
		{4, "VS Code's local harness reads the same files, ignores the matchers of Claude Code's, and calls with its own payload and answers; its payloads with hookEventName take an ask", "the documentation", "vscode-deny"},
		{5, "VS Code reads a nested block of a stop, the CLI one at the top level, so both are sent", "the documentation", "vscode-stop"},
		{6, "userPromptSubmitted ignores exit status 2; handled answers in place of the model, which does not read the prompt", "seen in 1.0.102", "prompt-deny"},
		{7, "entries of .claude/settings.json get snake_case keys, often with no key that only Copilot sends, and exit status 2 does not block a stop there: with a timestamp, which Claude Code does not send, the block is JSON",
			"the documentation", "pascal-stop"},
	},
}

var (
	copilotDeny = Form{Set("permissionDecision", "deny"), Var("permissionDecisionReason", Reason)}
)

var copilotTools = []Tool{
	{"bash", "Shell"}, {"powershell", "Shell"}, {"write_bash", "Shell"}, {"write_powershell", "Shell"}, {"view", "ReadFile"}, {"create", "WriteFile"}, {"edit", "EditFile"},
	{"str_replace_editor", "EditFile"}, {"str_replace", "EditFile"}, {"apply_patch", "EditFile"}, {"glob", "Glob"}, {"grep", "Grep"}, {"rg", "Grep"},
	{"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"task", "Task"}, {"ask_user", "AskUser"}, {"update_todo", "TodoWrite"}, {"skill", "Skill"},
	{"run_in_terminal", "Shell"}, {"runTerminalCommand", "Shell"}, {"create_file", "WriteFile"}, {"createFile", "WriteFile"}, {"deleteFile", "Delete"}, {"replace_string_in_file", "EditFile"},
	{"multi_replace_string_in_file", "EditFile"}, {"insert_edit_into_file", "EditFile"}, {"editFiles", "EditFile"}, {"read_file", "ReadFile"},
	{"file_search", "Glob"}, {"grep_search", "Grep"}, {"list_dir", "LS"}, {"fetch_webpage", "FetchURL"}, {"runSubagent", "Task"},
	{"manage_todo_list", "TodoWrite"},
	{"Bash", "Shell"}, {"Read", "ReadFile"}, {"Write", "WriteFile"}, {"Edit", "EditFile"}, {"Glob", "Glob"}, {"Grep", "Grep"},
	{"WebFetch", "FetchURL"}, {"WebSearch", "SearchWeb"}, {"Agent", "Task"}, {"AskUserQuestion", "AskUser"}, {"TodoWrite", "TodoWrite"},
}

var copilotKeys = []Key{
	{"command", "command", "Shell"}, {"input", "command", "Shell"}, {"path", "file_path", "ReadFile WriteFile EditFile"},
	{"filePath", "file_path", ""}, {"file_path", "file_path", ""}, {"path", "file_paths", ""}, {"files", "file_paths", ""},
	{"replacements", "file_paths", ""}, {"file_text", "content", ""}, {"content", "content", ""}, {"code", "content", "EditFile"},
	{"old_str", "old_string", ""}, {"oldString", "old_string", ""}, {"old_string", "old_string", ""}, {"new_str", "new_string", ""},
	{"newString", "new_string", ""}, {"new_string", "new_string", ""}, {"url", "url", ""}, {"urls", "url", ""},
}

// localHarness is the mode of a call by VS Code's local harness, which asks a person. The
// CLI, which was not seen to wait, sends no hookEventName.
const localHarness = "local"

func copilotMode(c *Call) {
	if c.Has("hookEventName") {
		c.Mode = localHarness
	}
}

// copilotMCP parses SERVER-TOOL. Both names may contain hyphens. If the part
// after the last hyphen contains underscores, it is the tool; otherwise the
// server's name ends at the first hyphen.
func copilotMCP(name string, _ *Call) string {
	i := strings.LastIndexByte(name, '-')
	if i >= 0 && !strings.Contains(name[i:], "_") {
		i = strings.IndexByte(name, '-')
	}
	if i <= 0 || i == len(name)-1 {
		return ""
	}
	return "mcp__" + name[:i] + "__" + name[i+1:]
}

var copilotEntry = Form{Set("type", "command"), Var("bash", ShellLine), Var("powershell", PowerShellLine), Var("timeoutSec", Seconds)}

var copilotElsewhere = Step{"project", "on machines without agent-hooks its hooks do not run: install it there, the cloud agent's setup steps included"}

// copilotMatcher is Claude Code's if the settings spell the event as it does.
func copilotMatcher(row *NativeEvent) Matcher {
	m := Matcher{All: []string{"*", "**"}, Whole: true}
	if isUpper(row.Name) {
		m.List, m.Split = "|, -", "|"
	}
	return m
}

// copilotResponse converts a result to the shape of Copilot's results.
func copilotResponse(_ *builder, value []byte) []byte {
	return objectOf([]member{{"resultType", []byte(`"success"`)}, {"textResultForLlm", rawjson.AppendText(nil, outputText(value))}})
}
