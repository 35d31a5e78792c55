package agent

import "strings"

var kiro = Agent{
	Name: "kiro", Aliases: []string{"kiro-cli"}, Title: "Kiro",
	Version: "IDE 1.2.37, CLI 3", Date: "2026-11-28", Source: "kiro.dev/docs/hooks, as third parties read it in 2026-10; captures of IDE 1.0 to 1.2 by third parties",
	Programs: []string{"kiro-cli", "kiro"},
	Settings: []Settings{
		{Path: "~/.kiro/hooks/*.json", Layout: &kiroLayout, Entry: kiroEntry}, {Path: ".kiro/hooks/*.json", Layout: &kiroLayout, Entry: kiroEntry},
	},
	Setup: Setup{
		Folders: []string{"~/.kiro"}, Windows: PowerShell,
		Steps: []Step{
			{"", "CLI 2.x reads hooks only from its agents' files, and did not block when it was tested"},
			{"project", "trust this workspace in Kiro"},
		},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Is("hook_event_name", "preToolUse", "postToolUse", "userPromptSubmit", "agentSpawn", "stop"), Has("cwd"), Lacks("cursor_version", "conversation_id")}},
	Fields:  []Field{{Path: "tool_response", Name: "tool_output"}},
	Tools: []Tool{
		{"execute_bash", "Shell"}, {"execute_pwsh", "Shell"}, {"shell", "Shell"}, {"fs_read", "ReadFile"}, {"read", "ReadFile"}, {"readFile", "ReadFile"},
		{"fs_write", "WriteFile"}, {"write", "WriteFile"}, {"fs_append", "WriteFile"}, {"str_replace", "EditFile"},
		{"glob", "Glob"}, {"grep", "Grep"}, {"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"subagent", "Task"},
	},
	Keys: []Key{
		{"path", "file_path", "ReadFile WriteFile EditFile"}, {"path", "file_paths", ""}, {"file_path", "file_path", ""},
		{"text", "content", "WriteFile"}, {"file_text", "content", ""}, {"content", "content", ""}, {"oldStr", "old_string", ""},
		{"newStr", "new_string", ""},
	},
	mcp:     kiroMCP,
	Judging: Judging{NeedsReason: true, Plain: "SessionStart UserPromptSubmit AgentSpawn agentSpawn userPromptSubmit"},
	Base:    Form{Var("session_id", SessionID), Var("cwd", WorkDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart", Also: "AgentSpawn agentSpawn", Context: plainContext},
			{Name: "UserPromptSubmit", Also: "userPromptSubmit", Context: plainContext, Note: "documented to block; did not when it was tested"},
			{Name: "PreToolUse", Also: "preToolUse", Exit2: true, Note: "CLI 2 runs the tool despite a block"},
			{Name: "PostToolUse", Also: "postToolUse", Note: "a hook's answer is not read"},
			{Name: "Stop", Also: "stop", Deny: blockTop, Note: "the reason becomes the next message; older versions end"},
			{Name: "SessionEnd", Unregistered: true, Note: "in CLI 3 only"},
			{Name: "PostFileCreate"}, {Name: "PostFileSave"}, {Name: "PostFileDelete"}, {Name: "PreTaskExec"}, {Name: "PostTaskExec"}, {Name: "Manual"},
		}
	},
	Quirks: []Quirk{
		{1, "only exit status 2 with a reason on stderr blocks; JSON is read at a stop only", "the documentation", "deny"},
		{2, "context is plain stdout", "the documentation", "prompt-context"},
		{3, "UserPromptSubmit does not block", "reports of 2026-11", "prompt-deny"},
	},
}

// kiroMCP parses @SERVER/TOOL. Kiro names the tool of each subagent after the
// subagent.
func kiroMCP(name string, _ *Call) string {
	if strings.HasPrefix(name, "subagent_") {
		return "Task"
	}
	rest, ok := strings.CutPrefix(name, "@")
	server, tool, both := strings.Cut(rest, "/")
	if !ok || !both {
		return ""
	}
	return "mcp__" + server + "__" + tool
}

var (
	kiroLayout = Layout{Root: []string{"hooks"}, Flat: true, Top: Form{Set("version", "v1")}}
	kiroEntry  = Form{
		Var("name", EntryName), Var("trigger", EventName), Set("matcher", ".*"), Set("action.type", "command"), Var("action.command", CommandLine),
		Var("timeout", Seconds), JSON("enabled", "true"),
	}
)
