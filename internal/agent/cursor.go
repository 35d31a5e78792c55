package agent

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

var cursor = Agent{
	Name: "cursor", Title: "Cursor",
	Version: "3.9.16", Date: "2026-11-22",
	Source:         "cursor.com/docs/hooks; captures of 3.9.16 and cursor-agent 2026.09.10 by third parties",
	Variables:      []string{"CURSOR_PROJECT_DIR"},
	OtherVariables: "CURSOR_USER_EMAIL CURSOR_TRANSCRIPT_PATH CURSOR_CODE_REMOTE CURSOR_API_KEY",
	Programs:       []string{"cursor-agent", "cursor"},
	Settings: []Settings{
		{Path: "~/.cursor/hooks.json", Layout: &listedOne, Entry: Form{Var("command", CommandLine), Var("timeout", Seconds)}},
		{Path: ".cursor/hooks.json", Layout: &listedOne, Entry: Form{Var("command", CommandLine), Var("timeout", Seconds)}, Cloud: true},
		{Path: "/etc/cursor/hooks.json", Layout: &listedOne, Entry: Form{Var("command", CommandLine), Var("timeout", Seconds)}},
	},
	Setup: Setup{
		Prompts: &Prompts{},
		RunsIn:  cursorFolder,
		Folders: []string{"~/.cursor"}, Headless: "-p", Windows: PowerShell,
		FailClosed: Form{JSON("failClosed", "true")},
		Flaws:      Flaws{File: CommandURL | UnknownEvent},
		Steps:      []Step{{"project", "trust this workspace in Cursor"}},
	},
	Release: "cursor_version",
	NameKey: "hook_event_name", AskModes: []string{"*"},
	Proof: []Evidence{{Has("cursor_version", "hook_event_name")}, {Has("conversation_id", "generation_id", "hook_event_name")}},
	Guest: Guest{"claude-code", []Evidence{{Has("hook_event_name", "cursor_version")}, {Has("hook_event_name", "conversation_id")}}},
	Fields: []Field{
		{Path: "conversation_id", Name: "session_id"},
		{Path: "tool_input", Name: "tool_input", Kind: Object},
		{Path: "tool_output", Name: "tool_output", Kind: JSONText},
		{Path: "result_json", Name: "tool_output", Kind: JSONText, On: "afterMCPExecution"},
		{Path: "output", Name: "tool_output", On: "afterShellExecution"},
		{Path: "error_message", Name: "tool_error"},
		{Path: "generation_id", Name: "turn_id"},
		{Path: "subagent_type", Name: "agent_type"},
		{Path: "subagent_id", Name: "agent_id"},
		{Path: "summary", Name: "last_message", On: "subagentStop SubagentStop"},
		{Path: "status", Name: "reason", On: "stop subagentStop Stop SubagentStop"},
		{Path: "loop_count", Name: "stop_hook_active", Kind: Positive},
	},
	Tools: []Tool{
		{"Shell", "Shell"}, {"run_terminal_cmd", "Shell"}, {"Read", "ReadFile"}, {"TabRead", "ReadFile"}, {"Write", "WriteFile"}, {"TabWrite", "WriteFile"},
		{"Write", "EditFile"}, {"Edit", "EditFile"}, {"StrReplace", "EditFile"}, {"Glob", "Glob"}, {"Grep", "Grep"}, {"WebFetch", "FetchURL"},
		{"WebSearch", "SearchWeb"}, {"Task", "Task"}, {"Delete", "Delete"},
	},
	Keys: []Key{
		{"file_path", "file_path", ""}, {"target_file", "file_path", ""}, {"path", "file_path", "ReadFile WriteFile EditFile Delete"},
		{"path", "file_paths", ""}, {"content", "content", ""}, {"contents", "content", ""}, {"query", "query", ""}, {"search_term", "query", ""},
	},
	mcp:      cursorMCP,
	spread:   cursorTool,
	mcpName:  "MCP:TOOL",
	output:   cursorOutput,
	response: cursorResponse,
	Judging: Judging{
		Also: []Forms{{Deny: cursorDeny, Context: cursorContext}, {Ask: Form{Set("permission", "ask"), Var("user_message", Reason)}, Stop: stopBare},
			{Deny: Form{Set("permission", "deny"), Var("userMessage", Reason), Var("agentMessage", Reason)}, Ask: Form{Set("permission", "ask"), Var("userMessage", Reason)}}},
		Status2: "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead subagentStart beforeSubmitPrompt PreToolUse UserPromptSubmit",
		Schema: []Schema{
			{"*", []Value{words("permission", "allow", "deny", "ask"), texts("user_message", "agent_message"), objects("updated_input"), bools("continue"), texts("additional_context", "followup_message")}},
			{"beforeReadFile beforeTabFileRead subagentStart", []Value{words("permission", "allow", "deny")}},
		},
		Strict:      "preToolUse beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead subagentStart PreToolUse",
		NoObjection: true,
	},
	InProject:   true,
	Base:        Form{Var("conversation_id", SessionID), Var("session_id", SessionID), Var("generation_id", TurnID), Var("model", Model), Set("cursor_version", "3.9.16"), Var("workspace_roots.0", ProjectDir), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir)},
	Environment: Form{Var("CURSOR_PROJECT_DIR", ProjectDir), Set("CURSOR_VERSION", "3.9.16"), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			// Entries of .claude/settings.json use Claude Code's names.
			{Name: "sessionStart", Also: "SessionStart", Since: "2.4", Context: cursorContext, Note: "not fired by cloud agents, as sessionEnd"},
			{Name: "sessionEnd", Also: "SessionEnd", Since: "2.4"},
			{Name: "beforeSubmitPrompt", Also: "UserPromptSubmit", Means: on(spec.PreAgentTurn), Deny: Form{JSON("continue", "false"), Var("user_message", Reason)},
				Note: "not fired by `cursor-agent -p`"},
			{Name: "preToolUse", Also: "PreToolUse", Since: "2.4", Instead: "beforeShellExecution beforeMCPExecution beforeReadFile", Deny: cursorDeny, Allow: cursorAllow,
				Input: Form{Var("updated_input", Input)}, Note: "ask is accepted by Cursor but not enforced, so it is sent as a deny; a changed input was not seen without an allow"},
			{Name: "postToolUse", Also: "PostToolUse", Since: "2.4", Instead: "afterShellExecution afterMCPExecution afterFileEdit", Deny: snakeFeedback,
				Context: cursorContext, Output: Form{Var("updated_mcp_tool_output", NewOutput)}, Note: "only the output of MCP tools can be replaced"},
			{Name: "postToolUseFailure", Since: "2.4", Note: "also fires after a deny"},
			{Name: "subagentStart", Since: "2.4", Deny: cursorDeny, Allow: cursorAllow},
			{Name: "subagentStop", Also: "SubagentStop", Since: "2.4", Base: cursorStop, Deny: Form{Var("followup_message", Reason)},
				Note: "a block counts only if the status is completed, and five times (`loop_limit`)"},
			{Name: "preCompact", Also: "PreCompact", Since: "2.4", Message: Form{Var("user_message", Message)}},
			{Name: "stop", Also: "Stop", Base: cursorStop, Deny: Form{Var("followup_message", Reason)}, Note: "not fired by `cursor-agent -p`; a block counts five times (`loop_limit`)"},
			// Each of these events fires for the same call as a generic event
			// above.
			{Name: "beforeShellExecution", Means: on(spec.PreToolCall), Subject: "tool_input.command", Tool: "Shell", ToolKeys: "command cwd sandbox", Deny: cursorDeny,
				Ask: cursorAsk, Allow: cursorAllow, Unregistered: true},
			{Name: "beforeMCPExecution", Means: on(spec.PreToolCall), Deny: cursorDeny, Ask: cursorAsk, Allow: cursorAllow, Unregistered: true},
			{Name: "beforeReadFile", Means: on(spec.PreToolCall), Tool: "Read", ToolKeys: "file_path content attachments", Deny: cursorDeny, Allow: cursorAllow,
				Unregistered: true},
			{Name: "beforeTabFileRead", Means: on(spec.PreToolCall), Tool: "TabRead", ToolKeys: "file_path content attachments", Deny: cursorDeny, Allow: cursorAllow,
				Unregistered: true},
			{Name: "afterShellExecution", Means: on(spec.PostToolCall), Subject: "tool_input.command", Tool: "Shell", ToolKeys: "command cwd sandbox", Unregistered: true},
			{Name: "afterMCPExecution", Means: on(spec.PostToolCall), Unregistered: true},
			{Name: "afterFileEdit", Means: on(spec.PostToolCall), Tool: "Edit", ToolKeys: "file_path edits", Unregistered: true},
			{Name: "afterTabFileEdit", Means: on(spec.PostToolCall), Tool: "TabWrite", ToolKeys: "file_path edits", Unregistered: true},
			{Name: "afterAgentResponse"}, {Name: "afterAgentThought"}, {Name: "workspaceOpen"},
		}
	},
	Quirks: []Quirk{
		{1, "exit status 2 blocks; whether its stderr is the reason is not documented, so the reason is in JSON at status 0", "the documentation", "deny"},
		{2, "agent_message is documented for the model and user_message for the user; versions were seen in which the model gets the latter, so the reason is in both", "the documentation; captures by third parties", "deny"},
		{3, "silence is an empty stdout: whether permission allow skips the user's own approval is not known, and an object that misses the schema blocks",
			"the documentation, unconfirmed", "none"},
		{4, "on preToolUse, ask is accepted and not enforced; subagentStart takes it as a deny, beforeShellExecution and beforeMCPExecution ask", "the documentation", "ask"},
		{5, "beforeShellExecution has no tool_name; the event implies the tool", "the documentation", "shell-deny"},
		{6, "beforeMCPExecution sends tool_input as a string of JSON, and the tool without its server", "the documentation", "mcp"},
		{7, "stop has loop_count instead of stop_hook_active", "reports of 2026-11", "stop-deny"},
		{8, "only events of a call have cwd, and it may be empty, so that workspace_roots names the project", "captures by third parties", "none"},
		{9, "whether entries of .claude/settings.json get Claude Code's event names or Cursor's is not documented, so both are known", "unconfirmed", "pascal-deny"},
	},
}

var (
	cursorStop    = Form{Set("status", "completed"), JSON("loop_count", "0")}
	cursorContext = Form{Var("additional_context", Context)}
	cursorDeny    = Form{Set("permission", "deny"), Var("user_message", Reason), Var("agent_message", Reason)}
	cursorAsk     = Form{Set("permission", "ask"), Var("user_message", Reason), Var("agent_message", Reason)}
	cursorAllow   = Form{Set("permission", "allow")}
)

// cursorMCP parses MCP:TOOL. In some versions the server is a key of the
// payload.
func cursorMCP(name string, c *Call) string {
	tool, ok := strings.CutPrefix(name, "MCP:")
	if !ok && (c == nil || c.Row.Name != "beforeMCPExecution" && c.Row.Name != "afterMCPExecution") {
		return ""
	}
	server := "unknown"
	for _, v := range c.find("mcp_server_name") {
		if s, text := rawjson.Text(v); text && s != "" {
			server = s
		}
	}
	return "mcp__" + server + "__" + tool
}

func cursorOutput(c *Call, value []byte) ([]byte, error) {
	if !strings.HasPrefix(c.tool, "mcp__") {
		return nil, errors.New("updated_output: Cursor replaces only the output of MCP tools")
	}
	return value, nil
}

// cursorFolder returns the folder of the user's own settings, in which Cursor
// runs their entries.
func cursorFolder(file string, own bool, _ string) string {
	if own {
		return filepath.Dir(file)
	}
	return ""
}

// cursorTool writes the input of an MCP tool as text, on the events that are only
// for such tools.
func cursorTool(b *builder, o *object, name string, input []byte) bool {
	if b.row.Name != "beforeMCPExecution" && b.row.Name != "afterMCPExecution" {
		return false
	}
	o.set("tool_name", rawjson.AppendText(nil, b.agent.NativeTool(name)))
	o.set("tool_input", rawjson.AppendText(nil, string(input)))
	return true
}

// cursorResponse converts a result to the shape that the event requires: the
// output of a command is text.
func cursorResponse(b *builder, value []byte) []byte {
	if b.row.Name == "afterShellExecution" {
		return textResponse(b, value)
	}
	return value
}
