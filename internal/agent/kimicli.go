package agent

import "time"

// kimiCLI is the Python client that Kimi Code supersedes.
var kimiCLI = Agent{
	Name: "kimi-cli", Title: "Kimi CLI",
	Version: "1.49.0", Date: "2026-11-22", Source: "MoonshotAI/kimi-cli source and documentation",
	Programs:       []string{"kimi-cli"},
	PlainShell:     true,
	OtherVariables: "KIMI_API_KEY KIMI_HOME",
	DefaultTimeout: 30 * time.Second,
	Settings:       []Settings{{Path: "~/.kimi/config.toml", Layout: &oneList, Entry: eventEntry}},
	Setup: Setup{
		RunsIn:  inPlugin,
		Folders: []string{"~/.kimi"}, Windows: CmdExe, Flaws: Flaws{File: UnknownEvent}, Steps: []Step{{"", restart}, {"", "it is no longer maintained (1.51.0 is the last version); its successor is Kimi Code: agent-hooks install kimi-code"}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "session_id", "tool_call_id"), Lacks("client_type", "tool_use_id")}},
	Fields: []Field{
		{Path: "tool_call_id", Name: "tool_use_id"},
		{Path: "error", Name: "tool_error"},
		{Path: "agent_name", Name: "agent_type"},
		{Path: "response", Name: "last_message"},
	},
	Tools: []Tool{
		{"Shell", "Shell"}, {"ReadFile", "ReadFile"}, {"ReadMediaFile", "ReadFile"}, {"WriteFile", "WriteFile"}, {"StrReplaceFile", "EditFile"},
		{"Glob", "Glob"}, {"Grep", "Grep"}, {"FetchURL", "FetchURL"}, {"SearchWeb", "SearchWeb"}, {"Agent", "Task"}, {"Task", "Task"},
		{"SetTodoList", "TodoWrite"},
	},
	Keys:    []Key{{"path", "file_paths", "Glob Grep"}, {"path", "file_path", ""}},
	Judging: Judging{Schema: []Schema{{"*", []Value{words("hso.permissionDecision", "allow", "deny", "ask", "defer"), texts("hso.permissionDecisionReason")}}}},
	Base:    Form{Var("session_id", SessionID), Var("cwd", WorkDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart"},
			{Name: "SessionEnd", MaxTimeout: 5 * time.Second},
			{Name: "UserPromptSubmit", Subject: "prompt", Exit2: true, Deny: hsoDeny},
			{Name: "PreToolUse", Exit2: true, Deny: hsoDeny},
			{Name: "PostToolUse"}, {Name: "PostToolUseFailure"},
			{Name: "Stop", Exit2: true, Deny: hsoDeny, Note: "fires again once"},
			{Name: "StopFailure"}, {Name: "SubagentStart"}, {Name: "SubagentStop"}, {Name: "PreCompact"}, {Name: "PostCompact"}, {Name: "Notification"},
		}
	},
	Quirks: []Quirk{
		{1, "of all output, only the reason of a block reaches the model", "the documentation", "prompt-context"},
	},
}
