package agent

import (
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// jcli is j-cli, whose hooks are chained: each reads the output of the previous
// one.
var jcli = Agent{
	Name: "j-cli", Aliases: []string{"jcli"}, Title: "j-cli",
	Version: "12.9.20", Date: "2026-11-22", Source: "the j-cli documentation, AI Hook",
	Programs:   []string{"j"},
	PlainShell: true,
	MaxTimeout: 30 * time.Second, DefaultTimeout: 10 * time.Second,
	Settings: []Settings{
		{Path: "~/.jdata/agent/hooks.yaml", Layout: &jcliLayout, Entry: jcliEntry}, {Path: ".jcli/hooks.yaml", Layout: &jcliLayout, Entry: jcliEntry},
	},
	Setup:   Setup{Prompts: &Prompts{Prompt: 30 * time.Second, Retry: 1}, Folders: []string{"~/.jdata/agent"}, Steps: []Step{{"", restart}}},
	NameKey: "event",
	Proof: []Evidence{
		{Is("event", "pre_send_message", "post_send_message", "pre_llm_request", "post_llm_response", "pre_tool_execution", "post_tool_execution", "post_tool_execution_failure", "pre_micro_compact", "post_micro_compact", "pre_auto_compact", "post_auto_compact"), Lacks("hook_event_name")},
	},
	Fields: []Field{
		{Path: "user_input", Name: "prompt"},
		{Path: "assistant_output", Name: "last_message"},
		{Path: "tool_arguments", Name: "tool_input", Kind: JSONText},
		{Path: "tool_result", Name: "tool_output"},
	},
	Tools: claudeTools, Keys: claudeKeys,
	response: textResponse,
	Judging: Judging{
		ReplacesInput: true,
		Also: []Forms{
			{Deny: Form{Set("action", "skip"), Var("retry_feedback", Reason)}, Input: Form{Var("tool_arguments", Input)}}, {Deny: Form{Set("action", "stop"), Var("system_message", Reason)}},
			{Deny: Form{Set("action", "stop"), Var("retry_feedback", Reason)}, Message: jcliMessage},
		},
		Schema:      []Schema{{"*", []Value{words("action", "stop", "skip"), texts("retry_feedback", "system_message", "user_input", "additional_context")}}},
		NoObjection: true,
	},
	settle:      jcliAnswer,
	Base:        Form{Var("session_id", SessionID), Var("cwd", WorkDir), Var("model", Model)},
	Environment: Form{Var("JCLI_HOOK_EVENT", EventName), Var("JCLI_CWD", WorkDir)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "session_start", Note: "the answer is ignored"},
			{Name: "session_end", Note: "the answer is ignored"},
			{Name: "pre_send_message", Means: on(spec.PreAgentTurn), Native: "action retry_feedback", Deny: jcliStop, Prompt: Form{Var("user_input", Prompt)},
				Message: jcliMessage},
			{Name: "post_send_message"},
			{Name: "pre_llm_request", Means: on(spec.PreLLMCall), Native: "messages system_prompt inject_messages action retry_feedback", Deny: jcliStop,
				Context: jcliContext, Message: jcliMessage},
			{Name: "post_llm_response", Means: on(spec.PostLLMCall), Native: "assistant_output action retry_feedback", Deny: jcliStop, Message: jcliMessage},
			{Name: "pre_tool_execution", Means: on(spec.PreToolCall), Harmless: true, Deny: Form{Set("action", "skip"), Var("system_message", Reason)},
				Input: Form{Var("tool_arguments", InputText)}, Message: jcliMessage, Note: "a skipped call has no reason for the model; the user sees it"},
			{Name: "post_tool_execution", Means: on(spec.PostToolCall), Output: Form{Var("tool_result", NewOutputText)}, Message: jcliMessage, InOutput: true,
				Note: "the reason of a block and context are added to the result"},
			{Name: "post_tool_execution_failure", Means: on(spec.PostToolCallFailure), Native: "tool_error", Deny: snakeFeedback, Context: jcliContext,
				Message: jcliMessage},
			{Name: "stop", Native: "action retry_feedback", Deny: Form{Set("action", "stop"), Var("retry_feedback", Reason)}, Context: jcliContext, Message: jcliMessage},
			{Name: "pre_auto_compact", Means: on(spec.PreContextCompact), Native: "action retry_feedback", Deny: jcliStop, Context: jcliContext, Message: jcliMessage},
			{Name: "post_auto_compact", Means: on(spec.PostContextCompact), Native: "messages", Message: jcliMessage},
			{Name: "pre_micro_compact", Means: on(spec.PreContextCompact), Native: "action retry_feedback", Deny: jcliStop, Message: jcliMessage},
			{Name: "post_micro_compact", Means: on(spec.PostContextCompact), Native: "messages", Message: jcliMessage},
		}
	},
	Quirks: []Quirk{
		{1, "any status but 0 is a failure, which j-cli skips by default, so that a block is JSON at status 0", "j-cli, Bash Hook protocol", "deny"},
		{2, "tool_arguments is a string of JSON, in both directions", "j-cli, HookContext", "modify"},
		{3, "action stop with retry_feedback blocks a stop", "j-cli, key fields", "stop-deny"},
		{4, "retry_feedback makes j-cli call the model again, so that the reason of any other block goes to the user", "j-cli, key fields", "llm-deny"},
		{5, "at the end of a turn only retry_feedback counts: a plain action stop lets the turn end", "j-cli, key fields", "stop-deny"},
	},
}

var (
	jcliMessage = Form{Var("system_message", Message)}
	jcliContext = Form{Var("additional_context", Context)}
	jcliStop    = Form{Set("action", "stop"), Var("system_message", Reason)}
)

// jcliAnswer applies j-cli's rule for the end of a turn: feedback keeps it
// working, with or without an action, and nothing else does.
func jcliAnswer(j *judgment, a protocol.Answer) protocol.Answer {
	if j.row.Name != "stop" {
		return a
	}
	feedback := ""
	for _, value := range descend([]byte(j.stdout), "retry_feedback") {
		if text, _ := rawjson.Text(value); text != "" {
			feedback = text
		}
	}
	a.Decision, a.Reason = protocol.NoOpinion, ""
	if feedback != "" {
		a.Decision, a.Reason = protocol.Deny, feedback
	}
	return a
}

var (
	jcliLayout Layout
	// j-cli stops the whole chain of an event after 30 s.
	jcliEntry = Form{Var("command", ShellLine), Var("timeout", Seconds), Set("on_error", "skip")}
)
