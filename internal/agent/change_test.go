package agent_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestChanged checks for every agent and event that no hook reads the original
// of a prompt, an output or an input that another hook has changed (D88): not
// one of the agent's own, not one of the format, not one of another agent.
func TestChanged(t *testing.T) {
	for _, a := range agent.All() {
		for _, row := range a.Rows() {
			if slices.ContainsFunc(row.Spec(), func(e spec.EventType) bool { return e.IsTool() || e == spec.PreAgentTurn }) {
				for _, payload := range nativePayloads(t, a, row) {
					checkChanged(t, a, row, payload)
				}
			}
		}
	}
	for _, p := range []struct{ agent, event, payload string }{
		{"kimi-code", "UserPromptSubmit", `{"prompt":[{"type":"text","text":"SECRET"},{"type":"image","url":"i"}]}`},
		{"kimi-code", "PostToolUse", `{"tool_name":"Bash","tool_output":"SECRET"}`},
		{"claude-code", "UserPromptSubmit", `{"prompt":"SECRET","prompt":"SECRET"}`},
		{"claude-code", "PostToolUse", `{"tool_name":"Bash","tool_response":{"stdout":"SECRET","stderr":"SECRET","interrupted":false}}`},
		{"claude-code", "PostToolUse", `{"tool_name":"mcp__a__b","tool_response":[{"type":"text","text":"SECRET"}]}`},
		{"claude-code", "PostToolUse", `{"tool_name":"mcp__a__b","tool_response":[{"type":"text","text":"x"},{"type":"resource","resource":{"text":"SECRET"}}]}`},
		{"pi", "tool_result", `{"toolName":"bash","content":[{"type":"text","text":"x"},{"type":"image","data":"SECRET"}]}`},
		{"codex", "PostToolUse", `{"tool_name":"Bash","tool_response":"SECRET"}`},
		{"gemini-cli", "AfterTool", `{"tool_name":"x","tool_response":{"llmContent":"SECRET","returnDisplay":"SECRET"}}`},
		{"gemini-cli", "AfterTool", `{"tool_name":"x","tool_response":{"llmContent":[{"text":"SECRET"}],"returnDisplay":{"a":"SECRET"}}}`},
		{"copilot", "postToolUse", `{"toolName":"bash","toolResult":{"resultType":"success","textResultForLlm":"SECRET"}}`},
		{"copilot", "postToolUse", `{"toolName":"bash","tool_result":{"result_type":"success","text_result_for_llm":"SECRET"},"tool_response":"SECRET"}`},
		{"copilot", "preToolUse", `{"toolName":"bash","toolArgs":"{\"command\":\"SECRET\"}"}`},
		{"cursor", "postToolUse", `{"tool_name":"MCP:b","tool_output":"{\"text\":\"SECRET\"}"}`},
		{"cursor", "afterMCPExecution", `{"tool_name":"b","result_json":"{\"text\":\"SECRET\"}"}`},
		{"cursor", "afterShellExecution", `{"command":"x","output":"SECRET"}`},
		{"cursor", "beforeShellExecution", `{"command":"SECRET","cwd":"/repo"}`},
		{"cline", "PreToolUse", `{"tool_call":{"name":"x","input":{"command":"SECRET"}},"preToolUse":{"toolName":"x","parameters":{"command":"SECRET"}}}`},
		{"cline", "PostToolUse", `{"tool_result":{"name":"x","output":"SECRET"},"postToolUse":{"toolName":"x","result":"SECRET"}}`},
		{"opencode", "chat.message", `{"input":{},"output":{"parts":[{"type":"text","text":"SECRET"}]}}`},
		{"opencode", "tool.execute.after", `{"input":{"tool":"bash","args":{}},"output":{"output":"SECRET"}}`},
		{"picoclaw", "hook.after_tool", `{"tool":"bash","result":{"for_llm":"SECRET","for_user":"SECRET","is_error":false}}`},
		{"hermes", "pre_llm_call", `{"extra":{"prompt":"SECRET","user_message":"SECRET"}}`},
		{"hermes", "post_tool_call", `{"tool_name":"terminal","extra":{"result":"SECRET"}}`},
		{"pi", "tool_result", `{"toolName":"bash","content":[{"type":"text","text":"SECRET"}]}`},
		{"windsurf", "pre_mcp_tool_use", `{"tool_info":{"mcp_server_name":"a","mcp_tool_name":"b","mcp_tool_arguments":{"command":"SECRET"}}}`},
		{"windsurf", "pre_user_prompt", `{"tool_info":{"user_prompt":"SECRET"}}`},
	} {
		a := agent.Find(p.agent)
		checkChanged(t, a, a.Event(p.event), []byte(p.payload))
	}
}

// nativePayloads returns the payloads that the agent sends for a native event.
func nativePayloads(t *testing.T, a *agent.Agent, row *agent.NativeEvent) (payloads [][]byte) {
	for _, e := range row.Spec() {
		event := `{"session_id":"s","cwd":"/repo","tool_name":"mcp__a__b","tool_input":{"command":"SECRET"}}`
		switch {
		case e == spec.PreAgentTurn:
			event = `{"session_id":"s","cwd":"/repo","prompt":"SECRET"}`
		case e == spec.PostToolCall:
			event = `{"session_id":"s","cwd":"/repo","tool_name":"mcp__a__b","tool_input":{"command":"ls"},"tool_output":"SECRET"}`
		case !e.IsTool():
			continue
		}
		parsed, _ := protocol.ParseEvent(e, []byte(event), "2026-01-01T00:00:00Z")
		f := a.Foreign(parsed, nil, script.Hook{Project: "/repo", WorkDir: "/repo", Event: row.Name})
		payload := f.Stdin
		if a.Converses { // the last line is the event
			lines := bytes.Split(bytes.TrimSpace(payload), []byte("\n"))
			var request struct{ Params json.RawMessage }
			if err := json.Unmarshal(lines[len(lines)-1], &request); err != nil {
				t.Fatal(err)
			}
			payload = request.Params
		}
		payloads = append(payloads, bytes.TrimSpace(payload))
	}
	return payloads
}

// checkChanged replaces SECRET in the payload's prompt, output and input, and
// checks what hooks read then.
func checkChanged(t *testing.T, a *agent.Agent, row *agent.NativeEvent, payload []byte) {
	t.Helper()
	call, err := a.Decode(payload, row.Name)
	if err != nil {
		t.Fatalf("%s %s: %v", a.Name, row.Name, err)
	}
	event, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
	changed := event
	if values, _ := event.Field("prompt"); len(values) > 0 {
		changed = changed.WithPrompt("REDACTED")
	}
	if slices.Contains(call.Events, spec.PostToolCall) && has(event, "tool_output", "tool_response", "tool_result") {
		changed = changed.WithOutput([]byte(`"REDACTED"`))
	}
	if input := event.ToolInput(); input != nil {
		changed = changed.WithInput(bytes.ReplaceAll(input, []byte("SECRET"), []byte("REDACTED")))
	}
	changed = call.Changed(changed)
	var text bytes.Buffer
	_, _ = changed.WriteTo(&text)
	seen := map[string][]byte{"the format": text.Bytes()}
	for _, a := range agent.All() {
		if f := a.Foreign(changed, call, script.Hook{Project: "/repo", WorkDir: "/repo"}); f != nil {
			seen[a.Name] = f.Stdin
		}
	}
	sent := bytes.Contains(payload, []byte("SECRET"))
	for by, stdin := range seen {
		if bytes.Contains(stdin, []byte("SECRET")) {
			t.Errorf("%s %s: hooks of %s read the original: %s", a.Name, row.Name, by, stdin)
			break
		}
		if (by == a.Name || by == "the format") && sent && !bytes.Contains(stdin, []byte("REDACTED")) {
			t.Errorf("%s %s: hooks of %s do not read the change: %s", a.Name, row.Name, by, stdin)
		}
	}
	if !a.Converses && !sameShape(payload, bytes.TrimSpace(seen[a.Name])) {
		t.Errorf("%s %s: the payload changes its shape:\n%s\n%s", a.Name, row.Name, payload, seen[a.Name])
	}
}

func has(e *protocol.Event, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		values, _ := e.Field(key)
		return len(values) > 0
	})
}

// sameShape reports whether two objects have the same keys with values of the
// same kinds.
func sameShape(a, b []byte) bool {
	var before, after map[string]json.RawMessage
	if json.Unmarshal(a, &before) != nil || json.Unmarshal(b, &after) != nil || len(before) != len(after) {
		return false
	}
	for key, value := range before {
		if strings.Contains(`{["`, string(value[:1])) && (len(after[key]) == 0 || after[key][0] != value[0]) {
			return false
		}
	}
	return true
}
