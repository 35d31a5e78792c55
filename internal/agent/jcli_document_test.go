package agent_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// TestHookResult lets a script of j-cli print every field of its documentation's
// HookResult on every event. j-cli gets exactly the fields that the
// documentation lists as writable for the event (D61).
func TestHookResult(t *testing.T) {
	const changes = `"user_input":"u","assistant_output":"a","messages":[{"role":"user","content":"m"}],"system_prompt":"p",` +
		`"tool_arguments":"{\"command\":\"ls\"}","tool_result":"r","tool_error":"e","inject_messages":[{"role":"user","content":"i"}],` +
		`"additional_context":"c","system_message":"s"`
	const stops = "action retry_feedback system_message"
	for event, want := range map[string]struct{ changed, stopped string }{
		"session_start":               {"", ""}, // the answer is ignored
		"session_end":                 {"", ""},
		"pre_send_message":            {"system_message user_input", stops},
		"pre_llm_request":             {"additional_context inject_messages messages system_message system_prompt", stops},
		"post_llm_response":           {"assistant_output system_message", stops},
		"pre_tool_execution":          {"system_message tool_arguments", "action system_message"},
		"post_tool_execution":         {"system_message tool_result", "system_message tool_result"},
		"post_tool_execution_failure": {"additional_context system_message tool_error", "additional_context system_message"},
		"stop":                        {"additional_context system_message", stops},
		"pre_micro_compact":           {"system_message", stops},
		"post_micro_compact":          {"messages system_message", "messages system_message"},
		"pre_auto_compact":            {"additional_context system_message", stops},
		"post_auto_compact":           {"messages system_message", "messages system_message"},
	} {
		if got := writes(t, event, "{"+changes+"}"); got != want.changed {
			t.Errorf("%s: j-cli gets %q, want %q", event, got, want.changed)
		}
		if got := writes(t, event, "{"+changes+`,"action":"stop","retry_feedback":"f"}`); got != want.stopped {
			t.Errorf("%s with a stop: j-cli gets %q, want %q", event, got, want.stopped)
		}
	}
}

// writes returns the sorted keys of j-cli's answer for a script's output.
func writes(t *testing.T, event, output string) string {
	t.Helper()
	payload := `{"event":"` + event + `","session_id":"s","cwd":"/","messages":[],"system_prompt":"p","user_input":"u","assistant_output":"a",` +
		`"tool_name":"Bash","tool_arguments":"{\"command\":\"ls -la\"}","tool_result":"r","tool_error":"e"}`
	call, err := agent.Find("j-cli").Decode([]byte(payload), "")
	if err != nil {
		t.Fatal(err)
	}
	e, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
	f := call.Agent.Foreign(e, call, script.Hook{})
	answer, _, err := f.Judge(e, "h", protocol.Exit{Stdout: []byte(output + "\n")})
	if err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	if answer, err = call.Fit(e, answer); err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	got := map[string]any{}
	if out := call.Encode(agent.Verdict{Answer: answer, Hook: "h"}); len(out.Stdout) > 0 {
		if err := json.Unmarshal(out.Stdout, &got); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(got)), " ")
}
