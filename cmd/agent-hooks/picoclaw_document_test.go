package main

import (
	"encoding/json"
	"fmt"
	osexec "os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The handlers of PicoClaw's documentation, verbatim.
const picoclawHandlers = `def handle_before_llm(params: dict) -> dict:
    tools = params.get("tools", [])
    # 添加插件工具定义
    tools.append({
        "type": "function",
        "function": {
            "name": "my_plugin_tool",
            "description": "插件提供的工具",
            "parameters": {
                "type": "object",
                "properties": {
                    "input": {"type": "string", "description": "输入内容"}
                },
                "required": ["input"]
            }
        }
    })
    return {
        "action": "modify",
        "request": {
            "model": params["model"],
            "messages": params["messages"],
            "tools": tools,
            "options": params.get("options", {})
        }
    }

def handle_before_tool(params: dict) -> dict:
    tool = params.get("tool", "")
    if tool == "my_plugin_tool":
        # 在这里实现工具逻辑
        args = params.get("arguments", {})
        input_text = args.get("input", "")
        # 直接返回结果,无需在 ToolRegistry 注册
        return {
            "action": "respond",
            "result": {
                "for_llm": f"插件工具执行成功,输入: {input_text}",
                "silent": False,
                "is_error": False
            }
        }
    return {"action": "continue"}
`

// picoclawLoop is a minimal process around the handlers.
const picoclawLoop = `
import json, os, sys
open("starts", "a").write("%d\n" % os.getpid())
for line in sys.stdin:
    m = json.loads(line)
    handler = globals().get("handle_" + m["method"].removeprefix("hook."))
    r = handler(m["params"]) if handler else {"ok": True, "name": "plugin", "action": "continue"}
    if "id" in m:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`

// newPicoclawDocument creates a hook of each event from the handlers.
func newPicoclawDocument(t *testing.T, args ...string) *served {
	s := newServed(t, args...)
	s.needsPython()
	for name, trigger := range map[string]string{"inject": "pre-llm-call", "plugin": "pre-tool-call"} {
		s.event(name, trigger, `exec python3 -I "$AGENT_HOOKS_HOOK_DIR/plugin.py"`, "metadata: {protocol: picoclaw, on-failure: deny}")
		s.write(filepath.Join(s.project, ".agents", "hooks", name, "plugin.py"), picoclawHandlers+picoclawLoop, 0o644)
	}
	return s
}

// TestPicoclawDocument runs the documentation's handlers under serve and run:
// an answer in the tool's place stops the call, and the model reads it.
func TestPicoclawDocument(t *testing.T) {
	t.Parallel()
	s := newPicoclawDocument(t)
	for tool, want := range map[string]string{"my_plugin_tool": "true 插件工具执行成功,输入: x", "bash": "false <nil>"} {
		input := `{"tool_name":"` + tool + `","tool_input":{"input":"x","command":"ls"}}`
		r := s.call("hooks.run", `{"event":"pre-tool-call","input":`+input+`}`)
		if got := fmt.Sprint(r.Result["blocked"], " ", r.Result["reason"]); got != want {
			t.Errorf("serve, %s: %s, want %s (%+v)", tool, got, want, r)
		}
		out, status := s.run(input, "run", "pre-tool-call")
		if fmt.Sprint(status == 2) != strings.Fields(want)[0] || status == 2 && !strings.Contains(out, "输入: x") {
			t.Errorf("run, %s: %d %s", tool, status, out)
		}
	}
	out, status := s.run(`{"model":"m","messages":[],"tools":[]}`, "run", "pre-llm-call")
	if status != 0 || !strings.Contains(out, `"native_answer":{"action":`) || !strings.Contains(out, "my_plugin_tool") {
		t.Errorf("run pre-llm-call: %d %s", status, out)
	}
}

// run runs the program in the project.
func (s *served) run(input string, args ...string) (out string, status int) {
	cmd := osexec.Command("agent-hooks", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.cmd.Env, strings.NewReader(input)
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}

// TestPicoclawToolInjection acts as PicoClaw: the model is told about the
// plugin's tool, and the tool answers, as if PicoClaw had called the hook
// itself. Everything else is passed through.
func TestPicoclawToolInjection(t *testing.T) {
	t.Parallel()
	s := newPicoclawDocument(t, "--agent", "picoclaw")
	s.call("hook.hello", `{"name":"h","version":1,"modes":["tool"]}`)
	const request = `{"meta":{"SessionKey":"s"},"model":"claude-sonnet","messages":[{"role":"user","content":"hello"}],"tools":[{"type":"function","function":{"name":"echo"}}],"options":{"temperature":0.7},"channel":"cli"}`
	for range 2 {
		r := s.call("hook.before_llm", request)
		got, _ := r.Result["request"].(map[string]any)
		tools, _ := got["tools"].([]any)
		if r.Result["action"] != "modify" || len(tools) != 2 || !strings.Contains(fmt.Sprint(tools[1]), "my_plugin_tool") || !strings.Contains(fmt.Sprint(got["options"]), "0.7") {
			t.Errorf("%+v", r)
		}
	}
	var want any
	_ = json.Unmarshal([]byte(`{"action":"respond","result":{"for_llm":"插件工具执行成功,输入: x","silent":false,"is_error":false}}`), &want)
	if r := s.call("hook.before_tool", `{"meta":{"SessionKey":"s"},"tool":"my_plugin_tool","arguments":{"input":"x"}}`); !reflect.DeepEqual(any(r.Result), want) {
		t.Errorf("%+v", r)
	}
	if r := s.call("hook.before_tool", `{"meta":{"SessionKey":"s"},"tool":"bash","arguments":{"command":"ls"}}`); fmt.Sprint(r.Result) != "map[action:continue]" {
		t.Errorf("%+v", r)
	}
	if n := len(s.starts()); n != 1 {
		t.Errorf("%d processes, want one for both hooks", n)
	}
	// The second hook reads the request as the first has changed it, and adds
	// to it.
	s.event("more", "pre-llm-call", `grep -q my_plugin_tool && echo '{"additional_context": "be brief"}'; exit 0`, "priority: 1")
	r := s.call("hook.before_llm", request)
	text, _ := json.Marshal(r.Result)
	if !strings.Contains(string(text), `{"content":"be brief","role":"system"}`) || !strings.Contains(string(text), "my_plugin_tool") {
		t.Errorf("%s", text)
	}
}

// TestPicoclawActions checks that every action of PicoClaw's hooks is passed to
// PicoClaw.
func TestPicoclawActions(t *testing.T) {
	t.Parallel()
	s := newServed(t, "--agent", "picoclaw")
	s.gate()
	s.call("hook.hello", `{"name":"h","version":1}`)
	for command, want := range map[string]string{
		"ls": `{"action":"continue"}`, "deny": `{"action":"deny_tool","reason":"hook gate: denied"}`,
		"abort": `{"action":"abort_turn","reason":"hook gate: denied"}`, "hard": `{"action":"hard_abort","reason":"hook gate: denied"}`,
		"respond": `{"action":"respond","result":{"for_llm":"done"}}`, "refuse": `{"action":"continue"}`,
		"die": `{"action":"deny_tool","reason":"hook gate: killed by SIGKILL (on-failure: deny)"}`,
	} {
		r := s.call("hook.before_tool", fmt.Sprintf(`{"meta":{"SessionKey":"s"},"tool":"bash","arguments":{"command":%q}}`, command))
		if text, _ := json.Marshal(r.Result); string(text) != want {
			t.Errorf("%s: %s, want %s", command, text, want)
		}
	}
	// PicoClaw asks for the approval itself.
	for command, want := range map[string]string{"ls": `{"approved":true}`, "refuse": `{"approved":false,"reason":"hook gate: refused"}`} {
		r := s.call("hook.approve_tool", fmt.Sprintf(`{"meta":{"SessionKey":"s"},"tool":"bash","arguments":{"command":%q}}`, command))
		if text, _ := json.Marshal(r.Result); string(text) != want {
			t.Errorf("approve %s: %s, want %s", command, text, want)
		}
	}
}
