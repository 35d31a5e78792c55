package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

var codex = Agent{
	Name: "codex", Aliases: []string{"codex-cli"}, Title: "Codex",
	Live: true, Version: "0.169.0", Date: "2026-11-22",
	Source:         "developers.openai.com/codex/hooks; openai/codex codex-rs/hooks; the running client",
	OtherVariables: "CODEX_SANDBOX CODEX_SANDBOX_ CODEX_API_KEY",
	FixedDir:       true, Programs: []string{"codex"},
	TimeoutUnit: time.Second, MaxTimeout: 600 * time.Second, DefaultTimeout: 600 * time.Second,
	Settings: []Settings{
		{Scope: "user", Path: "~/.codex/hooks.json", Home: "CODEX_HOME", Format: "json"},
		{Scope: "user", Path: "~/.codex/config.toml", Home: "CODEX_HOME", Format: "toml"},
		{Scope: "project", Path: ".codex/hooks.json", Format: "json"},
		{Scope: "project", Path: ".codex/config.toml", Format: "toml"},
	},
	NameKey: "hook_event_name", NoisyStdout: true,
	Proof: []string{
		"hook_event_name session_id turn_id model !cursor_version !timestamp",
		"hook_event_name=SessionStart session_id model permission_mode source transcript_path !cursor_version !timestamp",
	},
	Fields: claudeFields,
	Tools: []Tool{
		{"Bash", "Shell"}, {"exec_command", "Shell"}, {"write_stdin", "Shell"}, {"apply_patch", "EditFile"}, {"spawn_agent", "Task"}, {"update_plan", "TodoWrite"},
		{"request_user_input", "AskUser"}, {"view_image", "ReadFile"},
	},
	Keys: []Key{
		{Native: "command", Canonical: "command", Tool: "Shell"}, {Native: "cmd", Canonical: "command", Tool: "Shell"},
		{Native: "chars", Canonical: "command", Tool: "Shell"},
		{Native: "path", Canonical: "file_path"},
	},
	patches:  "command",
	response: textResponse,
	Judging: Judging{
		ReplacesInput: true,
		Also:          []Forms{{Deny: blockTop}, {Stop: "continue=false"}},
		NeedsReason:   true, NeedsName: true, NeedsText: true, Plain: "SessionStart UserPromptSubmit SubagentStart",
		Schema: []Schema{{"*", "decision=block|approve|allow|deny reason=$text continue=$bool stopReason=$text systemMessage=$text suppressOutput=$bool" +
			" hso.permissionDecision=allow|deny|ask hso.permissionDecisionReason=$text hso.additionalContext=$text hso.updatedInput=$object" +
			" hso.decision=$object hso.decision.behavior=allow|deny hso.decision.message=$text"}},
		NoText:   "Stop SubagentStop Interrupt",
		Keys:     "continue stopReason suppressOutput systemMessage decision reason hookSpecificOutput",
		HookKeys: "hookEventName permissionDecision permissionDecisionReason updatedInput additionalContext decision",
		Rejects:  []Form{"suppressOutput=true", "decision=approve", "decision=allow", "decision=deny", "hso.permissionDecision=ask"},
	},
	Base:        "session_id=$session_id transcript_path=$transcript_path cwd=$cwd permission_mode=default model=$model turn_id=$turn_id",
	Environment: "PLUGIN_ROOT=$dir CLAUDE_PLUGIN_ROOT=$dir",
	Events: []NativeEvent{
		{Name: "SessionStart", Spec: []spec.EventType{spec.PreSession},
			Forms: Forms{Context: hsoContext, Message: systemMessage}},
		{Name: "SessionEnd", Spec: []spec.EventType{spec.PostSession}, MaxTimeout: 3 * time.Second},
		{Name: "UserPromptSubmit", Spec: []spec.EventType{spec.PreAgentTurn}, Exit2: true,
			Forms: Forms{Deny: blockTop, Context: hsoContext, Message: systemMessage}},
		{Name: "PreToolUse", Spec: []spec.EventType{spec.PreToolCall}, Exit2: true,
			Forms: Forms{
				Deny:    hsoDeny,
				Input:   "hso.permissionDecision=allow hso.updatedInput=$input",
				Context: hsoContext, Message: systemMessage,
			},
			Note: "ask runs the tool, so it becomes a deny; a changed input is only possible together with an allow"},
		{Name: "PermissionRequest", Spec: []spec.EventType{spec.PermissionRequest}, Exit2: true,
			Forms: Forms{
				Deny: hsoRefuse, Ask: bySilence, Allow: "hso.decision.behavior=allow", Message: systemMessage,
			}},
		{Name: "PostToolUse", Spec: []spec.EventType{spec.PostToolCall}, Exit2: true,
			Forms: Forms{Deny: blockTop, Context: hsoContext, Message: systemMessage, Output: blockOutput, Stop: stopTop},
			Note:  "failed Bash calls also arrive here, and nothing marks them as failed; it does not fire for a patch that a shell command applies from a here-document"},
		{Name: "SubagentStart", Spec: []spec.EventType{spec.PreSubagent},
			Forms: Forms{Context: hsoContext, Message: systemMessage}},
		{Name: "SubagentStop", Spec: []spec.EventType{spec.PostSubagent}, Exit2: true,
			Forms: Forms{Deny: blockTop, Message: systemMessage, Stop: stopTop}},
		{Name: "Stop", Spec: []spec.EventType{spec.PreAgentTurnStop, spec.PostAgentTurnStop, spec.PostAgentTurn}, Exit2: true,
			Forms: Forms{Deny: blockTop, Message: systemMessage, Stop: stopTop},
			Note:  "the client has no limit of its own; stop-limit bounds the loop"},
		{Name: "PreCompact", Spec: []spec.EventType{spec.PreContextCompact},
			Forms: Forms{Deny: stopTop, Message: systemMessage, Stop: stopTop}},
		{Name: "PostCompact", Spec: []spec.EventType{spec.PostContextCompact},
			Forms: Forms{Message: systemMessage, Stop: stopTop}},
		{Name: "Interrupt", Spec: []spec.EventType{spec.PostAgentTurn}, MaxTimeout: 3 * time.Second,
			Forms: Forms{Message: systemMessage}},
		{Name: "PreModelRequest", Unregistered: true}, {Name: "PostModelRequest", Unregistered: true},
	},
	Quirks: []Quirk{
		{ID: "Q-codex-1", Text: "an unknown or unsupported key makes the answer fail and the tool run, so a deny is exit status 2",
			Source: "the documentation", Fixture: "codex/deny.txt"},
		{ID: "Q-codex-2", Text: "exit status 2 without a reason on stderr lets the tool run", Source: "the running client", Fixture: "codex/deny.txt"},
		{ID: "Q-codex-3", Text: "ask fails open, so it becomes a deny", Source: "the running client", Fixture: "codex/ask.txt"},
		{ID: "Q-codex-4", Text: "updatedInput is valid only with allow, which also grants the call", Source: "the running client", Fixture: "codex/modify-allow.txt"},
		{ID: "Q-codex-5", Text: "allow without updatedInput is an error and is not sent", Source: "the documentation", Fixture: "codex/allow.txt"},
		{ID: "Q-codex-6", Text: "hooks run in a login shell, whose profile may print before the answer and allow the call; exit status 2 still blocks",
			Source: "reports of 2026-11, the running client", Fixture: "codex/deny-message.txt"},
		{ID: "Q-codex-7", Text: "apply_patch names its files only in the headers of the patch", Source: "the documentation", Fixture: "codex/patch.txt"},
		{ID: "Q-codex-9", Text: "apply_patch with a here-document is a Bash call: guards of EditFile match it, and file_paths lists the patch's files",
			Source: "the running client", Fixture: "codex/patch-heredoc.txt"},
		{ID: "Q-codex-8", Text: "hookSpecificOutput is forbidden on Stop and SubagentStop", Source: "the documentation", Fixture: "codex/stop-context.txt"},
	},
}
