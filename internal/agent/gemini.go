package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// geminiDeny is flat: Gemini CLI uses hookSpecificOutput for other purposes.
var geminiDeny = Form{Set("decision", "deny"), Var("reason", Reason)}

var geminiCLI = Agent{
	Name: "gemini-cli", Aliases: []string{"gemini"}, Title: "Gemini CLI",
	Bash: []string{"unix"}, // bash -c; PowerShell on Windows
	Live: true, Version: "0.61.0", Date: "2026-11-22",
	Source:    "google-gemini/gemini-cli docs/hooks and packages/core/src/hooks; the running client",
	Variables: []string{"GEMINI_PROJECT_DIR"}, FixedDir: true, Programs: []string{"gemini"},
	OtherVariables: "GEMINI_PLANS_DIR GEMINI_API_KEY GEMINI_CLI_ GEMINI_MODEL GEMINI_SANDBOX",
	TimeoutUnit:    time.Millisecond,
	Settings: []Settings{
		{Path: "~/.gemini/settings.json", Layout: &grouped, Entry: geminiEntry}, {Path: ".gemini/settings.json", Layout: &grouped, Entry: geminiEntry},
		{Path: "/etc/gemini-cli/settings.json", Moved: "GEMINI_CLI_SYSTEM_SETTINGS_PATH", Layout: &groupedEnabled, Entry: geminiEntry},
	},
	Setup: Setup{
		Traces: []Trace{{"~/.gemini/tmp", ""}},
		Matcher: func(row *NativeEvent) Matcher {
			return Matcher{All: []string{"*"}, Literal: !row.Spec()[0].IsTool(), Invalid: true}
		},
		Substitutes: "GEMINI_PROJECT_DIR GEMINI_CWD GEMINI_PLANS_DIR GEMINI_SESSION_ID CLAUDE_PROJECT_DIR", PathVariables: "extensionPath",
		PluginFiles: []string{"gemini-extension.json"}, PluginRoot: "extensionPath",
		Plugins: func(m *Machine) []Plugin { return extensions(m, "~/.gemini/extensions", "gemini") },
		Folders: []string{"~/.gemini"}, Headless: "-p", Windows: PowerShell,
		Flaws: Flaws{
			File:  TrailingComma | ByteMark | HooksForm,
			Event: MatcherForm,
			Part:  Repeated | UnknownEvent | GroupForm | NoGroup | HooksOfGroup | HandlerForm | NoType | UnknownType | NoCommand,
			Types: []string{"command"}, Tried: "0.61.0, 2026-11-28",
		},
		Managed: Managed{Ways: []string{
			"GEMINI_CLI_SYSTEM_SETTINGS_PATH names another file", "in an untrusted folder, it runs no hooks",
			"hooksConfig.disabled in the user's or a project's settings, with the name agent-hooks, turns off the managed entry, too",
			"an entry of the user's own can change a call after managed hooks saw it",
		}},
		Steps: []Step{{"", "trust each folder in Gemini CLI: in an untrusted one it runs no hooks, the user's included"}},
		Switches: []Switch{
			{Paths: []string{"~/.gemini/settings.json", ".gemini/settings.json", "/etc/gemini-cli/settings.json"}, Keys: []string{"hooksConfig", "enabled"}, Bad: false},
			{Paths: []string{"~/.gemini/settings.json", ".gemini/settings.json"}, Keys: []string{"hooksConfig", "disabled"}, Bad: "agent-hooks"},
		},
		Trust: geminiTrust,
	},
	NameKey: "hook_event_name", Blocks: BlockByForm,
	Proof: []Evidence{{Is("hook_event_name", "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress"), Has("session_id")}},
	Fields: []Field{
		{Path: "tool_response.error", Name: "tool_error", Kind: Error},
		{Path: "tool_response", Name: "tool_output"},
		{Path: "prompt_response", Name: "last_message"},
		{Path: "llm_response.text", Name: "last_message", On: "AfterModel"},
		{Path: "llm_request.messages", Name: "messages"},
		{Path: "llm_request.model", Name: "model"},
		{Path: "tool_input.agent_name", Name: "agent_type"},
	},
	Tools: []Tool{
		{"run_shell_command", "Shell"}, {"read_file", "ReadFile"}, {"read_many_files", "ReadFile"}, {"write_file", "WriteFile"},
		{"replace", "EditFile"}, {"glob", "Glob"}, {"grep_search", "Grep"}, {"search_file_content", "Grep"},
		{"list_directory", "LS"}, {"web_fetch", "FetchURL"}, {"google_web_search", "SearchWeb"}, {"invoke_agent", "Task"},
		{"write_todos", "TodoWrite"}, {"ask_user", "AskUser"}, {"activate_skill", "Skill"},
	},
	Keys: []Key{
		{"file_path", "file_path", ""}, {"absolute_path", "file_path", ""}, {"paths", "file_paths", ""}, {"include", "file_paths", "ReadFile"},
		{"path", "file_paths", ""}, {"dir_path", "file_paths", ""}, {"url", "url", ""}, {"prompt", "url", "FetchURL"},
	},
	mcp:      geminiMCP,
	mcpName:  "mcp_SERVER_TOOL",
	response: geminiResponse,
	Judging: Judging{
		ReplacesInput: true,
		Also:          []Forms{{Deny: geminiDeny}, {Deny: blockTop, Allow: Form{Set("decision", "approve"), Var("reason", Reason)}}, {Stop: stopBare}},
		Schema:        []Schema{{"*", []Value{words("decision", "ask", "block", "deny", "approve", "allow"), texts("reason"), bools("continue"), texts("stopReason", "systemMessage"), objects("hso.tool_input"), texts("hso.additionalContext")}}},
		Status2:       "AfterModel",
		NeedsReason:   true, OneStream: true, AnyStatus: true, Status2JSON: true, PlainMessage: true, NoObjection: true,
		Closed: "BeforeTool BeforeAgent AfterAgent AfterTool BeforeModel AfterModel", exit: geminiExit,
	},
	Base:        Form{Var("session_id", SessionID), Var("transcript_path", TranscriptPath), Var("cwd", WorkDir), Var("timestamp", Timestamp)},
	Environment: Form{Var("GEMINI_PROJECT_DIR", ProjectDir), Var("GEMINI_SESSION_ID", SessionID), Var("GEMINI_CWD", WorkDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Base: Form{Set("source", "startup")}, Silent: "{}", Context: hsoContext, Message: systemMessage},
			{Name: "SessionEnd", Silent: "{}", Message: systemMessage},
			{Name: "BeforeAgent", Means: on(spec.PreAgentTurn), Silent: "{}", Exit2: true, Deny: geminiDeny, Context: hsoContext, Message: systemMessage, Stop: stopTop,
				Note: "fires again for each continuation; those are not pre-agent-turn"},
			{Name: "BeforeTool", Means: on(spec.PreToolCall), Subagent: spec.PreSubagent, Silent: "{}", Exit2: true, Harmless: true, Deny: geminiDeny,
				Ask: Form{Set("decision", "ask"), Var("reason", Reason)}, Input: Form{Var("hso.tool_input", Input)}, Message: systemMessage, Stop: stopTop, Hides: true,
				Note: "allow grants nothing and is not sent; ask ends a headless run silently, and the payload does not say whether a person is present, so it becomes a deny"},
			{Name: "AfterTool", Means: on(spec.PostToolCall), Failed: spec.PostToolCallFailure, Subagent: spec.PostSubagent, Silent: "{}", Exit2: true, Deny: geminiDeny,
				Context: hsoContext, Message: systemMessage, Output: Form{Set("decision", "deny"), Var("reason", NewOutputText)}, Native: "hookSpecificOutput.tailToolCallRequest", Stop: stopTop},
			{Name: "AfterAgent", Means: endOfTurn, Silent: "{}", Exit2: true,
				Base: Form{Set("prompt", ""), Set("prompt_response", ""), JSON("stop_hook_active", "false")}, Deny: geminiDeny, Native: "hookSpecificOutput.clearContext?", Message: systemMessage, Stop: stopTop},
			{Name: "PreCompress", Means: on(spec.PreContextCompact), Silent: "{}", Message: systemMessage},
			{Name: "Notification", Subject: "-", Silent: "{}", Message: systemMessage},
			{Name: "BeforeModel", Means: on(spec.PreLLMCall), Base: Form{JSON("llm_request.messages", "[]"), JSON("llm_request.config", "{}")}, Silent: "{}", Exit2: true, Deny: geminiDeny,
				Native: "hookSpecificOutput.llm_request hookSpecificOutput.llm_response", Message: systemMessage, Stop: stopTop, Note: "a block ends the turn"},
			{Name: "AfterModel", Means: on(spec.PostLLMCall),
				Base: Form{JSON("llm_request.messages", "[]"), JSON("llm_request.config", "{}"), Set("llm_response.candidates.0.content.role", "model"),
					Var("llm_response.candidates.0.content.parts.0", "last_message"), Set("llm_response.candidates.0.finishReason", "STOP"), JSON("llm_response.candidates.0.index", "0")},
				Silent: "{}", Deny: Form{JSON("continue", "false"), Var("stopReason", Reason)}, Native: "hookSpecificOutput.llm_response", Message: systemMessage, Stop: stopTop,
				Note: "fires for each chunk of an answer; a block ends the turn, and no call of the answer runs"},
			{Name: "BeforeToolSelection", Silent: "{}"},
		}
	},
	Quirks: []Quirk{
		{1, "without stdout, stderr is read as the answer, so no opinion is {}", "the documentation", "none"},
		{2, "exit status 2 blocks only if stdout is empty and stderr is not JSON; the reason begins with the hook's name", "the documentation, reports of 2026-11", "deny-message"},
		{11, "every exit status other than 0 is shown to the user as a failed hook, so a block is JSON", "seen in 0.61.0", "deny"},
		{12, "in its default view, it hides calls that failed, and a blocked call is one; a systemMessage is shown", "bundle/interactiveCli-*.js of 0.61.0", "deny"},
		{3, "the changed input is hookSpecificOutput.tool_input, whole; updatedInput is ignored", "the running client", "modify-allow"},
		{4, "hookSpecificOutput permissionDecision does not block; the flat decision does", "the running client", "deny-message"},
		{5, "ask ends a headless run silently, so it becomes a deny", "the running client", "ask"},
		{6, "a failed call arrives as AfterTool with tool_response.error", "the documentation", "failure"},
		{7, "MCP tools are mcp_SERVER_TOOL; mcp_context gives the server's name", "the documentation", "mcp"},
		{8, "there are no subagent events; a call of invoke_agent is used instead", "the documentation", "subagent"},
		{9, "a changed input grants nothing: the policy decides on the changed input", "seen in 0.61.0", "modify"},
		{13, "deny at AfterModel does not stop the calls of the answer; continue: false does", "seen in 0.61.0", "after-model-deny"},
		{10, "allow does not permit what the policy asks for; it is not sent", "seen in 0.61.0", "allow"},
	},
}

// geminiMCP reads the names of the server and the tool from the payload's
// mcp_context, because splitting the native name is ambiguous.
func geminiMCP(_ string, c *Call) string {
	server, tool := c.find("mcp_context.server_name"), c.find("mcp_context.tool_name")
	if len(server) != 1 || len(tool) != 1 {
		return ""
	}
	s, ok := rawjson.Text(server[0])
	t, ok2 := rawjson.Text(tool[0])
	if !ok || !ok2 || s == "" || t == "" {
		return ""
	}
	return "mcp__" + s + "__" + t
}

var geminiEntry = Form{Set("name", "agent-hooks"), Set("type", "command"), Var("command", CommandLine), Var("timeout", Milliseconds)}

// geminiTrust checks that the folder is trusted, unless folders need no trust.
func geminiTrust(m *Machine, _ []Entry) []Finding {
	if valueAt(m.Decoded("~/.gemini/settings.json", ""), "security", "folderTrust", "enabled") == false {
		return nil
	}
	return m.trusted("~/.gemini/trustedFolders.json", "", "TRUST_FOLDER", "")
}

// geminiExit judges exit status 1 as a failure, also on events that other statuses
// block.
func geminiExit(j *judgment) (protocol.Answer, error) {
	if j.exit.Status == 1 {
		return protocol.Answer{}, j.agent.statusError(j.exit)
	}
	return protocol.Answer{}, nil
}

// geminiResponse converts a result to the shape of Gemini CLI's results.
func geminiResponse(_ *builder, value []byte) []byte {
	if lookup(latest(value), "llmContent") != nil {
		return value
	}
	text := rawjson.AppendText(nil, outputText(value))
	return objectOf([]member{{"llmContent", text}, {"returnDisplay", text}})
}
