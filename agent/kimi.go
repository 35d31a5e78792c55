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
	Settings: []Settings{
		{Scope: "user", Path: "~/.kimi-code/config.toml", Home: "KIMI_CODE_HOME", Format: "toml", Layout: &oneList, Entry: eventEntry},
	},
	Setup: Setup{
		PluginFiles: []string{"kimi.plugin.json", ".kimi-plugin/plugin.json"}, RunsIn: inPlugin,
		Folders: []string{"~/.kimi-code"}, Headless: "-p", Windows: CmdExe,
		Strict: Strict{Keys: []string{"event", "matcher", "command", "timeout"}, Events: true},
		Steps:  []Step{{"", restart}},
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
	Keys: []Key{
		{Native: "command", Canonical: "command", Tool: "Shell"},
		{Native: "path", Canonical: "file_paths", Tool: "Glob"}, {Native: "path", Canonical: "file_paths", Tool: "Grep"},
		{Native: "path", Canonical: "file_path"}, {Native: "file_path", Canonical: "file_path"},
		{Native: "content", Canonical: "content"},
		{Native: "old_string", Canonical: "old_string"}, {Native: "new_string", Canonical: "new_string"},
		{Native: "url", Canonical: "url"}, {Native: "query", Canonical: "query"},
	},
	response: textResponse,
	Judging: Judging{
		Also:   []Forms{{Context: Form{Var("hso.message", Context)}}},
		Schema: []Schema{{"*", []Value{words("hso.permissionDecision", "allow", "deny", "ask", "defer"), texts("hso.permissionDecisionReason")}}},
		Plain:  "UserPromptSubmit",
	},
	settle:      kimiAnswer,
	Base:        Form{Var("session_id", SessionID), Set("client_type", "cli"), Var("cwd", WorkDir)},
	Environment: Form{Var("KIMI_PLUGIN_ROOT", HookDir)},
	Transcripts: &kimiTranscripts,
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}},
		{Name: "UserPromptSubmit", Subject: "prompt", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true,
			Forms: Forms{Deny: hsoDeny, Context: Form{Var("message", Context)}},
			Note:  "print mode (-p) does not fire it in some versions"},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true, Forms: Forms{Deny: hsoDeny}},
		{Name: "PermissionRequest", Spec: []spec.EventType{spec.PermissionRequest}, Forms: Forms{Ask: bySilence}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}, Note: "a hook's answer is not read"},
		{Name: "PostToolUseFailure", Spec: []spec.EventType{spec.PostToolCallFailure}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true,
			Forms: Forms{Deny: hsoDeny}, Note: "fires once per turn"},
		{Name: "StopFailure", Spec: []spec.EventType{spec.PostAgentTurn}},
		{Name: "Interrupt", Spec: []spec.EventType{spec.PostAgentTurn}},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact}},
		{Name: "PostCompact", Spec: []spec.EventType{spec.PostContextCompact}},
		{Name: "Notification", Spec: []spec.EventType{spec.Notification}},
		{Name: "PermissionResult"},
		{Name: "UserPromptQueued", Unregistered: true}, {Name: "TurnStarted", Unregistered: true},
		{Name: "SessionHeartbeat", Unregistered: true}, {Name: "TaskStarted", Unregistered: true},
	},
	Quirks: []Quirk{
		{ID: "Q-kimi-code-1", Text: "decision block or deny at the top level lets the tool run; exit status 2 and hookSpecificOutput do not", Source: "the running client", Fixture: "kimi-code/deny.txt"},
		{ID: "Q-kimi-code-2", Text: "the context of a prompt is {\"message\"}; any other JSON is pasted into the model's context", Source: "the running client", Fixture: "kimi-code/prompt-context.txt"},
		{ID: "Q-kimi-code-3", Text: "prompt is an array of parts", Source: "the documentation", Fixture: "kimi-code/prompt-context.txt"},
		{ID: "Q-kimi-code-4", Text: "error of a failed tool is an object", Source: "the documentation", Fixture: "kimi-code/failure.txt"},
		{ID: "Q-kimi-code-5", Text: "ask runs the tool, so it becomes a deny", Source: "the running client", Fixture: "kimi-code/ask.txt"},
		{ID: "Q-kimi-code-6", Text: "the key of a file is path", Source: "the documentation", Fixture: "kimi-code/write.txt"},
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
