package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/e2e/model"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/spec"
)

// importScenarios returns the scenarios in which the examples that other hook systems print in their
// documents are imported, and obeyed by the client.
func importScenarios() []scenario {
	return []scenario{
		{
			name: "from-jcli", claim: "j-cli's examples, imported, are obeyed: a changed prompt, a script that skips a call, a prompt for a model",
			files: map[string]string{
				".jdata/agent/hooks.yaml":           "@protocol_settings.txtar:hooks.yaml",
				".jdata/agent/hooks/inject_time.py": "@protocol_settings.txtar:inject_time.py",
				"example-4.yaml":                    "pre_tool_execution:\n  - command: bash ~/example-4.sh\n",
				"example-4.sh":                      "@protocol.txtar:p/jcli/.agents/hooks/skip-dangerous/scripts/run",
				".config/agents/hooks.toml":         "[judge]\ncommand = [\"sh\", \"-c\", '''if grep -q drop; then echo '{\"action\":\"skip\"}'; else echo '{}'; fi''']\n",
			},
			imports: [][]string{{"j-cli"}, {"j-cli", "--user", "--yes", "../home/example-4.yaml"}},
			script:  []model.Step{{Shell: "rm -rf build; touch evil"}, {Shell: "echo drop table > dropped"}, conversation()[0], {Say: "all done"}},
			can:     takes(spec.PreAgentTurn, contextForm),
			judge:   obeyed([]string{"[12:00]", "blocked by hook example-4", "the model objects"}, []string{ranFile}, []string{"evil", "dropped"}),
		},
		{
			name: "from-settings-engine", claim: "the settings.json engine's example, imported, is obeyed",
			files: map[string]string{
				".agent/settings.json":              "@protocol_documents.txtar:import/.agent/settings.json",
				"../work/.claude/hooks/validate.py": "@protocol_documents.txtar:import/.claude/hooks/validate.py",
				"bin/python":                        "@protocol_documents.txtar:bin/python",
			},
			imports: [][]string{{"settings-engine"}},
			judge:   blocked("validate says no to Bash"),
		},
		{
			name: "from-picoclaw", claim: "the answers of PicoClaw's documentation, by an imported process, are obeyed",
			files:   map[string]string{".picoclaw/config.json": picoclawConfig, "gate.py": picoclawGate},
			imports: [][]string{{"picoclaw"}},
			script: []model.Step{
				{Shell: "rm -rf build; touch evil"}, {Shell: "echo invalid > invalid"}, {Shell: "echo plugin > plugin"},
				{Shell: "echo hello > hello"}, conversation()[0], {Say: "all done"},
			},
			can:   harmlessChange,
			judge: obeyed([]string{"危险命令,禁止执行", "参数不合法", "Plugin tool executed successfully"}, []string{ranFile, changedFile}, []string{"evil", "invalid", "plugin", "hello"}),
		},
		{
			name: "from-blade", claim: "Blade's examples, imported, are obeyed: context, a refused prompt, a deny, a stop gate",
			files: map[string]string{
				"blade.json":                           bladeConfig,
				"../work/scripts/session-start.sh":     "@protocol_documents.txtar:p/start/.agents/hooks/session-start/scripts/run",
				"../work/scripts/validate-prompt.sh":   "@protocol.txtar:p/blade/.agents/hooks/validate-prompt/scripts/run",
				"../work/scripts/validate-bash.sh":     "@protocol_settings.txtar:blade/scripts/validate-bash.sh",
				"../work/scripts/ensure-tests-pass.sh": "@protocol_documents.txtar:p/tests/.agents/hooks/ensure-tests-pass/scripts/run",
			},
			imports: [][]string{{"blade", "--user", "--yes", "../home/blade.json"}},
			turns:   []turn{{prompt: defaultPrompt}, {prompt: "my password is SECRET-TOKEN", goesOn: true}},
			script: []model.Step{
				{Shell: "rm -rf build; touch evil"}, conversation()[0], {Say: "all done"},
				{Shell: `echo '{"scripts": {"test": "true"}}' > package.json`}, {Say: "done again"},
			},
			can: func(a *agent.Agent) bool {
				return takes(spec.PreSession, contextForm)(a) && denies(spec.PreAgentTurnStop)(a)
			},
			judge: func(s seen) (string, string) {
				log := readText(filepath.Join(s.home(), ".local", "state", "agent-hooks", "runs.jsonl"))
				if s.everReached("SECRET-TOKEN") || !strings.Contains(log, "检测到敏感信息") { // of the hook that refuses the second prompt
					return no, ""
				}
				return obeyed([]string{"最近提交: abc123", "危险命令被阻止", "测试失败，请修复后再完成任务"}, []string{ranFile, "package.json"}, []string{"evil"})(s)
			},
		},
	}
}

// obeyed judges a conversation by the texts that must reach the model, and by the files that
// commands must have created or not. An agent that cannot pass on all texts and changes lacks
// some, but creates none.
func obeyed(texts, files, none []string) func(seen) (string, string) {
	return func(s seen) (string, string) {
		for _, name := range none {
			if s.left(name) {
				return no, name + " was created"
			}
		}
		for _, text := range texts {
			if !s.everReached(text) {
				return no, ""
			}
		}
		for _, name := range files {
			if !s.left(name) {
				return no, ""
			}
		}
		return yes, ""
	}
}

// content returns the text of a file. If it begins with "@", it names a script of the main module's
// tests and a file in it, such as "@protocol.txtar:event.json".
func content(ctx context.Context, text string) (string, error) {
	script, name, ok := strings.Cut(strings.TrimPrefix(text, "@"), ":")
	if !ok || !strings.HasPrefix(text, "@") {
		return text, nil
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return "", err
	}
	all, err := os.ReadFile(filepath.Join(root, "cmd", "agent-hooks", "testdata", "script", script))
	_, file, found := strings.Cut(string(all), "\n-- "+name+" --\n")
	if err != nil || !found {
		return "", fmt.Errorf("%s: no such file (%v)", text, err)
	}
	file, _, _ = strings.Cut(file, "\n-- ")
	return strings.TrimSuffix(file, "\n") + "\n", nil
}

const picoclawConfig = `{"hooks": {"enabled": true, "processes": {"py_review_gate": {
  "enabled": true, "command": ["sh", "-c", "exec python3 ~/gate.py"], "intercept": ["before_tool", "approve_tool"]
}}}}
`

// picoclawGate gives the results of the documentation, each for a command that contains a word.
const picoclawGate = `import json, sys

def answer(method, params):
    text = json.dumps(params.get("arguments", {}))
    if method == "hook.hello":
        return {"ok": True, "name": "python-review-gate"}
    if method == "hook.approve_tool":
        if "rm -rf" in text:
            return {"approved": False, "reason": "危险命令,禁止执行"}
        return {"approved": True}
    if "invalid" in text:
        return {"action": "deny_tool", "reason": "参数不合法"}
    if "plugin" in text:
        return {"action": "respond", "result": {"for_llm": "Plugin tool executed successfully", "for_user": "", "silent": False, "is_error": False}}
    if "hello" in text:
        return {"action": "modify", "call": {"tool": params["tool"], "arguments": {"command": "echo modified hello > changed"}}}
    return {"action": "continue"}

for line in sys.stdin:
    m = json.loads(line)
    if "id" in m:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": answer(m["method"], m["params"])}), flush=True)
`

const bladeConfig = `{"hooks": {
  "SessionStart": [{"hooks": [{"type": "command", "command": "./scripts/session-start.sh"}]}],
  "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "./scripts/validate-prompt.sh"}]}],
  "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./scripts/validate-bash.sh", "timeout": 10}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "./scripts/ensure-tests-pass.sh"}]}]
}}
`
