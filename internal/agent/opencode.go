package agent

import (
	_ "embed"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// openCode has no command hooks. A plugin, which package install writes,
// forwards the events as {"hook_event_name", "cwd", "input", "output"} and
// applies the answer: block (throw it), args (assign them), prompt (the
// prompt's text), context (add it), output (replace the tool's), continue (the
// next prompt), message (show it).
var openCode = Agent{
	Name: "opencode", Title: "OpenCode",
	Live: true, Version: "1.18.33", Date: "2026-11-22",
	Source:   "@opencode-ai/plugin types; opencode.ai/docs/plugins; the running client",
	FixedDir: true, Programs: []string{"opencode"},
	TimeoutUnit: time.Millisecond,
	Settings: []Settings{
		{Path: "~/.config/opencode/plugins/agent-hooks.js", Home: "OPENCODE_CONFIG_DIR", Plugin: openCodePlugin, Since: openCodeObjects, Earlier: openCodeFunction},
		{Path: ".opencode/plugins/agent-hooks.js", Plugin: openCodePlugin, Since: openCodeObjects, Earlier: openCodeFunction},
		{Path: "/etc/opencode/agent-hooks.js", Moved: "OPENCODE_TEST_MANAGED_CONFIG_DIR", Plugin: openCodePlugin, Since: openCodeObjects, Earlier: openCodeFunction},
		{Path: "/etc/opencode/opencode.jsonc", Text: openCodeManaged},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.local/share/opencode/*.db*", ""}, {"~/.local/share/opencode/storage", ""}},
		Folders: []string{"~/.config/opencode"}, Headless: "run",
		Managed:  Managed{Ways: []string{"OPENCODE_TEST_MANAGED_CONFIG_DIR names another folder", "opencode --pure runs no plugins"}},
		Steps:    []Step{{"", restart}},
		Switches: []Switch{{Variable: "OPENCODE_PURE"}},
	},
	NameKey:  "hook_event_name",
	Proof:    []Evidence{{Is("hook_event_name", "tool.execute.before", "tool.execute.after", "chat.message", "experimental.session.compacting"), Has("input")}},
	Fields:   openCodeFields,
	Tools:    openCodeTools,
	Keys:     openCodeKeys,
	mcp:      openCodeMCP,
	classify: openCodeSession,
	Judging:  Judging{Also: pluginAlso, Schema: pluginSchema},
	Base:     openCodeBase,
	events:   openCodeEvents,
	Quirks: []Quirk{
		{1, "hooks are functions of a plugin, which forwards events and carries out the answer", "the documentation", "deny"},
		{2, "the input's keys are in camel case", "the documentation", "edit"},
		{3, "MCP tools are SERVER_TOOL, like ordinary names; a name that splits in several ways is matched in all", "the documentation", "mcp"},
		{4, "a session with a parent belongs to a subagent and is not a new session", "the documentation", "child-session"},
		{5, "the end of a turn cannot be stopped; the reason becomes the next prompt", "the documentation", "stop-deny"},
		{6, "tools ask for permission after tool.execute.before, with the arguments that it left", "packages/opencode session/prompt.ts", "modify"},
		{7, "OpenCode 2 loads the same file, and calls its setup; that was tested with a stand-in for its plugin API, not with the program", "@opencode/plugin types (2.3); opencode.ai/v2/docs/build/plugins/migrate-v1", "v2-shell"},
	},
}

// openCodeManaged adds the plugin next to it to those of the user.
const openCodeManaged = "// written by agent-hooks install; version 1. Remove it with: agent-hooks uninstall --managed opencode\n{\"plugin\": [\"./agent-hooks.js\"]}\n"

// openCodeMCP returns the canonical name of SERVER_TOOL. If there are several
// underscores, it returns the ambiguous form mcp_SERVER_TOOL, for which
// matchers try every split.
func openCodeMCP(name string, _ *Call) string {
	server, tool, ok := strings.Cut(name, "_")
	if !ok || server == "" || tool == "" || len(spec.ToolNames(name)) > 1 {
		return ""
	}
	if strings.Contains(tool, "_") {
		return "mcp_" + name
	}
	return "mcp__" + server + "__" + tool
}

// openCodeSession distinguishes a subagent's session from a new one.
func openCodeSession(c *Call) {
	if c.Row.Name != "event:session.created" {
		return
	}
	for _, parent := range c.find("input.properties.info.parentID") {
		if string(parent) != "null" {
			c.Row = &openCodeChild
		}
	}
}

// openCodeChild is a subagent's session, which is not a session event for
// hooks.
var openCodeChild = NativeEvent{Name: "event:session.created"}

func openCodeEvents() []NativeEvent {
	return []NativeEvent{
		{Name: "event:session.created", Means: on(spec.PreSession), Context: Form{Var("context", Context)}, Message: Form{Var("message", Message)},
			Note: "the context goes with the session's first prompt"},
		{Name: "chat.message", Means: on(spec.PreAgentTurn), Deny: Form{Var("block", Reason)}, Prompt: Form{Var("prompt", Prompt)},
			Context: Form{Var("context", Context)}, Message: Form{Var("message", Message)}},
		{Name: "tool.execute.before", Means: on(spec.PreToolCall), Subagent: spec.PreSubagent, Harmless: true, Deny: Form{Var("block", Reason)},
			Input: Form{Var("args", Input)}, Message: Form{Var("message", Message)}, Note: "the tool asks for permission afterwards, with the changed input"},
		{Name: "tool.execute.after", Means: on(spec.PostToolCall), Subagent: spec.PostSubagent, Deny: contextFeedback, Context: Form{Var("context", Context)},
			Output: Form{Var("output", NewOutputText)}, Message: Form{Var("message", Message)}},
		{Name: "event:message.part.updated", Means: on(spec.PostToolCallFailure), Message: Form{Var("message", Message)},
			Note: "forwarded for failed tool calls only; nothing reaches the model"},
		{Name: "event:permission.asked", Means: on(spec.PermissionRequest), Ask: bySilence, Message: Form{Var("message", Message)}},
		{Name: "event:session.idle", Means: endOfTurn, Deny: Form{Var("continue", Reason)}, Message: Form{Var("message", Message)},
			Note: "the reason is sent as the next prompt; `opencode run` ends before it is processed"},
		{Name: "event:session.error", Means: on(spec.PostAgentTurn), Message: Form{Var("message", Message)}},
		{Name: "experimental.session.compacting", Means: on(spec.PreContextCompact), Context: Form{Var("context", Context)}, Message: Form{Var("message", Message)}},
		{Name: "event:session.compacted", Means: on(spec.PostContextCompact), Message: Form{Var("message", Message)}},
		{Name: "dispose", Means: on(spec.PostSession)},
		{Name: "event:server.instance.disposed", Unregistered: true},
		{Name: "event:session.status"}, {Name: "event:session.updated"}, {Name: "event:session.deleted"}, {Name: "event:permission.replied"},
		{Name: "event:message.updated"}, {Name: "chat.params"}, {Name: "chat.headers"}, {Name: "shell.env"}, {Name: "permission.ask"},
		{Name: "command.execute.before"}, {Name: "tool.definition"}, {Name: "experimental.text.complete"}, {Name: "experimental.chat.system.transform"},
		{Name: "experimental.chat.messages.transform"},
	}
}

var openCodeBase = Form{Var("cwd", WorkDir)}

var openCodeKeys = []Key{
	{"filePath", "file_path", ""}, {"path", "file_path", "ReadFile WriteFile EditFile"}, {"path", "file_paths", ""}, {"agent", "subagent_type", "Task"}, {"oldString", "old_string", ""}, {"newString", "new_string", ""},
}

var openCodeTools = []Tool{
	{"bash", "Shell"}, {"shell", "Shell"}, {"read", "ReadFile"}, {"write", "WriteFile"}, {"edit", "EditFile"}, {"apply_patch", "EditFile"},
	{"background_process", "Shell"}, {"patch", "EditFile"}, {"multiedit", "EditFile"}, {"glob", "Glob"}, {"grep", "Grep"}, {"list", "LS"},
	{"webfetch", "FetchURL"}, {"websearch", "SearchWeb"}, {"task", "Task"}, {"subagent", "Task"}, {"todowrite", "TodoWrite"},
	{"todoread", "TodoRead"}, {"question", "AskUser"}, {"skill", "Skill"},
}

var openCodeFields = []Field{
	{Path: "input.sessionID", Name: "session_id"}, {Path: "input.properties.sessionID", Name: "session_id"},
	{Path: "input.tool", Name: "tool_name"}, {Path: "input.properties.part.tool", Name: "tool_name"},
	{Path: "input.properties.permission", Name: "tool_name"},
	{Path: "output.args", Name: "tool_input"}, {Path: "input.args", Name: "tool_input"},
	{Path: "input.properties.part.state.input", Name: "tool_input"}, {Path: "input.properties.metadata", Name: "tool_input"},
	{Path: "input.callID", Name: "tool_use_id"}, {Path: "input.properties.part.callID", Name: "tool_use_id"},
	{Path: "output.output", Name: "tool_output"}, {Path: "input.properties.part.state.error", Name: "tool_error"},
	{Path: "output.parts", Name: "prompt", Kind: Parts},
	{Path: "input.agent", Name: "agent_type"},
	{Path: "output.text", Name: "last_message"},
}

//go:embed plugins/opencode.js
var openCodeJS string

// openCodePlugin returns a module for OpenCode since openCodeObjects: version 1 calls server of a
// default export, and version 2, which loads no function, calls setup.
func openCodePlugin() string {
	return openCodeJS + "\nexport default { id: \"agent-hooks\", server: plugin, setup }\n"
}

// openCodeObjects is the first version that loads a default export. Earlier ones load only modules
// that export nothing but functions.
const openCodeObjects = "1.18.29"

func openCodeFunction() string { return openCodeJS + "\nexport const AgentHooks = plugin\n" }
