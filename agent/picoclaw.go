package agent

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// picoclaw calls hooks over JSON-RPC: the native event is the method, the
// payload its params, the answer its result (agent-hooks serve). Notifications
// name their event by Kind.
var picoclaw = Agent{
	Name: "picoclaw", Title: "PicoClaw", Tier: 1,
	Version: "protocol 1", Date: "2026-11-22", Source: "the PicoClaw documentation, Hook JSON protocol",
	Programs: []string{"picoclaw"},
	NameKey:  "Kind",
	Fields: []Field{
		{Path: "meta.SessionKey", Name: "session_id"}, {Path: "Meta.SessionKey", Name: "session_id"},
		{Path: "meta.TurnID", Name: "turn_id"}, {Path: "Meta.TurnID", Name: "turn_id"},
		{Path: "meta.AgentID", Name: "agent_id"}, {Path: "Meta.AgentID", Name: "agent_id"},
		{Path: "tool", Name: "tool_name"}, {Path: "arguments", Name: "tool_input"},
		{Path: "result", Name: "tool_output"}, {Path: "result", Name: "tool_error", Kind: Failure},
		{Path: "response.content", Name: "last_message"},
	},
	Tools: []Tool{
		{"bash", "Shell"}, {"exec", "Shell"}, {"read_file", "ReadFile"}, {"write_file", "WriteFile"}, {"edit_file", "EditFile"},
		{"web_fetch", "FetchURL"}, {"web_search", "SearchWeb"}, {"subagent", "Task"}, {"spawn", "Task"},
	},
	Keys: []Key{{Native: "path", Canonical: "file_path"}},
	Judging: Judging{
		Also: []Forms{{Deny: "action=abort_turn reason=$reason"}, {Deny: "action=hard_abort reason=$reason"}, {Deny: "action=respond result.for_llm=$reason"}},
	},
	Base: "meta.SessionKey=$session_id meta.TurnID=$turn_id model=$model",
	Events: []Event{
		{Name: "hook.before_llm", Spec: []spec.EventType{spec.PreLLMCall}, Silent: picoclawContinue, Forms: Forms{Deny: picoclawAbort}},
		{Name: "hook.after_llm", Spec: []spec.EventType{spec.PostLLMCall}, Silent: picoclawContinue, Forms: Forms{Deny: picoclawAbort, Stop: picoclawAbort}},
		{Name: "hook.before_tool", Spec: []spec.EventType{spec.PreToolCall}, Silent: picoclawContinue, Harmless: true,
			Forms: Forms{Deny: "action=deny_tool reason=$reason", Input: "action=modify call.tool=$tool call.arguments=$input"},
			Note:  "a changed input grants nothing: hook.approve_tool is asked about it"},
		{Name: "hook.after_tool", Spec: []spec.EventType{spec.PostToolCall}, Failed: spec.PostToolCallFailure, Silent: picoclawContinue,
			Forms: Forms{Deny: picoclawAbort, Output: "action=modify result=$output", Stop: picoclawAbort}},
		{Name: "hook.approve_tool", Spec: []spec.EventType{spec.PermissionRequest}, Silent: `{"approved":true}`,
			Forms: Forms{Deny: "approved=false reason=$reason", Allow: "approved=true"},
			Note:  "without an objection the tool is approved, as without hooks"},
		{Name: "turn_start"},
		{Name: "turn_end", Spec: []spec.EventType{spec.PostAgentTurn}, Note: "a notification, which is not answered"},
		{Name: "llm_request"}, {Name: "llm_response"},
		{Name: "tool_exec_start"}, {Name: "tool_exec_end"}, {Name: "tool_exec_skipped"},
		{Name: "steering_injected"}, {Name: "interrupt_received"}, {Name: "error"},
	},
	Quirks: []Quirk{
		{ID: "Q-picoclaw-1", Text: "every interceptor must answer with an action: silence is continue", Source: "PicoClaw, hook.before_tool", Fixture: "picoclaw/none.txt"},
		{ID: "Q-picoclaw-2", Text: "approval is asked by a method of its own, with approved instead of action", Source: "PicoClaw, hook.approve_tool", Fixture: "picoclaw/approve-deny.txt"},
		{ID: "Q-picoclaw-3", Text: "a changed result replaces the whole result object", Source: "PicoClaw, hook.after_tool", Fixture: "picoclaw/after-output.txt"},
	},
	Converses: true,
	output:    picoclawOutput,
}

const (
	picoclawContinue      = `{"action":"continue"}`
	picoclawAbort    Form = "action=abort_turn reason=$reason"
)

// picoclawOutput puts an output into the result of the call: PicoClaw replaces
// the result as a whole.
func picoclawOutput(c *Call, value []byte) ([]byte, error) {
	if isObject(value) && lookup(latest(value), "for_llm") != nil {
		return value, nil
	}
	own := c.find("result")
	if len(own) == 0 || !isObject(own[0]) {
		return nil, fmt.Errorf("bad answer: there is no result to replace")
	}
	if _, text := protocol.Text(value); !text {
		value = protocol.AppendText(nil, string(value))
	}
	return objectOf(assign(latest(own[0]), member{"for_llm", value})), nil
}

// conversation is what a hook that speaks the protocol reads when it is run
// for one event: the handshake, then the request with the payload. A tool call
// of another system is asked about twice, as PicoClaw does.
func (f *Foreign) conversation(hook string) []byte {
	out := []byte(`{"jsonrpc":"2.0","id":1,"method":"hook.hello","params":{"name":`)
	out = append(protocol.AppendText(out, hook), `,"version":1,"modes":["observe","llm","tool","approve"]}}`...)
	payload := bytes.ReplaceAll(f.Stdin, []byte("\n"), []byte(" "))
	ask := func(id, method string) {
		out = append(out, "\n"+`{"jsonrpc":"2.0",`+id+`"method":"`+method+`","params":`...)
		out = append(append(out, payload...), '}')
	}
	if f.notifies() {
		ask("", "hook.event")
	} else {
		ask(`"id":2,`, f.Row.Name)
	}
	if f.Row.Name == "hook.before_tool" && !f.Own {
		ask(`"id":3,`, "hook.approve_tool")
	}
	return append(out, '\n')
}

// notifies reports whether the event is a notification, which is not answered.
func (f *Foreign) notifies() bool { return !strings.HasPrefix(f.Row.Name, "hook.") }

// heard returns the result of the conversation. A hook that did not shake
// hands or answer has failed, whatever its exit status.
func (f *Foreign) heard(stdout []byte) ([]byte, error) {
	results, errs := map[string][]byte{}, map[string][]byte{}
	for line := range bytes.Lines(stdout) {
		var id string
		var result, failure []byte
		_ = protocol.Members(bytes.TrimSpace(line), func(key string, value []byte) bool {
			switch key {
			case "id":
				id = string(value)
			case "result":
				result = value
			case "error":
				failure = value
			}
			return true
		})
		if failure != nil && string(failure) != "null" {
			errs[id] = failure
		} else if result != nil && results[id] == nil {
			results[id] = result
		}
	}
	if ok := descend(results["1"], "ok"); len(ok) == 0 || string(ok[0]) != "true" {
		return nil, errors.New("bad answer: the hook did not answer hook.hello")
	}
	if f.notifies() {
		return nil, nil
	}
	approved := descend(results["3"], "approved")
	switch code := descend(errs["3"], "code"); {
	case len(approved) > 0 && string(approved[0]) == "false":
		reason := []byte(`""`)
		if said := descend(results["3"], "reason"); len(said) > 0 {
			reason = said[0]
		}
		return append(append([]byte(`{"action":"deny_tool","reason":`), reason...), '}'), nil
	case results["2"] == nil && errs["2"] != nil:
		return nil, fmt.Errorf("the hook answered with the error %s", clip(string(errs["2"])))
	case results["2"] == nil:
		return nil, errors.New("bad answer: the hook did not answer the request")
	case errs["3"] != nil && !(len(code) > 0 && string(code[0]) == "-32601"):
		return nil, fmt.Errorf("the hook answered hook.approve_tool with the error %s", clip(string(errs["3"])))
	}
	return results["2"], nil
}
