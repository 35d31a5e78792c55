package agent

import (
	"testing"

	"github.com/agent-hooks/agent-hooks/protocol"
)

// TestRestrict checks what a program that may only restrict can say in an agent's
// own form, and that nothing else passes.
func TestRestrict(t *testing.T) {
	tests := []struct {
		agent, event, object string
		want                 protocol.Decision
		known, dropped       bool
		out                  string // the encoded answer
	}{
		{"j-cli", "pre_tool_execution", `{"action":"skip"}`, protocol.Deny, true, false, `{"action":"skip","system_message":"hook h: "}`},
		{"j-cli", "pre_tool_execution", `{"action":"skip","tool_arguments":"{}"}`, protocol.Deny, true, false, `{"action":"skip","system_message":"hook h: "}`},
		{"j-cli", "pre_tool_execution", `{"tool_arguments":"{\"command\":\"ls\"}"}`, "", true, true, ``},
		{"j-cli", "pre_tool_execution", `{"system_message":"fine"}`, "", false, false, ``},
		{"j-cli", "post_llm_response", `{"action":"stop","retry_feedback":"no keys"}`, protocol.Deny, true, false, `{"action":"stop","retry_feedback":"no keys"}`},
		{"j-cli", "post_llm_response", `{"retry_feedback":"no keys","assistant_output":"fine"}`, protocol.Deny, true, true, `{"action":"stop","retry_feedback":"no keys"}`},
		{"j-cli", "post_llm_response", `{"assistant_output":"fine"}`, "", true, true, ``},
		{"j-cli", "stop", `{"action":"stop"}`, "", true, false, ``},
		{"j-cli", "stop", `{"retry_feedback":"go on"}`, protocol.Deny, true, false, `{"action":"stop","retry_feedback":"go on"}`},
		{"j-cli", "pre_llm_request", `{"messages":[],"inject_messages":[],"system_prompt":"x"}`, "", true, true, ``},
		{"blade", "PreToolUse", `{"permissionDecision":"allow","updatedInput":{"command":"x"}}`, "", true, true, ``},
		{"blade", "PreToolUse", `{"permissionDecision":"ask","permissionDecisionReason":"why"}`, protocol.Ask, true, false,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`},
		{"blade", "Stop", `{"continue":true,"continueReason":"test it"}`, protocol.Deny, true, false, `2 hook h: test it`},
		{"blade", "SessionStart", `{"env":{"PATH":"/tmp"}}`, "", true, true, ``},
		{"claude-code", "PreToolUse", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`, "", true, true, ``},
		{"claude-code", "PreToolUse", `{"tool_name":"Bash","tool_input":{"command":"ls"}}`, "", false, false, ``},
		{"claude-code", "Stop", `{"decision":"block","reason":"test it"}`, protocol.Deny, true, false, `{"decision":"block","reason":"hook h: test it"}`},
		{"claude-code", "PostToolUse", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"x"}}`, "", true, true, ``},
		{"copilot", "preToolUse", `{"permissionDecision":"deny","permissionDecisionReason":"no","modifiedArgs":{}}`, protocol.Deny, true, false,
			`{"permissionDecision":"deny","permissionDecisionReason":"hook h: no"}`},
	}
	for _, test := range tests {
		call, err := Find(test.agent).Decode([]byte(`{}`), test.event)
		if err != nil {
			t.Fatal(err)
		}
		r := call.Restrict([]byte(test.object))
		if r.Answer.Decision != test.want || r.Known != test.known || r.Dropped != test.dropped || r.Err != nil {
			t.Errorf("%s %s %s: %+v", test.agent, test.event, test.object, r)
		}
		out := call.Encode(Verdict{Answer: r.Answer, Hook: "h"})
		got := string(out.Stdout)
		if out.Status != 0 {
			got = "2 " + out.Stderr + "\n"
		}
		if want := test.out + "\n"; got != want && got+test.out != "" {
			t.Errorf("%s %s %s: encoded as %q, want %q", test.agent, test.event, test.object, got, want)
		}
	}
}

// FuzzRestrict checks that no object passes an allow or a change, for any agent.
func FuzzRestrict(f *testing.F) {
	f.Add(`{"decision":"approve","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{}}}`)
	f.Add(`{"action":"stop","retry_feedback":"x","messages":[]}`)
	f.Fuzz(func(t *testing.T, object string) {
		for _, a := range agents {
			if a.Converses { // its hooks are processes, not scripts that call a judge
				continue
			}
			for i := range a.Events() {
				row := &a.Events()[i]
				c := &Call{Agent: a, Row: row, Events: row.Spec(), Gates: min(1, len(row.Spec()))}
				r := c.Restrict([]byte(object))
				if kept := r.Answer.OnlyRestricting(); kept.Decision != r.Answer.Decision || r.Answer.ModifiedInput != nil || r.Answer.ModifiedPrompt != "" || r.Answer.UpdatedOutput != nil {
					t.Fatalf("%s %s: %+v", a.Name, row.Name, r.Answer)
				}
				out := c.Encode(Verdict{Answer: r.Answer})
				again, _, _ := a.Judge(row, "", protocol.Exit{Status: out.Status, Stdout: out.Stdout, Stderr: []byte(out.Stderr)}, true)
				if again.Decision == protocol.Allow && len(row.Spec()) > 0 || again.ModifiedInput != nil || again.ModifiedPrompt != "" {
					t.Fatalf("%s %s: %s is read as %+v", a.Name, row.Name, out.Stdout, again)
				}
			}
		}
	})
}
