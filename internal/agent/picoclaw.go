package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// picoclaw calls hooks over JSON-RPC: the native event is the method, the
// payload its params, the answer its result (agent-hooks serve). In
// notifications, Kind is the event's name.
var picoclaw = Agent{
	Name: "picoclaw", Title: "PicoClaw",
	Version: "protocol 1", Date: "2026-11-28", Source: "the PicoClaw documentation, Hook JSON protocol, and pkg/agent/hook_process.go",
	Programs:   []string{"picoclaw"},
	PlainShell: true,
	Settings:   []Settings{{Path: "~/.picoclaw/config.json", Layout: &Layout{Root: []string{"hooks", "processes"}, Key: "agent-hooks"}, Entry: picoclawEntry}},
	Setup: Setup{
		Folders:  []string{"~/.picoclaw"},
		Steps:    []Step{{"", "restart the gateway, and raise hooks.defaults.interceptor_timeout_ms if hooks need longer"}},
		Switches: []Switch{{Paths: []string{"~/.picoclaw/config.json"}, Keys: []string{"hooks", "enabled"}, Bad: false}},
	},
	NameKey: "Kind",
	Fields: []Field{
		{Path: "meta.SessionKey", Name: "session_id"}, {Path: "Meta.SessionKey", Name: "session_id"},
		{Path: "meta.TurnID", Name: "turn_id"}, {Path: "Meta.TurnID", Name: "turn_id", On: "turn_end"},
		{Path: "meta.AgentID", Name: "agent_id"}, {Path: "Meta.AgentID", Name: "agent_id"},
		{Path: "tool", Name: "tool_name"}, {Path: "arguments", Name: "tool_input"},
		{Path: "result", Name: "tool_output"}, {Path: "result", Name: "tool_error", Kind: Failure},
		{Path: "response.content", Name: "last_message"},
	},
	Tools: []Tool{
		{"bash", "Shell"}, {"exec", "Shell"}, {"read_file", "ReadFile"}, {"write_file", "WriteFile"}, {"edit_file", "EditFile"},
		{"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"subagent", "Task"}, {"spawn", "Task"},
	},
	Keys: []Key{{"path", "file_path", ""}},
	Judging: Judging{
		Also: []Forms{{Deny: Form{Set("action", "abort_turn"), Var("reason", Reason)}}, {Deny: Form{Set("action", "hard_abort"), Var("reason", Reason)}}, {Deny: Form{Set("action", "respond"), Var("result.for_llm", Reason)}}},
	},
	Base: Form{Var("model", Model)},
	events: func() []NativeEvent {
		return []NativeEvent{
			{Name: "hook.before_llm", Means: on(spec.PreLLMCall), Base: picoclawMeta, Silent: picoclawContinue, Deny: picoclawAbort,
				Note: "context is added to the messages of the request"},
			{Name: "hook.after_llm", Means: on(spec.PostLLMCall), Base: picoclawMeta, Silent: picoclawContinue, Deny: picoclawAbort, Stop: picoclawAbort},
			{Name: "hook.before_tool", Means: on(spec.PreToolCall), Base: picoclawMeta, Silent: picoclawContinue, Harmless: true,
				Deny: Form{Set("action", "deny_tool"), Var("reason", Reason)}, Input: Form{Set("action", "modify"), Var("call.tool", ToolName), Var("call.arguments", Input)},
				Note: "a changed input grants nothing: hook.approve_tool then decides about it"},
			{Name: "hook.after_tool", Means: on(spec.PostToolCall), Failed: spec.PostToolCallFailure, Base: picoclawMeta, Silent: picoclawContinue, Deny: picoclawAbort,
				Output: Form{Set("action", "modify"), Var("result", NewOutput), Var("result.result", NewOutput)}, Stop: picoclawAbort, InOutput: true,
				Note: "the reason of a block and context are added to the result for the model; the result is given twice, because PicoClaw's code reads it in result.result"},
			{Name: "hook.approve_tool", Means: on(spec.PermissionRequest), Base: picoclawMeta, Silent: `{"approved":true}`,
				Deny: Form{JSON("approved", "false"), Var("reason", Reason)}, Allow: Form{JSON("approved", "true")},
				Note: "without an objection the tool is approved, as without hooks"},
			{Name: "turn_start"},
			{Name: "turn_end", Means: on(spec.PostAgentTurn), Base: Form{Var("Meta.SessionKey", SessionID), Var("Meta.TurnID", TurnID)},
				Note: "a notification, which is not answered"},
			{Name: "llm_request"}, {Name: "llm_response"}, {Name: "tool_exec_start"}, {Name: "tool_exec_end"}, {Name: "tool_exec_skipped"}, {Name: "steering_injected"},
			{Name: "interrupt_received"}, {Name: "error"},
		}
	},
	Quirks: []Quirk{
		{1, "every interceptor must answer with an action: silence is continue", "PicoClaw, hook.before_tool", "none"},
		{2, "a separate method asks for approval; its answer has approved instead of action", "PicoClaw, hook.approve_tool", "approve-deny"},
		{3, "a changed result replaces the whole result object", "PicoClaw, hook.after_tool", "after-output"},
	},
	Converses: true,
	output:    picoclawOutput,
	response:  picoclawResponse,
}

const picoclawContinue = `{"action":"continue"}`

var (
	picoclawAbort = Form{Set("action", "abort_turn"), Var("reason", Reason)}
	picoclawMeta  = Form{Var("meta.SessionKey", SessionID), Var("meta.TurnID", TurnID)}
)

// picoclawOutput inserts an output into the result of the call, because
// PicoClaw replaces the whole result.
func picoclawOutput(c *Call, value []byte) ([]byte, error) {
	if isObject(value) && lookup(latest(value), "for_llm") != nil {
		return value, nil
	}
	own := c.find("result")
	if len(own) == 0 || !isObject(own[0]) {
		return nil, fmt.Errorf("bad answer: there is no result to replace")
	}
	changes := []member{{"for_llm", asText(value)}}
	if result := latest(own[0]); lookup(result, "for_user") != nil && same(lookup(result, "for_user"), lookup(result, "for_llm")) {
		changes = append(changes, member{"for_user", asText(value)})
	}
	return objectOf(assign(latest(own[0]), changes...)), nil
}

// picoclawResponse converts a result to one of PicoClaw's tools.
func picoclawResponse(b *builder, value []byte) []byte {
	if lookup(latest(value), "for_llm") != nil {
		return value
	}
	failure := lookup(b.members, "tool_error")
	return picoclawResult(rawjson.AppendText(nil, outputText(value)), failure != nil && string(failure) != "null")
}

func picoclawResult(text []byte, failed bool) []byte {
	return objectOf([]member{
		{"for_llm", text}, {"for_user", []byte(`""`)}, {"silent", []byte("false")}, {"is_error", strconv.AppendBool(nil, failed)},
		{"async", []byte("false")}, {"media", []byte("[]")}, {"artifact_tags", []byte("[]")}, {"response_handled", []byte("false")},
	})
}

// requestKeys are the members of a request to the model.
var requestKeys = [...]string{"model", "messages", "tools", "options"}

// picoclawNative returns the answer with the content that only PicoClaw's own
// hooks can express, and adds context to the request or to the tool's result.
func picoclawNative(e *encoder) []byte {
	answer := latest(e.a.Native)
	switch {
	case e.a.Decision == protocol.Deny && answer != nil && e.out.Blocked:
		if !isAction(e.a.Native, "respond") {
			answer = assign(answer, member{"reason", rawjson.AppendText(nil, e.a.Reason)})
		}
		return objectOf(answer)
	case lastAt(e.a.Native, "call.tool") != nil && e.a.Decision != protocol.Deny: // the call is one of another tool
		if e.a.ModifiedInput == nil {
			return e.a.Native
		}
		call := assign(latest(lookup(answer, "call")), member{"arguments", e.call.nativeInput(e.a.ModifiedInput)})
		return objectOf(assign(answer, member{"call", objectOf(call)}))
	case e.a.Decision != protocol.NoOpinion || e.a.Stop:
		return nil
	}
	key, value := e.contextual(answer)
	if key == "" || e.a.AdditionalContext == "" {
		return e.a.Native
	}
	e.a.AdditionalContext, e.a.UpdatedOutput = "", nil
	answer = assign(answer, member{"action", []byte(`"modify"`)})
	return objectOf(assign(answer, member{key, value}))
}

// contextual returns the member of an answer that carries the context; "" if
// the event has none.
func (e *encoder) contextual(answer []member) (key string, value []byte) {
	payload := latest(e.call.Payload)
	context := rawjson.AppendText(nil, e.a.AdditionalContext)
	switch e.row.Name {
	case "hook.before_llm":
		request := latest(lookup(answer, "request"))
		for _, key := range requestKeys {
			if value := lookup(payload, key); value != nil && lookup(request, key) == nil {
				request = append(request, member{key, value})
			}
		}
		messages := bytes.TrimSpace(lookup(request, "messages"))
		if rawjson.Elements(messages, func([]byte) bool { return true }) != nil {
			return "", nil
		}
		said := bytes.Clone(bytes.TrimSpace(messages[:len(messages)-1]))
		if len(said) > 1 {
			said = append(said, ',')
		}
		said = slices.Concat(said, []byte(`{"role":"system","content":`), context, []byte("}]"))
		return "request", objectOf(assign(request, member{"messages", said}))
	}
	return "", nil
}

var picoclawEntry = Form{
	JSON("enabled", "true"), Var("priority", Priority), Set("transport", "stdio"), Var("command", Words),
	JSON("observe", `["turn_end"]`), JSON("intercept", `["before_llm","after_llm","before_tool","after_tool","approve_tool"]`),
}
