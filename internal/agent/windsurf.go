package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// windsurf is Cascade, which the desktop app removed in 3.9.19; its JetBrains
// plugin still includes it.
var windsurf = Agent{
	Name: "windsurf", Aliases: []string{"cascade"}, Title: "Windsurf (legacy)",
	Version: "before 3.9.19", Date: "2026-11-22", Source: "docs.windsurf.com/windsurf/cascade/hooks",
	Variables:      []string{"ROOT_WORKSPACE_PATH"},
	Programs:       []string{"windsurf"},
	DefaultTimeout: 600 * time.Second, // it waits without a limit
	// The second file is that of its JetBrains plugin.
	Settings: []Settings{
		{Path: "~/.codeium/windsurf/hooks.json", Layout: &listed, Entry: windsurfEntry}, {Path: "~/.codeium/hooks.json", Layout: &listed, Entry: windsurfEntry},
		{Path: ".windsurf/hooks.json", Layout: &listed, Entry: windsurfEntry},
		{Path: "/etc/windsurf/hooks.json", Layout: &listed, Entry: windsurfEntry},
	},
	Setup: Setup{
		Folders: []string{"~/.codeium/windsurf"},
		Steps:   []Step{{"", "from version 3.9.19 on, the desktop app runs Devin instead: agent-hooks install devin"}},
	},
	NameKey: "agent_action_name",
	Proof:   []Evidence{{Has("agent_action_name")}},
	Fields: []Field{
		{Path: "trajectory_id", Name: "session_id"}, {Path: "execution_id", Name: "turn_id"}, {Path: "model_name", Name: "model"},
		{Path: "tool_info.cwd", Name: "work_dir"},
		{Path: "tool_info.mcp_tool_name", Name: "tool_name"},
		{Path: "tool_info.mcp_tool_arguments", Name: "tool_input"}, {Path: "tool_info", Name: "tool_input"},
		{Path: "tool_info.mcp_result", Name: "tool_output"},
		{Path: "tool_info.user_prompt", Name: "prompt"}, {Path: "tool_info.response", Name: "last_message"},
	},
	Tools: []Tool{
		{"run_command", "Shell"}, {"read_code", "ReadFile"}, {"write_code", "EditFile"},
	},
	Keys:        []Key{{"command_line", "command", ""}, {"file_path", "file_path", ""}},
	mcp:         windsurfMCP,
	spread:      windsurfTool,
	InProject:   true,
	Base:        Form{Var("trajectory_id", SessionID), Var("execution_id", TurnID), Var("timestamp", Timestamp), Var("model_name", Model)},
	Environment: Form{Var("ROOT_WORKSPACE_PATH", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "pre_run_command", Means: on(spec.PreToolCall), Tool: "run_command", Base: Form{Var("tool_info.cwd", WorkDir)}, Exit2: true},
			{Name: "pre_write_code", Means: on(spec.PreToolCall), Tool: "write_code", Exit2: true},
			{Name: "pre_read_code", Means: on(spec.PreToolCall), Tool: "read_code", Exit2: true},
			{Name: "pre_mcp_tool_use", Means: on(spec.PreToolCall), Exit2: true},
			{Name: "post_run_command", Means: on(spec.PostToolCall), Tool: "run_command", Base: Form{Var("tool_info.cwd", WorkDir)}},
			{Name: "post_write_code", Means: on(spec.PostToolCall), Tool: "write_code"},
			{Name: "post_read_code", Means: on(spec.PostToolCall), Tool: "read_code"},
			{Name: "post_mcp_tool_use", Means: on(spec.PostToolCall)},
			{Name: "pre_user_prompt", Means: on(spec.PreAgentTurn), Exit2: true},
			{Name: "post_cascade_response", Means: on(spec.PostAgentTurn)},
			{Name: "post_cascade_response_with_transcript"}, {Name: "post_setup_worktree"},
		}
	},
	Quirks: []Quirk{
		{1, "the event implies the tool; its input is tool_info", "the documentation", "deny"},
		{2, "there is no JSON answer: exit status 2 with stderr blocks, nothing else is read", "the documentation", "deny"},
	},
}

// windsurfMCP uses the server that the payload names next to the tool.
func windsurfMCP(name string, c *Call) string {
	for _, v := range c.find("tool_info.mcp_server_name") {
		if server, ok := rawjson.Text(v); ok {
			return "mcp__" + server + "__" + name
		}
	}
	return ""
}

var windsurfEntry = Form{Var("command", ShellLine), Var("powershell", PowerShellLine), JSON("show_output", "false")}

// windsurfTool writes a tool below tool_info.
func windsurfTool(b *builder, o *object, name string, input []byte) bool {
	if server, tool, isMCP := mcpParts(name); isMCP {
		o.set("tool_info.mcp_server_name", rawjson.AppendText(nil, server))
		o.set("tool_info.mcp_tool_name", rawjson.AppendText(nil, tool))
		o.set("tool_info.mcp_tool_arguments", input)
		return true
	}
	for _, m := range latest(withEdits(input)) {
		o.set("tool_info."+m.key, m.value)
	}
	return true
}
