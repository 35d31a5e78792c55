package agent

import (
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/protocol"
)

var crush = Agent{
	Name: "crush", Title: "Crush",
	Live: true, Version: "0.90.0", Date: "2026-11-24", Source: "the running client, without a terminal, and its source",
	Variables:      []string{"CRUSH_PROJECT_DIR"},
	Programs:       []string{"crush"},
	DefaultTimeout: 30 * time.Second,
	Bash:           []string{"unix", "windows"}, // its own shell, with bash's grammar
	Settings: []Settings{
		{Path: "~/.config/crush/crush.json", Home: "CRUSH_GLOBAL_CONFIG", Layout: &listed, Entry: crushEntry},
		{Path: "crush.json", Layout: &listed, Entry: crushEntry, When: func(look func(string) any) bool { return look(".crush.json") == nil }},
		{Path: ".crush.json", Layout: &listed, Entry: crushEntry, When: func(look func(string) any) bool { return look(".crush.json") != nil }},
		{Path: "/etc/crush/crush.json", Layout: &listed, Entry: crushEntry},
	},
	Setup: Setup{
		Folders: []string{"~/.config/crush"}, Headless: "run --quiet", Unguarded: "its subagents, which can only read and search, run no hooks", Steps: []Step{{"", restart}},
		Managed: Managed{Ways: []string{"an entry of the user's own can change a call after managed hooks saw it"}},
	},
	NameKey: "event",
	Proof:   []Evidence{{Is("event", "PreToolUse"), Has("session_id", "cwd", "tool_name", "tool_input"), Lacks("matcher_context", "hook_event_name", "working_dir")}},
	Tools: []Tool{
		{"bash", "Shell"}, {"view", "ReadFile"}, {"write", "WriteFile"}, {"edit", "EditFile"}, {"multiedit", "EditFile"},
		{"glob", "Glob"}, {"ls", "LS"}, {"grep", "Grep"}, {"sourcegraph", "Grep"}, {"fetch", "FetchURL"}, {"web_fetch", "FetchURL"},
		{"agentic_fetch", "FetchURL"}, {"download", "FetchURL"}, {"web_search", "SearchWeb"}, {"agent", "Task"}, {"todos", "TodoWrite"},
		{"lsp_rename", "EditFile"}, {"lsp_replace_symbol", "EditFile"}, {"question", "AskUser"},
	},
	Keys:        []Key{{"file_path", "file_path", ""}, {"path", "file_paths", ""}, {"replacement", "new_string", ""}},
	mcp:         crushMCP,
	Judging:     Judging{exit: crushExit, Schema: []Schema{{"*", []Value{words("decision", "allow", "deny"), bools("halt"), texts("reason"), objects("updated_input"), words("hso.permissionDecision", "allow", "deny", "ask")}}}, Also: []Forms{{Context: Form{Var("context", Contexts)}}, {Deny: hsoDeny, Allow: hsoAllow, Input: hsoInput}}},
	Base:        Form{Var("session_id", SessionID), Var("cwd", WorkDir)},
	Environment: Form{Set("CRUSH", "1"), Set("AGENT", "crush"), Set("AI_AGENT", "crush"), Var("CRUSH_EVENT", EventName), Var("CRUSH_SESSION_ID", SessionID), Var("CRUSH_CWD", WorkDir), Var("CRUSH_PROJECT_DIR", ProjectDir), Var("CRUSH_TOOL_NAME", ToolName), Var("CRUSH_TOOL_INPUT_COMMAND", ToolCommand), Var("CRUSH_TOOL_INPUT_FILE_PATH", ToolFile)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "PreToolUse", Exit2: true, Harmless: true, Deny: denyTop, Allow: Form{Set("decision", "allow"), Var("reason", Reason)}, Input: Form{Var("updated_input", Input)},
				Context: Form{Var("context", Context)}, Stop: Form{JSON("halt", "true"), Var("reason", Reason)}, Note: "the only event"},
		}
	},
	Quirks: []Quirk{
		{1, "allow skips the user's own approval, so that it is only sent if a hook allows", "the documentation", "none"},
		{2, "updated_input grants nothing without allow; a key that it lacks stays", "its source", "modify"},
	},
}

// crushMCP parses mcp_SERVER_TOOL. A server's name contains no underscore.
func crushMCP(name string, _ *Call) string {
	rest, ok := strings.CutPrefix(name, "mcp_")
	server, tool, both := strings.Cut(strings.TrimPrefix(rest, "_"), "_")
	if !ok || !both {
		return ""
	}
	return "mcp__" + server + "__" + strings.TrimPrefix(tool, "_")
}

var crushEntry = Form{Set("name", "agent-hooks"), Var("command", ShellLine), Var("timeout", Seconds)}

// crushExit judges exit status 49, which blocks and ends the turn.
func crushExit(j *judgment) (protocol.Answer, error) {
	if j.exit.Status != 49 {
		return protocol.Answer{}, nil
	}
	halted := j.deny(j.reason())
	halted.Stop, halted.StopReason = true, halted.Reason
	return halted, nil
}
