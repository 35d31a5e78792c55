package agent

import (
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

var crush = Agent{
	Name: "crush", Title: "Crush",
	Version: "0.96.1", Date: "2026-11-22", Source: "charmbracelet/crush docs/hooks and internal/hooks, 2026-08-21",
	Variables:   []string{"CRUSH_PROJECT_DIR"},
	Programs:    []string{"crush"},
	TimeoutUnit: time.Second, MaxTimeout: 600 * time.Second, DefaultTimeout: 30 * time.Second,
	Settings: []Settings{
		{Scope: "user", Path: "~/.config/crush/crush.json", Format: "json"},
		{Scope: "project", Path: "crush.json", Format: "json"},
		{Scope: "project", Path: ".crush.json", Format: "json"},
	},
	NameKey: "event",
	Proof:   []string{"event=PreToolUse session_id cwd tool_name tool_input !matcher_context !hook_event_name !working_dir"},
	Tools: []Tool{
		{"bash", "Shell"}, {"view", "ReadFile"}, {"write", "WriteFile"}, {"edit", "EditFile"}, {"multiedit", "EditFile"},
		{"glob", "Glob"}, {"ls", "LS"}, {"grep", "Grep"}, {"sourcegraph", "Grep"}, {"fetch", "FetchURL"}, {"web_fetch", "FetchURL"},
		{"agentic_fetch", "FetchURL"}, {"download", "FetchURL"}, {"web_search", "SearchWeb"}, {"agent", "Task"}, {"todos", "TodoWrite"},
	},
	Keys: []Key{
		{Native: "command", Canonical: "command", Tool: "Shell"},
		{Native: "file_path", Canonical: "file_path"}, {Native: "path", Canonical: "file_paths"},
		{Native: "content", Canonical: "content"}, {Native: "old_string", Canonical: "old_string"}, {Native: "new_string", Canonical: "new_string"},
		{Native: "url", Canonical: "url"}, {Native: "query", Canonical: "query"},
	},
	mcp:     crushMCP,
	Judging: Judging{Halt: 49, Schema: []Schema{{"*", "decision=allow|deny halt=$bool reason=$text updated_input=$object hso.permissionDecision=allow|deny|ask"}}, Also: []Forms{{Context: "context=$contexts"}, {Deny: hsoDeny, Allow: hsoAllow, Input: "hso.updatedInput=$input"}}},
	Base:    "session_id=$session_id cwd=$cwd",
	Environment: "CRUSH=1 AGENT=crush AI_AGENT=crush CRUSH_EVENT=$event CRUSH_SESSION_ID=$session_id CRUSH_CWD=$cwd CRUSH_PROJECT_DIR=$project " +
		"CRUSH_TOOL_NAME=$tool CRUSH_TOOL_INPUT_COMMAND=$command CRUSH_TOOL_INPUT_FILE_PATH=$file_path",
	Events: []NativeEvent{
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true,
			Forms: Forms{
				Deny: "decision=deny reason=$reason", Allow: "decision=allow reason=$reason", Input: "updated_input=$input",
				Context: "context=$context", Stop: "halt=true reason=$reason",
			},
			Note: "the only event, only for the main agent"},
	},
	Quirks: []Quirk{
		{ID: "Q-crush-1", Text: "allow skips the user's own approval, so that it is only sent if a hook allows", Source: "the documentation", Fixture: "crush/none.txt"},
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
