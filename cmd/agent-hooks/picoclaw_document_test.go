package main

import (
	"fmt"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// picoclawHandler is the handler of PicoClaw's documentation, verbatim.
const picoclawHandler = `def handle_before_tool(params: dict) -> dict:
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

const picoclawLoop = `
import json, sys
for line in sys.stdin:
    m = json.loads(line)
    r = handle_before_tool(m["params"]) if m["method"] == "hook.before_tool" else {"ok": True, "approved": True}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`

// TestPicoclawDocument runs the documentation's handler under serve and run:
// an answer in the tool's place stops the call, and the model reads it.
func TestPicoclawDocument(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("plugin", "exec python3 -I \"$AGENT_HOOKS_HOOK_DIR/plugin.py\"", "metadata: {protocol: picoclaw, on-failure: deny}")
	s.write(filepath.Join(s.project, ".agents", "hooks", "plugin", "plugin.py"), picoclawHandler+picoclawLoop, 0o644)
	for tool, want := range map[string]string{"my_plugin_tool": "true 插件工具执行成功,输入: x", "bash": "false <nil>"} {
		input := `{"tool_name":"` + tool + `","tool_input":{"input":"x","command":"ls"}}`
		r := s.call("hooks.run", `{"event":"pre-tool-call","input":`+input+`}`)
		if got := fmt.Sprint(r.Result["blocked"], " ", r.Result["reason"]); got != want {
			t.Errorf("serve, %s: %s, want %s (%+v)", tool, got, want, r)
		}
		cmd := osexec.Command("agent-hooks", "run", "pre-tool-call")
		cmd.Dir, cmd.Env, cmd.Stdin = s.project, s.cmd.Env, strings.NewReader(input)
		out, _ := cmd.CombinedOutput()
		if blocked := cmd.ProcessState.ExitCode() == 2; fmt.Sprint(blocked) != strings.Fields(want)[0] || blocked && !strings.Contains(string(out), "输入: x") {
			t.Errorf("run, %s: %v %s", tool, cmd.ProcessState, out)
		}
	}
}
