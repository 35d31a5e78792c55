package agent

import (
	"bytes"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

var hermes = Agent{
	Name: "hermes", Title: "Hermes Agent",
	Version: "0.20.2", Date: "2026-11-22", Source: "the source after v0.20, September 2026",
	Programs:   []string{"hermes"},
	PlainShell: true,
	MaxTimeout: 300 * time.Second,
	// It requires consent for each event and command line, so these never change.
	Settings: []Settings{{Path: "~/.hermes/config.yaml", Home: "HERMES_HOME", Layout: &listed, Entry: shellEntry}},
	Setup: Setup{
		Matcher: func(*NativeEvent) Matcher { return Matcher{Whole: true, Invalid: true} },
		Folders: []string{"~/.hermes"}, Reviews: true, NoShell: true,
		FailClosed: Form{JSON("fail_closed", "true")}, FailOn: "pre_tool_call",
		Steps:    []Step{{"", "start Hermes at a terminal and allow each hook, or run it once with --accept-hooks"}},
		Switches: []Switch{{Variable: "HERMES_SAFE_MODE"}},
		Trust:    hermesTrust,
	},
	NameKey: "hook_event_name",
	Proof:   []Evidence{{Has("hook_event_name", "session_id", "profile", "extra")}},
	Fields: []Field{
		{Path: "extra.tool_call_id", Name: "tool_use_id"},
		{Path: "extra.result", Name: "tool_output"},
		{Path: "extra.prompt", Name: "prompt"}, {Path: "extra.user_message", Name: "prompt"},
	},
	Tools: []Tool{
		{"terminal", "Shell"}, {"read_file", "ReadFile"}, {"write_file", "WriteFile"}, {"patch", "EditFile"}, {"search_files", "Grep"},
		{"web_extract", "FetchURL"}, {"web_search", "SearchWeb"}, {"delegate_task", "Task"},
	},
	Keys: []Key{{"path", "file_paths", "Grep"}, {"path", "file_path", ""}, {"url", "url", ""}, {"urls", "url", ""}},
	Judging: Judging{
		Also:      []Forms{{Deny: Form{Set("action", "block"), Var("message", Reason)}}, {Deny: Form{Set("action", "continue"), Var("message", Reason)}}, {Input: Form{Set("action", "modify"), Var("args", Input)}}},
		Schema:    []Schema{{"*", []Value{words("decision", "block", "modify"), words("action", "block", "modify", "continue"), texts("reason", "message", "context"), objects("args", "tool_input")}}},
		AnyStatus: true, Status2: "pre_tool_call", Status2Reason: true,
	},
	Base: Form{Var("session_id", SessionID), Var("cwd", WorkDir), Set("profile", "default")},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "on_session_start", Means: on(spec.PreSession)},
			{Name: "on_session_end", Means: on(spec.PostSession)},
			{Name: "pre_tool_call", Means: on(spec.PreToolCall), Deny: blockTop, Input: Form{Set("decision", "modify"), Var("tool_input", Input)}},
			{Name: "post_tool_call", Means: on(spec.PostToolCall), Deny: contextFeedback, Context: Form{Var("context", Context)}},
			{Name: "pre_llm_call", Means: on(spec.PreAgentTurn), Context: Form{Var("context", Context)}, Note: "once per turn; cannot block"},
			{Name: "post_llm_call", Means: on(spec.PostAgentTurn)},
			{Name: "pre_verify", Means: on(spec.PreAgentTurnStop, spec.PostAgentTurnStop), Deny: blockTop},
			{Name: "subagent_start"}, {Name: "subagent_stop"}, {Name: "on_session_finalize"}, {Name: "on_session_reset"}, {Name: "pre_approval_request"},
			{Name: "post_approval_response"}, {Name: "pre_api_request"}, {Name: "post_api_request"},
		}
	},
	Quirks: []Quirk{
		{1, "decision deny is unknown; block blocks", "reports of 2026-11", "deny"},
		{3, "exit status 2 blocks in newer versions only, with 400 characters of stderr, so that a block is JSON", "the source after v0.20", "deny"},
		{2, "pre_verify is the stop gate", "reports of 2026-11", "stop-deny"},
	},
}

// hermesTrust checks that Hermes has consent for each command line.
func hermesTrust(m *Machine, entries []Entry) []Finding {
	allowed := m.Read("~/.hermes/shell-hooks-allowlist.json", "HERMES_HOME")
	for _, e := range entries {
		if !bytes.Contains(allowed, bytes.Trim(rawjson.AppendText(nil, e.Line), `"`)) {
			return []Finding{{Level: Broken, Text: "Hermes has not been allowed to run the entries, and skips them without a terminal", Fix: "start Hermes at a terminal and allow them, or run it once with --accept-hooks"}}
		}
	}
	return nil
}
