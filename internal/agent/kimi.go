package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var kimiCode = Agent{
	Name: "kimi-code", Aliases: []string{"kimi"}, Title: "Kimi Code",
	Live: true, Version: "2.1.0", Date: "2026-11-22",
	Source:         "@moonshot-ai/kimi-code and its documentation; the running client",
	OtherVariables: "KIMI_CODE_ KIMI_API_KEY KIMI_HOME",
	Programs:       []string{"kimi"},
	PlainShell:     true,
	DefaultTimeout: 30 * time.Second,
	// A plugin would be safer, but only Kimi Code itself can install one.
	Settings: []Settings{{Path: "~/.kimi-code/config.toml", Home: "KIMI_CODE_HOME", Layout: &oneList, Entry: eventEntry}},
	Setup: Setup{
		Traces:      []Trace{{"~/.kimi-code/sessions", "KIMI_CODE_HOME"}},
		PluginFiles: []string{"kimi.plugin.json", ".kimi-plugin/plugin.json"}, RunsIn: inPlugin,
		Folders: []string{"~/.kimi-code"}, Headless: "-p", Windows: CmdExe,
		Flaws: Flaws{File: UnknownKey | UnknownEvent, Keys: []string{"event", "matcher", "command", "timeout"}},
		Steps: []Step{{"", restart}},
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "session_id", "client_type")}},
	Fields: []Field{
		{Path: "prompt", Name: "prompt", Kind: Parts},
		{Path: "error", Name: "tool_error", Kind: Error},
		{Path: "agent_name", Name: "agent_type"},
		{Path: "response", Name: "last_message"},
		{Path: "error_message", Name: "reason", On: "StopFailure"},
	},
	Tools: []Tool{
		{"Bash", "Shell"}, {"Read", "ReadFile"}, {"ReadMediaFile", "ReadFile"}, {"Write", "WriteFile"}, {"Edit", "EditFile"},
		{"Glob", "Glob"}, {"Grep", "Grep"}, {"FetchURL", "FetchURL"}, {"WebSearch", "SearchWeb"}, {"Agent", "Task"},
		{"AgentSwarm", "Task"}, {"TodoList", "TodoWrite"}, {"AskUserQuestion", "AskUser"}, {"Skill", "Skill"},
	},
	Keys:     []Key{{"path", "file_paths", "Glob Grep"}, {"path", "file_path", ""}, {"file_path", "file_path", ""}},
	response: textResponse,
	Judging: Judging{
		Also:   []Forms{{Context: Form{Var("hso.message", Context)}}},
		Schema: []Schema{{"*", []Value{words("hso.permissionDecision", "allow", "deny", "ask", "defer"), texts("hso.permissionDecisionReason")}}},
		Plain:  "UserPromptSubmit",
	},
	settle:      kimiAnswer,
	Base:        Form{Var("session_id", SessionID), Set("client_type", "cli"), Var("cwd", WorkDir)},
	Environment: Form{Var("KIMI_PLUGIN_ROOT", HookDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "SessionStart"}, {Name: "SessionEnd"},
			{Name: "UserPromptSubmit", Subject: "prompt", Exit2: true, Deny: hsoDeny, Context: Form{Var("message", Context)},
				Note: "print mode (-p) does not fire it in some versions"},
			{Name: "PreToolUse", Exit2: true, Deny: hsoDeny},
			{Name: "PermissionRequest", Ask: bySilence},
			{Name: "PostToolUse", Note: "a hook's answer is not read"},
			{Name: "PostToolUseFailure"},
			{Name: "Stop", Exit2: true, Deny: hsoDeny, Note: "fires once per turn"},
			{Name: "StopFailure"},
			{Name: "Interrupt", Means: on(spec.PostAgentTurn)},
			{Name: "SubagentStart"}, {Name: "SubagentStop"}, {Name: "PreCompact"}, {Name: "PostCompact"}, {Name: "Notification"}, {Name: "PermissionResult"},
			{Name: "UserPromptQueued", Unregistered: true},
			{Name: "TurnStarted", Unregistered: true},
			{Name: "SessionHeartbeat", Unregistered: true},
			{Name: "TaskStarted", Unregistered: true},
		}
	},
	Quirks: []Quirk{
		{1, "decision block or deny at the top level lets the tool run; exit status 2 and hookSpecificOutput do not", "the running client", "deny"},
		{2, "the context of a prompt is {\"message\"}; any other JSON is pasted into the model's context", "the running client", "prompt-context"},
		{3, "prompt is an array of parts", "the documentation", "prompt-context"},
		{4, "error of a failed tool is an object", "the documentation", "failure"},
		{5, "ask runs the tool, so it becomes a deny", "the running client", "ask"},
		{6, "the key of a file is path", "the documentation", "write"},
	},
}

// inPlugin returns the folder of the plugin that an entry belongs to.
func inPlugin(_ string, _ bool, plugin string) string { return plugin }

// kimiAnswer reads an object without a known key as text.
func kimiAnswer(j *judgment, a protocol.Answer) protocol.Answer {
	if a.Empty() && j.on(j.agent.Judging.Plain) {
		a.AdditionalContext = j.stdout
	}
	return a
}
