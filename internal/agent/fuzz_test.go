package agent_test

import (
	"encoding/json"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// FuzzDialect decodes any payload of any agent and encodes any answer. Nothing panics; an
// event decoded from a JSON payload is JSON; a deny is enforced or reported; no
// opinion grants nothing; and a changed input reaches the agent as JSON.
func FuzzDialect(f *testing.F) {
	for _, a := range agent.All() {
		for _, fixture := range payloadsOf(f, a) {
			f.Add(a.Name, []byte(fixture["payload"]), fixture["event"], []byte(`{"command": "x", "file_path": "y"}`))
		}
	}
	f.Fuzz(func(t *testing.T, name string, payload []byte, event string, change []byte) {
		a := agent.Find(name)
		if a == nil {
			return
		}
		call, err := a.Decode(payload, event)
		out := call.Encode(agent.Verdict{Answer: protocol.Answer{Decision: protocol.Deny, Reason: "no"}, Hook: "h"})
		if !out.Blocked && !out.NotEnforced {
			t.Errorf("a deny is neither enforced nor reported: %+v", out)
		}
		none := call.Encode(agent.Verdict{})
		if none.Status != 0 || none.Blocked {
			t.Errorf("no opinion blocks: %+v", none)
		}
		if err != nil || len(call.Events) == 0 {
			return
		}
		if json.Valid(payload) && !json.Valid(call.Object()) {
			t.Errorf("the event is not JSON: %s", call.Object())
		}
		parsed, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
		answer := protocol.Answer{Decision: protocol.Allow, ModifiedInput: change}
		var object map[string]json.RawMessage
		if json.Unmarshal(change, &object) != nil || object == nil || !json.Valid(payload) || parsed.ToolInput() == nil {
			return
		}
		if answer, err = call.Fit(parsed, answer); err != nil {
			return
		}
		if !json.Valid(answer.ModifiedInput) {
			t.Errorf("the merged input is not JSON: %s", answer.ModifiedInput)
		}
		if native := call.Encode(agent.Verdict{Answer: answer}); len(native.Stdout) > 0 && !json.Valid(native.Stdout) {
			t.Errorf("the answer is not JSON: %s", native.Stdout)
		}
	})
}
