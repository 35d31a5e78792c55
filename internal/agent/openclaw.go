package agent

import (
	_ "embed"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// openClaw has no command hooks before a tool call: its own HOOK.md hooks only observe. A
// plugin, which package install writes, forwards the events of its typed hooks and applies
// the answer (see openCode); ask waits for a person.
var openClaw = Agent{
	Name: "openclaw", Title: "OpenClaw",
	Live: true, Version: "2026.9.6", Date: "2026-11-23",
	Source:      "docs/plugins/hooks in the package openclaw; the running client",
	Programs:    []string{"openclaw"},
	TimeoutUnit: time.Millisecond,
	Settings: []Settings{
		{Path: "~/.openclaw/extensions/agent-hooks/index.js", Home: "OPENCLAW_STATE_DIR", Plugin: func() string { return openClawJS }},
		{Path: "~/.openclaw/extensions/agent-hooks/openclaw.plugin.json", Home: "OPENCLAW_STATE_DIR", Text: openClawManifest},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.openclaw/agents", ""}},
		Folders: []string{"~/.openclaw"}, Headless: "agent --local --agent main --message",
		Steps: []Step{
			{"", openClawAccess},
			{"", "restart the gateway: openclaw gateway restart"},
		},
		Left: func(m *Machine) string {
			if valueAt(m.Decoded(openClawConfig, "OPENCLAW_STATE_DIR"), "plugins", "entries", "agent-hooks") == nil {
				return ""
			}
			return "openclaw.json still names the plugin, and OpenClaw warns about that; to remove it: openclaw config unset plugins.entries.agent-hooks"
		},
		Switches: []Switch{
			{Paths: []string{openClawConfig}, Home: "OPENCLAW_STATE_DIR", Keys: []string{"plugins", "enabled"}, Bad: false},
			{Paths: []string{openClawConfig}, Home: "OPENCLAW_STATE_DIR", Keys: []string{"plugins", "entries", "agent-hooks", "enabled"}, Bad: false},
			{Paths: []string{openClawConfig}, Home: "OPENCLAW_STATE_DIR", Keys: []string{"plugins", "deny"}, Bad: "agent-hooks"},
		},
		Trust:     openClawTrust,
		Unguarded: "`openclaw agent exec` runs no hooks of plugins; agents over ACP were not tried",
	},
	AskModes: []string{"*"},
	NameKey:  "hook_event_name",
	Proof: []Evidence{
		{Is("hook_event_name", "before_tool_call", "tool_result"), Has("toolName", "params")},
		{Is("hook_event_name", "before_agent_run", "before_agent_finalize"), Has("sessionId", "agentId")},
	},
	Fields: []Field{
		{Path: "sessionId", Name: "session_id"}, {Path: "agentId", Name: "agent_id"},
		{Path: "toolName", Name: "tool_name"}, {Path: "params", Name: "tool_input"}, {Path: "toolCallId", Name: "tool_use_id"},
		{Path: "content", Name: "tool_output", Kind: Parts}, {Path: "error", Name: "tool_error", Kind: Error},
		{Path: "prompt", Name: "prompt"}, {Path: "lastAssistantMessage", Name: "last_message"}, {Path: "stopHookActive", Name: "stop_hook_active"},
		{Path: "reason", Name: "reason", On: "session_end"},
	},
	Tools: []Tool{
		{"exec", "Shell"}, {"process", "Shell"}, {"terminal", "Shell"}, {"file_write", "WriteFile"}, {"file_fetch", "ReadFile"}, {"read", "ReadFile"}, {"write", "WriteFile"}, {"edit", "EditFile"}, {"apply_patch", "EditFile"},
		{"ls", "LS"}, {"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"sessions_spawn", "Task"},
	},
	Keys:    []Key{{"path", "file_path", ""}},
	Judging: Judging{Also: pluginAlso, Schema: pluginSchema},
	Base:    Form{Var("cwd", WorkDir)},
	mcp:     clineMCP,
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "session_start", Means: on(spec.PreSession), Context: pluginContext, Message: pluginMessage, Note: "the context goes with the session's first prompt"},
			{Name: "session_end", Means: on(spec.PostSession), Message: pluginMessage},
			{Name: "before_agent_run", Means: on(spec.PreAgentTurn), Deny: pluginBlock, Context: pluginContext, Message: pluginMessage},
			{Name: "before_tool_call", Means: on(spec.PreToolCall), Subagent: spec.PreSubagent, Harmless: true, Deny: pluginBlock, Ask: Form{Var("ask", Reason)},
				Input: Form{Var("args", Input)}, Message: pluginMessage, Note: "the policy for commands decides afterwards, with the changed input"},
			{Name: "tool_result", Means: on(spec.PostToolCall), Failed: spec.PostToolCallFailure, Deny: contextFeedback, Context: pluginContext,
				Output: Form{Var("output", NewOutputText)}, Message: pluginMessage, Note: "a middleware for results of tools"},
			{Name: "before_agent_finalize", Means: endOfTurn, Deny: Form{Var("continue", Reason)}, Message: pluginMessage},
			{Name: "agent_end", Means: on(spec.PostAgentTurn), Message: pluginMessage, Note: "forwarded for failed turns only"},
			{Name: "before_compaction", Means: on(spec.PreContextCompact), Message: pluginMessage},
			{Name: "after_compaction", Means: on(spec.PostContextCompact), Message: pluginMessage},
			{Name: "subagent_ended", Means: on(spec.PostSubagent), Message: pluginMessage},
		}
	},
	Quirks: []Quirk{
		{1, "hooks are functions of a plugin, which forwards events and carries out the answer", "the documentation", "deny"},
		{2, "a call that needs a person is paused until one approves it; without an answer it is denied", "the documentation", "ask"},
		{3, "without plugins.entries.agent-hooks.enabled, the plugin is not loaded, whatever the documentation says about the folder; without hooks.allowConversationAccess there, no prompt reaches hooks", "seen in 2026.9.6", "prompt-deny"},
		{4, "exec's command may fail without an error: only tools that fail are failures", "seen in 2026.9.6", "result"},
		{5, "a message is in OpenClaw's log", "the running client", "message"},
	},
}

const (
	openClawConfig   = "~/.openclaw/openclaw.json"
	openClawManifest = `{
  "id": "agent-hooks",
  "name": "agent-hooks",
  "description": "Runs your hooks. Written by agent-hooks install; remove it with: agent-hooks uninstall openclaw",
  "activation": {"onStartup": true, "onCapabilities": ["hook"]},
  "contracts": {"agentToolResultMiddleware": ["openclaw", "codex"]},
  "configSchema": {"type": "object", "additionalProperties": false}
}
`
	openClawAccess = "enable its plugin, also for prompts: openclaw config set plugins.entries.agent-hooks " +
		`'{"enabled": true, "hooks": {"allowConversationAccess": true}}' --strict-json --merge`
)

// openClawTrust reports what OpenClaw's settings keep from the plugin.
func openClawTrust(m *Machine, _ []Entry) (found []Finding) {
	config := m.Decoded(openClawConfig, "OPENCLAW_STATE_DIR")
	if list, ok := valueAt(config, "plugins", "allow").([]any); ok && !slices.Contains(list, any("agent-hooks")) {
		found = append(found, Finding{Level: Broken, Text: "plugins.allow in openclaw.json lacks agent-hooks, so OpenClaw does not load the plugin", Fix: "openclaw plugins enable agent-hooks"})
	}
	switch entry := valueAt(config, "plugins", "entries", "agent-hooks"); {
	case config == nil && m.Read(openClawConfig, "OPENCLAW_STATE_DIR") != nil: // it cannot be parsed
	case valueAt(entry, "enabled") != true:
		found = append(found, Finding{Level: Broken, Text: "OpenClaw loads the plugin only once openclaw.json enables it, so no hook runs", Fix: openClawAccess, Step: true})
	case valueAt(entry, "hooks", "allowConversationAccess") != true:
		found = append(found, Finding{Level: Warning, Text: "only tool calls reach your hooks, no prompts", Fix: openClawAccess, Step: true})
	}
	return found
}

//go:embed plugins/openclaw.js
var openClawJS string
