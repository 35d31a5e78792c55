package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestConverse checks what a hook that converses is asked before a tool call,
// and what its answers mean together.
func TestConverse(t *testing.T) {
	const call, modify = `{"tool":"bash","arguments":{"command":"rm"}}`, `{"action":"modify","call":{"tool":"bash","arguments":{"command":"ls"}}}`
	for _, c := range []struct{ before, approve, asked, want string }{
		{`{"action":"continue"}`, `{"approved":true}`, "rm", `{"action":"continue"}`},
		{modify, `{"approved":true}`, "ls", modify},
		{`{"action":"continue","call":{"arguments":{}}}`, `{"approved":true}`, "rm", `{"action":"continue","call":{"arguments":{}}}`},
		{modify, `{"approved":false,"reason":"no"}`, "ls", `{"action":"deny_tool","reason":"no"}`},
		{modify, `{"action":"abort_turn","reason":"no"}`, "ls", `{"action":"abort_turn","reason":"no"}`},
		{`{"action":"deny_tool","reason":"no"}`, `{"approved":true}`, "", `{"action":"deny_tool","reason":"no"}`},
	} {
		asked := ""
		_, e := decoded(t, "picoclaw", "hook.before_tool", call)
		elsewhere := agent.Find("picoclaw").Foreign(e, nil, script.Hook{})
		got, err := elsewhere.Converse(script.Talk{Ask: func(method string, params []byte) ([]byte, error) {
			if method == "hook.before_tool" {
				return []byte(c.before), nil
			}
			_, asked, _ = strings.Cut(string(params), `"arguments":{"command":"`)
			asked, _, _ = strings.Cut(asked, `"`)
			return []byte(c.approve), nil
		}})
		if string(got) != c.want || asked != c.asked || err != nil {
			t.Errorf("%s, then %s: asked to approve %s, result %s, %v; want %s, %s", c.before, c.approve, asked, got, err, c.asked, c.want)
		}
	}
}

// TestConversation checks the requests that a hook reads, and those of the hook
// after one that changed the request to the model.
func TestConversation(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"hook.hello",`
	for _, c := range []struct {
		event            spec.EventType
		object, requests string
	}{
		{spec.PreLLMCall, `{"model":"m","messages":[{"role":"user"}],"options":{"n":1}}`,
			`{"jsonrpc":"2.0","id":2,"method":"hook.before_llm","params":{"Kind":"hook.before_llm","model":"m","messages":[{"role":"user"}],"tools":[],"options":{"n":1},` + meta + "\n"},
		{spec.PreLLMCall, `{}`, `{"jsonrpc":"2.0","id":2,"method":"hook.before_llm","params":{"Kind":"hook.before_llm","messages":[],"tools":[],` + meta + "\n"},
		{spec.PostLLMCall, `{"response":{"content":"x"}}`, `{"jsonrpc":"2.0","id":2,"method":"hook.after_llm","params":{"Kind":"hook.after_llm","response":{"content":"x"},` + meta + "\n"},
		{spec.PostLLMCall, `{"response":"x"}`, `{"jsonrpc":"2.0","id":2,"method":"hook.after_llm","params":{"Kind":"hook.after_llm",` + meta + "\n"},
		{spec.PostAgentTurn, `{"turn_id":"t"}`, `{"jsonrpc":"2.0","method":"hook.event","params":{"Kind":"turn_end","Meta":{"TurnID":"t","SessionKey":""}}}` + "\n"},
	} {
		e, _ := protocol.ParseEvent(c.event, []byte(c.object), "2026-01-01T00:00:00Z")
		first, rest, _ := strings.Cut(string(agent.Find("picoclaw").Foreign(e, nil, script.Hook{}).Stdin), "\n")
		if !strings.HasPrefix(first, hello) || rest != c.requests {
			t.Errorf("%s: %s\n%s\nwant\n%s", c.object, first, rest, c.requests)
		}
	}
	call, e := decoded(t, "picoclaw", "hook.before_llm", `{"model":"m","messages":[],"channel":"cli"}`)
	first := call.Agent.Foreign(e, call, script.Hook{})
	e = first.Changed(e, []byte(`{"action":"modify","request":{"model":"n"}}`))
	if stdin := string(call.Agent.Foreign(e, call, script.Hook{}).Stdin); !strings.Contains(stdin, `"params":{"model":"n","messages":[],"channel":"cli"}`) {
		t.Errorf("the hook after a change reads %s", stdin)
	}
}

const meta = `"meta":{"SessionKey":""}}}`

// TestUnknownAction checks that an action that the event does not have is a
// failure, not the absence of an objection.
func TestUnknownAction(t *testing.T) {
	for _, c := range [][2]string{
		{"hook.before_tool", `{"approved":false,"reason":"no"}`},
		{"hook.before_llm", `{"action":"deny_tool","reason":"no"}`},
	} {
		_, e := decoded(t, "picoclaw", c[0], `{"tool":"bash","arguments":{}}`)
		if a, _, err := conversing(t, c[0], `{"tool":"bash","arguments":{}}`).Judge(e, "h", protocol.Exit{Stdout: []byte(c[1])}); err == nil {
			t.Errorf("%s: %s is %s", c[0], c[1], describe(a, err))
		}
	}
}

// TestForeign checks the environment of scripts for other agents.
func TestForeign(t *testing.T) {
	const crush = `{"event":"PreToolUse","session_id":"s","cwd":"/repo","tool_name":"multiedit","tool_input":{"file_path":"a"}}`
	call, e := decoded(t, "crush", "", crush)
	for _, c := range []struct{ script, project, dir, variable string }{
		{"crush", "/repo", "/work", "CRUSH_TOOL_NAME=multiedit"},
		{"claude-code", "/repo", "/work", "CLAUDE_PROJECT_DIR=/repo"},
		{"windsurf", "/repo", "/repo", "ROOT_WORKSPACE_PATH=/repo"},
		{"windsurf", "", "/work", ""},
	} {
		f := agent.Find(c.script).Foreign(e, call, script.Hook{Project: c.project, WorkDir: "/work"})
		if f.Dir != c.dir || c.variable != "" && !slices.Contains(f.Environ, c.variable) {
			t.Errorf("%s runs in %s with %q", c.script, f.Dir, f.Environ)
		}
	}
	e, _ = protocol.ParseEvent(spec.PostToolCall, []byte(`{"tool_name":"Shell"}`), "")
	if agent.Find("crush").Foreign(e, nil, script.Hook{}) != nil {
		t.Error("crush has an event for post-tool-call")
	}
}

func decoded(t *testing.T, name, event, payload string) (*agent.Call, *protocol.Event) {
	t.Helper()
	call, err := agent.Find(name).Decode([]byte(payload), event)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := call.Parse(call.Events[0], "2026-01-01T00:00:00Z")
	return call, e
}

// conversing returns a run of a hook for PicoClaw that PicoClaw calls.
func conversing(t *testing.T, event, payload string) *agent.Foreign {
	t.Helper()
	call, e := decoded(t, "picoclaw", event, payload)
	return call.Agent.Foreign(e, call, script.Hook{})
}
