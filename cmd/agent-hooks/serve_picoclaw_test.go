package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The messages of PicoClaw's documentation, with the answers of a project whose
// hooks block rm, the prompt "secret" and the output "token".
var picoclawMessages = []struct{ method, params, want string }{
	{"hook.before_llm", `{"meta":{"AgentID":"agent-1","TurnID":"turn-1","ParentTurnID":"","SessionKey":"session-1","Iteration":0,"TracePath":"runTurn","Source":"turn.llm.request"},"model":"claude-sonnet","messages":[{"role":"user","content":"hello"}],"tools":[{"type":"function","function":{"name":"echo","description":"echo text","parameters":{"type":"object"}}}],"options":{"temperature":0.7},"channel":"cli","chat_id":"chat-1","graceful_terminal":false}`, `map[action:continue]`},
	{"hook.before_llm", `{"model":"claude-sonnet","messages":[{"role":"user","content":"secret"}],"tools":[]}`, `map[action:abort_turn reason:hook llm: secret]`},
	{"hook.after_llm", `{"meta":{"AgentID":"agent-1","TurnID":"turn-1","SessionKey":"session-1"},"model":"claude-sonnet","response":{"role":"assistant","content":"Hi!","tool_calls":[{"id":"tc-1","type":"function","function":{"name":"echo","arguments":"{\"text\":\"hi\"}"}}]},"channel":"cli","chat_id":"chat-1"}`, `map[action:continue]`},
	{"hook.before_tool", `{"meta":{"AgentID":"agent-1","TurnID":"turn-1","SessionKey":"session-1"},"tool":"echo_text","arguments":{"text":"hello"},"channel":"cli","chat_id":"chat-1"}`, `map[action:modify call:map[arguments:map[text:modified hello] tool:echo_text]]`},
	{"hook.before_tool", `{"tool":"bash","arguments":{"command":"ls"}}`, `map[action:continue]`},
	{"hook.before_tool", `{"tool":"bash","arguments":{"command":"rm -rf /"}}`, `map[action:deny_tool reason:hook guard: no]`},
	{"hook.after_tool", `{"meta":{"AgentID":"agent-1"},"tool":"echo_text","arguments":{"text":"hello"},"result":{"for_llm":"echoed: hello","for_user":"","silent":false,"is_error":false,"async":false,"media":[],"artifact_tags":[],"response_handled":false},"duration":15000000,"channel":"cli","chat_id":"chat-1"}`, `map[action:continue]`},
	{"hook.after_tool", `{"tool":"echo_text","arguments":{"text":"x"},"result":{"for_llm":"token","silent":false}}`, `map[action:modify result:map[for_llm:hidden result:map[for_llm:hidden silent:false] silent:false]]`},
	{"hook.approve_tool", `{"meta":{"AgentID":"agent-1","TurnID":"turn-1","SessionKey":"session-1"},"tool":"bash","arguments":{"command":"rm -rf /"},"channel":"cli","chat_id":"chat-1"}`, `map[approved:false reason:hook approver: dangerous]`},
	{"hook.approve_tool", `{"tool":"bash","arguments":{"command":"ls"}}`, `map[approved:true]`},
}

func newPicoclaw(t *testing.T) *served {
	s := newServed(t, "--agent", "picoclaw")
	s.hook("guard", "echo no >&2; exit 2", "matcher: {tool: Shell, pattern: 'rm -rf'}")
	s.hook("change", `echo '{"modified_input": {"text": "modified hello"}}'`, "matcher: {tool: echo_text}")
	s.event("llm", "pre-llm-call", `grep -q secret && echo secret >&2 && exit 2; exit 0`)
	s.event("output", "post-tool-call", `grep -q token && echo '{"updated_output": "hidden"}'; exit 0`)
	s.event("approver", "permission-request", `echo dangerous >&2; exit 2`, "matcher: {pattern: 'rm -rf'}")
	return s
}

// event writes a hook of any event.
func (s *served) event(name, trigger, script string, lines ...string) {
	s.Helper()
	front := "---\nname: " + name + "\ndescription: A hook.\ntrigger: " + trigger + "\n" + strings.Join(append(lines, "---\n"), "\n")
	dir := filepath.Join(s.project, ".agents", "hooks", name)
	s.write(filepath.Join(dir, "HOOK.md"), front, 0o644)
	s.write(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n"+script+"\n", 0o755)
}

// TestServePicoclaw acts as a PicoClaw host as documented: the handshake, every
// message, and all of them at once.
func TestServePicoclaw(t *testing.T) {
	t.Parallel()
	s := newPicoclaw(t)
	if r := s.call("hook.before_tool", "{}"); r.Error == nil || r.Error.Code != -32000 {
		t.Errorf("before the handshake: %+v", r)
	}
	if r := s.call("hook.hello", `{"name":"my_hook","version":2}`); r.Error == nil {
		t.Errorf("another version: %+v", r)
	}
	if r := s.call("hook.hello", `{"name":"py_review_gate","version":1,"modes":["observe","tool","approve"]}`); fmt.Sprint(r.Result) != "map[name:py_review_gate ok:true]" {
		t.Errorf("hello: %+v", r)
	}
	for range 2 {
		var answers []<-chan reply
		for _, m := range picoclawMessages {
			_, answer := s.send(m.method, m.params)
			answers = append(answers, answer)
			s.line(`{"jsonrpc":"2.0","method":"hook.event","params":{"Kind":"tool_exec_start","Meta":{"AgentID":"agent-1","TurnID":"turn-1"},"Payload":{"Tool":"echo_text","Arguments":{"text":"hello"}}}}`)
			s.line(`{"jsonrpc":"2.0","id":0,"method":"hook.event","params":{"Kind":"turn_end","Meta":{}}}`)
			s.line(`broken`)
		}
		for i, answer := range answers {
			if r := s.await(answer); fmt.Sprint(r.Result) != picoclawMessages[i].want {
				t.Errorf("%s %s: %v %+v, want %s", picoclawMessages[i].method, picoclawMessages[i].params, r.Result, r.Error, picoclawMessages[i].want)
			}
		}
	}
	for range len(picoclawMessages) * 2 { // only the invalid lines have no answer
		if r := s.await(s.others); r.Error == nil || r.Error.Code != -32700 {
			t.Errorf("%+v", r)
		}
	}
	if r := s.call("hook.unknown", "{}"); r.Error == nil || r.Error.Code != -32601 {
		t.Errorf("%+v", r)
	}
}

const picoclawScript = `import json, sys
for line in sys.stdin:
    m = json.loads(line)
    p, r = m["params"], {"action": "continue"}
    if m["method"] == "hook.hello":
        r = {"ok": True, "name": "python-review-gate"}
    elif m["method"] == "hook.approve_tool":
        bad = "rm -rf" in json.dumps(p["arguments"])
        r = {"approved": not bad, "reason": "dangerous"} if bad else {"approved": True}
    elif p["tool"] == "echo_text":
        r = {"action": "modify", "call": {"tool": "echo_text", "arguments": {"text": "modified hello"}}}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`

// TestPicoclawHook runs a PicoClaw process hook from a HOOK.md.
func TestPicoclawHook(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("gate", "exec python3 -I \"$AGENT_HOOKS_HOOK_DIR/gate.py\"", "metadata: {protocol: picoclaw, on-failure: deny}")
	s.write(filepath.Join(s.project, ".agents", "hooks", "gate", "gate.py"), picoclawScript, 0o644)
	s.hook("after", `grep -q modified && echo seen >&2 && exit 2; exit 0`, "priority: 1")
	for tool, want := range map[string]string{
		`{"tool_name": "bash", "tool_input": {"command": "ls"}}`:       "false <nil>",
		`{"tool_name": "bash", "tool_input": {"command": "rm -rf /"}}`: "true dangerous",
		`{"tool_name": "echo_text", "tool_input": {"text": "hello"}}`:  "true seen",
	} {
		r := s.call("hooks.run", `{"event":"pre-tool-call","input":`+tool+`}`)
		if got := fmt.Sprint(r.Result["blocked"], " ", r.Result["reason"]); got != want {
			t.Errorf("%s: %s, want %s (%+v)", tool, got, want, r)
		}
	}
	s.write(filepath.Join(s.project, ".agents", "hooks", "gate", "gate.py"), "pass\n", 0o644)
	r := s.call("hooks.run", `{"event":"pre-tool-call","input":{"tool_name": "bash", "tool_input": {"command": "ls"}}}`)
	if r.Result["blocked"] != true || !strings.Contains(fmt.Sprint(r.Result["reason"]), "hook.hello") {
		t.Errorf("a hook that does not shake hands: %+v", r)
	}
}
