package agent

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

var grok = Agent{
	Name: "grok", Aliases: []string{"grok-build"}, Title: "Grok Build",
	Live: true, Version: "1.0.41", Date: "2026-11-28", Source: "the running client, without a terminal; xai-org/grok-build, the user guide, as third parties read it in 2026-10",
	Variables:      []string{"GROK_WORKSPACE_ROOT"},
	OtherVariables: "GROK_HOOK_NAME",
	Programs:       []string{"grok"},
	DefaultTimeout: 5 * time.Second,
	Settings: []Settings{
		{Path: "~/.grok/hooks/*.json", Layout: &grouped, Entry: commandEntry}, {Path: ".grok/hooks/*.json", Layout: &grouped, Entry: commandEntry},
		{Path: "/etc/grok/requirements.toml", Layout: &grouped, Entry: commandEntry},
	},
	Setup: Setup{
		Traces:  []Trace{{"~/.grok/sessions", "GROK_HOME"}},
		Matcher: func(*NativeEvent) Matcher { return Matcher{All: []string{"*"}, List: "|", Split: "|"} },
		Folders: []string{"~/.grok"}, Headless: "-p", Windows: PowerShell, Flaws: Flaws{File: ByteMark},
		Steps: []Step{{"", restart}, {"project", "trust this project's hooks in Grok with /hooks-trust"}},
		Managed: Managed{Lock: "allow_managed_hooks_only", LockIn: []string{"/etc/grok/requirements.toml"},
			Ways: []string{"without the lock, an entry of the user's own can change a call after managed hooks saw it"}},
	},
	NameKey: "hookEventName",
	Proof:   []Evidence{{Has("hookEventName", "sessionId", "workspaceRoot")}},
	Guest:   Guest{"claude-code cursor", []Evidence{{Has("hookEventName", "workspaceRoot")}, {Has("hookEventName", "toolInputTruncated")}}},
	Fields: []Field{
		{Path: "sessionId", Name: "session_id"}, {Path: "workspaceRoot", Name: "work_dir"},
		{Path: "toolName", Name: "tool_name"}, {Path: "toolInput", Name: "tool_input"}, {Path: "toolUseId", Name: "tool_use_id"},
		{Path: "toolResult", Name: "tool_output"}, {Path: "error", Name: "tool_error", Kind: Error},
		{Path: "lastAssistantMessage", Name: "last_message"}, {Path: "stopHookActive", Name: "stop_hook_active"}, {Path: "transcriptPath", Name: "transcript_path"},
		{Path: "subagentId", Name: "agent_id"}, {Path: "subagentType", Name: "agent_type"},
	},
	Tools: []Tool{
		{"run_terminal_command", "Shell"}, {"read_file", "ReadFile"}, {"search_replace", "EditFile"}, {"write", "WriteFile"},
		{"list_dir", "LS"}, {"grep", "Grep"}, {"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"spawn_subagent", "Task"},
	},
	Keys: []Key{
		{"file_path", "file_path", ""}, {"target_file", "file_path", ""}, {"path", "file_paths", ""}, {"target_directory", "file_paths", ""},
		{"content", "content", ""}, {"contents", "content", ""},
	},
	mcp: clineMCP, classify: grokInput, output: grokOutput,
	Judging: Judging{
		Schema: []Schema{
			{"pre_tool_use", []Value{words("decision", "allow", "deny"), texts("reason")}},
			{"user_prompt_submit post_tool_use", []Value{words("decision", "block", "approve"), texts("reason", "hso.additionalContext")}},
			{"stop subagent_stop", []Value{words("decision", "block", "approve"), texts("reason", "stopReason", "hso.additionalContext"), bools("continue")}},
		},
		AnyStatus: true, ReplacesInput: true,
	},
	Blocks:      BlockByForm, // of stderr, PreToolUse takes the first line only
	Base:        Form{Var("sessionId", SessionID), Var("cwd", WorkDir), Var("workspaceRoot", ProjectDir), Var("timestamp", Timestamp)},
	Environment: Form{Var("GROK_HOOK_EVENT", EventName), Var("GROK_SESSION_ID", SessionID), Var("GROK_WORKSPACE_ROOT", ProjectDir), Var("CLAUDE_PROJECT_DIR", ProjectDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "pre_tool_use", Setting: "PreToolUse", Exit2: true, Harmless: true, Deny: denyTop, Input: hsoInput, Context: hsoContext},
			{Name: "session_start", Setting: "SessionStart"}, {Name: "session_end", Setting: "SessionEnd", DefaultTimeout: 1500 * time.Millisecond},
			{Name: "user_prompt_submit", Setting: "UserPromptSubmit", Subject: "-", Exit2: true, Deny: blockTop},
			{Name: "post_tool_use", Setting: "PostToolUse", DefaultTimeout: 600 * time.Second, Exit2: true, Deny: blockTop, Context: hsoContext,
				Output: Form{Var("hso.updatedToolOutput", NewOutput)}},
			{Name: "post_tool_use_failure", Setting: "PostToolUseFailure"},
			{Name: "stop", Setting: "Stop", Subject: "-", DefaultTimeout: 600 * time.Second, Exit2: true, Deny: blockTop, Stop: stopTop,
				Note: "comes again at the session's end, where a block is ignored"},
			{Name: "stop_failure", Setting: "StopFailure"}, {Name: "stop_cancelled", Means: on(spec.PostAgentTurn), Unregistered: true},
			{Name: "subagent_start", Setting: "SubagentStart"}, {Name: "subagent_stop", Setting: "SubagentStop", Also: "SubagentEnd", DefaultTimeout: 600 * time.Second, Exit2: true, Deny: blockTop, Stop: stopTop},
			{Name: "pre_compact", Setting: "PreCompact"}, {Name: "post_compact", Setting: "PostCompact"},
			{Name: "notification", Setting: "Notification"}, {Name: "permission_denied", Setting: "PermissionDenied"},
		}
	},
	Quirks: []Quirk{
		{1, "payloads name events in snake case, settings do not", "the documentation", "deny"},
		{3, "toolInput may be truncated, as toolInputTruncated reports; every matcher then counts as matched", "the documentation", "truncated"},
		{2, "a changed output counts only in the shape of the tool's own result; text replaces output_for_prompt, which the model reads", "seen in 1.0.41", "output-text"},
		{4, "allow and updatedInput grant nothing: the permissions decide on the changed input", "seen in 1.0.41", "modify"},
	},
}

// grokInput reports an input that Grok truncated: the rest may contain what a
// matcher searches for.
func grokInput(c *Call) {
	for _, v := range c.find("toolInputTruncated") {
		if string(v) == "true" {
			c.undecided = "the tool's input is cut off"
		}
	}
}

// grokOutput gives an output the shape of the tool's own result: Grok drops any other. The model
// reads a command's output_for_prompt; output has its bytes.
func grokOutput(c *Call, value []byte) ([]byte, error) {
	own := append(c.find("toolResult"), nil)[0]
	text, isText := rawjson.Text(value)
	if !isText || !isObject(own) {
		return claudeOutput(c, value)
	}
	if lookup(latest(own), "output_for_prompt") == nil {
		return nil, errors.New("bad answer: updated_output does not have the shape of the tool's result, an object")
	}
	values := make([]int, len(text))
	for i := range values {
		values[i] = int(text[i])
	}
	bytes, err := json.Marshal(values)
	return objectOf(assign(latest(own), member{"output_for_prompt", value}, member{"output", bytes})), err
}
