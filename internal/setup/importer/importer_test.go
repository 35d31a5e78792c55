package importer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
)

func system(dir string) System {
	return System{
		System:    install.System{Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"), StateDir: filepath.Join(dir, "state"), GOOS: "linux", Getenv: func(string) string { return "" }},
		UserHooks: filepath.Join(dir, "home", "hooks"), ProjectHooks: filepath.Join(dir, "project", "hooks"),
	}
}

// plan reads an agent's settings in a project with these files.
func plan(t *testing.T, name, settings string, files map[string]string) *Plan {
	t.Helper()
	s := system(t.TempDir())
	path := filepath.Join(s.Project, "settings.json")
	for file, text := range files {
		write(t, filepath.Join(s.Project, file), text)
	}
	write(t, path, settings)
	p, err := s.Read(Selection{Agent: agent.Find(name), Files: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// one returns the only hook of a plan.
func one(t *testing.T, p *Plan) *Hook {
	t.Helper()
	if len(p.Hooks) != 1 {
		t.Fatalf("%d hooks; not imported: %+v", len(p.Hooks), p.Skipped)
	}
	return p.Hooks[0]
}

// nested returns settings with one entry in Claude Code's form. A matcher that is
// an object is a filter of j-cli.
func nested(event string, matcher any, handler map[string]any) string {
	group := map[string]any{"hooks": []any{handler}}
	if filter, ok := matcher.(map[string]any); ok {
		handler["filter"] = filter
	} else if matcher != nil {
		group["matcher"] = matcher
	}
	text, _ := json.Marshal(map[string]any{"hooks": map[string]any{event: []any{group}}})
	return string(text)
}

func command(line string) map[string]any { return map[string]any{"type": "command", "command": line} }

// line returns the rest of the line of a HOOK.md that begins with the key.
func line(manifest, key string) string {
	for l := range strings.Lines(manifest) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(l), key+": "); ok {
			return strings.Trim(rest, `'"`)
		}
	}
	return ""
}

// TestMatchers checks that a matcher matches the same calls as in its agent
// (D63).
func TestMatchers(t *testing.T) {
	for _, c := range []struct {
		agent, event string
		matcher      any
		tool         string // of the HOOK.md
		warning      string
	}{
		{"claude-code", "PreToolUse", nil, "", ""},
		{"claude-code", "PreToolUse", "", "", ""},
		{"claude-code", "PreToolUse", "*", "", ""},
		{"claude-code", "PreToolUse", "Bash", "^Bash$", ""},
		{"claude-code", "PreToolUse", "Edit|Write", "^(Edit|Write)$", ""},
		{"claude-code", "PreToolUse", "Write,Edit", "^(Write|Edit)$", "take the comma"},
		{"claude-code", "PreToolUse", "Bash(git push:*)", "Bash(git push:*)", "matches no tool"},
		{"claude-code", "PreToolUse", "mcp__.*", "mcp__.*", ""},
		{"claude-code", "PreToolUse", "mcp__github", "^mcp__github$", "the tools of a server are mcp__github__.*"},
		{"claude-code", "PreToolUse", "Edit.*", "Edit.*", ""},
		{"claude-code", "PreToolUse", "[", "(?!)", "matches nothing"},
		{"claude-code", "PreToolUse", "Bahs", "^Bahs$", "matches no tool"},
		{"claude-code", "PreToolUse", "bash", "^bash$", "matches no known tool of Claude Code"},
		{"claude-code", "PreToolUse", "Shell", "^Shell$", "matches no known tool of Claude Code"},
		{"gemini-cli", "BeforeTool", "Bash", "Bash", "matches no known tool of Gemini CLI"},
		{"claude-code", "Stop", "Bash", "", "is ignored on Stop"},
		{"codex", "PreToolUse", "Bash|apply_patch", "^(Bash|apply_patch)$", ""},
		{"codex", "PreToolUse", "^Bash$", "^Bash$", ""},
		{"gemini-cli", "BeforeTool", "write_file|replace", "write_file|replace", ""},
		{"gemini-cli", "BeforeTool", "*", "", ""},
		{"copilot", "preToolUse", "bash|edit", "^(?:bash|edit)$", ""},
		{"copilot", "PreToolUse", "Bash|Edit", "^(Bash|Edit)$", ""},
		{"qwen-code", "PreToolUse", "run_shell_command", "^run_shell_command$", ""},
		{"qwen-code", "PreToolUse", "Bash", "^Bash$", ""},
		{"qwen-code", "PreToolUse", "bash", "^bash$", "matches no known tool of Qwen Code"},
		{"cursor", "preToolUse", "Shell|Write", "Shell|Write", ""},
		{"cursor", "beforeShellExecution", nil, "^Shell$", ""},
		{"windsurf", "pre_write_code", nil, "^(EditFile|WriteFile)$", ""},
		{"windsurf", "pre_mcp_tool_use", nil, "^mcp__", ""},
		{"j-cli", "pre_tool_execution", map[string]any{"tool_name": "Bahs"}, "^Bahs$", "matches no tool"},
	} {
		h := one(t, plan(t, c.agent, nested(c.event, c.matcher, command("./x")), map[string]string{"x": ""}))
		if got := line(h.Manifest, "tool"); got != c.tool {
			t.Errorf("%s %s %v: tool is %q, want %q", c.agent, c.event, c.matcher, got, c.tool)
		}
		if got := strings.Join(h.Warnings, "\n"); !strings.Contains(got, c.warning) || c.warning == "" && got != "" {
			t.Errorf("%s %s %v: warnings %q, want %q", c.agent, c.event, c.matcher, got, c.warning)
		}
	}
}

// TestWhen checks that a matcher of another event becomes a condition.
func TestWhen(t *testing.T) {
	for _, c := range []struct{ agent, event, matcher, field, pattern string }{
		{"claude-code", "SessionStart", "startup|resume", "source", "^(startup|resume)$"},
		{"claude-code", "SessionEnd", "clear", "reason", "^clear$"},
		{"claude-code", "SubagentStop", "Explore", "agent_type", "^Explore$"},
		{"claude-code", "Notification", "permission_prompt", "notification_type", "^permission_prompt$"},
		{"gemini-cli", "SessionStart", "startup", "source", "^startup$"},
		{"copilot", "sessionStart", "new|resume", "source", "^(?:startup|resume)$"},
		{"copilot", "SessionStart", "new", "source", "^startup$"},
		{"cursor", "beforeShellExecution", "curl|wget", "tool_input.command", "curl|wget"},
		{"kimi-code", "UserPromptSubmit", "deploy", "prompt", "deploy"},
	} {
		h := one(t, plan(t, c.agent, nested(c.event, c.matcher, command("true")), nil))
		if got := line(h.Manifest, c.field); got != c.pattern {
			t.Errorf("%s %s %s: %s is %q, want %q\n%s", c.agent, c.event, c.matcher, c.field, got, c.pattern, h.Manifest)
		}
	}
}

func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		agent, event string
		timeout      any
		want         string
		warning      string
	}{
		{"claude-code", "PreToolUse", nil, "600000", ""},
		{"claude-code", "UserPromptSubmit", nil, "30000", ""},
		{"claude-code", "PreToolUse", 30, "30000", ""},
		{"claude-code", "PreToolUse", 0.5, "500", ""},
		{"claude-code", "PreToolUse", 3000, "600000", "If milliseconds were meant, write timeout: 3000"},
		{"factory-droid", "PreToolUse", "10", "60000", "is not a number"},
		{"factory-droid", "PreToolUse", -1, "60000", "is not a number"},
		{"gemini-cli", "BeforeTool", 5000, "5000", ""},
		{"gemini-cli", "BeforeTool", 5, "100", "If seconds were meant, write timeout: 5000"},
		{"qwen-code", "PreToolUse", 60, "60000", ""},
		{"qwen-code", "PreToolUse", 45000, "45000", ""},
		{"copilot", "preToolUse", nil, "30000", ""},
		{"kimi-code", "PreToolUse", 7, "7000", ""},
	} {
		handler := command("true")
		if c.timeout != nil {
			handler["timeout"] = c.timeout
		}
		h := one(t, plan(t, c.agent, nested(c.event, nil, handler), nil))
		if got := line(h.Manifest, "timeout"); got != c.want || !strings.Contains(strings.Join(h.Warnings, "\n"), c.warning) {
			t.Errorf("%s %s %v: timeout is %s, want %s; %q", c.agent, c.event, c.timeout, got, c.want, h.Warnings)
		}
	}
}

// TestNotImported checks that an entry without an exact counterpart is listed
// with the reason.
func TestNotImported(t *testing.T) {
	for entry, want := range map[string]string{
		`{"type": "http", "url": "https://example.com"}`:                                 "it is an HTTP request",
		`{"type": "prompt", "prompt": " "}`:                                              "it has no prompt",
		`{"type": "agent", "agent": "check"}`:                                            "it has no prompt",
		`{"type": "prompt", "prompt": "x", "if": "Bash(git *)"}`:                         `its rule "if: Bash(git *)" has no counterpart`,
		`{"type": "mcp_tool", "tool": "t"}`:                                              "it is a call of an MCP tool",
		`{"type": "wasm", "command": "x"}`:                                               `its type "wasm" has no counterpart`,
		`{"type": "command"}`:                                                            "it has no command",
		`{"type": "command", "command": " "}`:                                            "it has no command",
		`{"type": "command", "command": "x", "if": "Bash(git *)"}`:                       `its rule "if: Bash(git *)" has no counterpart`,
		`{"type": "command", "command": "x", "asyncRewake": true}`:                       "asyncRewake has no counterpart",
		`{"type": "command", "command": "x", "shell": "powershell"}`:                     `it runs in "powershell"`,
		`{"type": "command", "powershell": "x"}`:                                         "it has a command for Windows only",
		`{"type": "command", "command": "a\u0000b"}`:                                     "its command has a NUL byte",
		`{"type": "command", "command": "x", "enabled": false}`:                          "it is switched off",
		`{"hooks": [{"type": "command", "command": "x"}], "matcher": "(?<a-b>x)\\u{1}"}`: "its matcher \"(?<a-b>x)\\\\u{1}\" cannot be converted exactly",
		`{"hooks": [{"command": "x"}], "commandRegex": "^rm"}`:                           `its group's rule "commandRegex: ^rm" has no counterpart`,
		`{"hooks": [{"type": "command", "command": "x", "filter": {"user": "root"}}]}`:   `its filter "user" has no counterpart`,
	} {
		if !strings.HasPrefix(entry, `{"hooks"`) {
			entry = `{"hooks": [` + entry + `]}`
		}
		p := plan(t, "claude-code", `{"hooks": {"PreToolUse": [`+entry+`]}}`, nil)
		if len(p.Hooks) != 0 || len(p.Skipped) != 1 || !strings.HasPrefix(p.Skipped[0].Reason, want) {
			t.Errorf("%s: %d hooks, %+v, want %q", entry, len(p.Hooks), p.Skipped, want)
		}
	}
	p := plan(t, "claude-code", nested("PreTolUse", nil, command("x")), nil)
	if len(p.Skipped) != 1 || !strings.Contains(p.Skipped[0].Reason, `"PreToolUse" exists`) {
		t.Errorf("%+v", p.Skipped)
	}
}

// TestForms checks that entries are found in each form of settings.
func TestForms(t *testing.T) {
	for _, c := range []struct{ agent, settings, want string }{
		{"antigravity", `{"guard": {"PreToolUse": [{"hooks": [{"command": "a x"}]}]}, "old": {"enabled": false, "Stop": [{"command": "b y"}]}}`,
			"a-x: PreToolUse: a x\nnot imported: Stop: b y: hooks are switched off there\n"},
		{"kiro", `{"hooks": [{"trigger": "PreToolUse", "action": {"type": "command", "command": "a x"}}]}`, "a-x: PreToolUse: a x\n"},
		{"copilot", `{"hooks": {"preToolUse": [{"exec": "a", "args": ["x"]}]}}`, "a-x: preToolUse: a x\n"},
		{"devin", `{"PreToolUse": [{"command": "a x"}], "tasks": [{"command": "b"}]}`, "a-x: PreToolUse: a x\n"},
		{"gemini-cli", `{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "a x"}]}], "AfterTool": {"hooks": [{"type": "command", "command": "b y"}]}, "disabled": ["b"]}}`,
			"b-y: AfterTool: b y\nb-y-failure: AfterTool: b y\na-x: BeforeTool: a x\n"},
		{"gemini-cli", `{"hooksConfig": {"enabled": false}, "hooks": {"BeforeTool": [{"command": "a x"}]}}`,
			"not imported: BeforeTool: a x: hooksConfig.enabled switches hooks off there\n"},
		{"codex", `{"features": {"hooks": false}, "hooks": {"PreToolUse": [{"command": "a x"}]}}`,
			"not imported: PreToolUse: a x: features.hooks switches hooks off there\n"},
		{"factory-droid", `{"hooks": {"PreToolUse": [{"command": "a x"}, {"command": "a x"}]}}`, "a-x: PreToolUse: a x\n"},
		{"claude-code", `{"hooks": {"PreToolUse": [{"type": "command", "command": "a x"}], "Stop": [{"hooks": [{"type": "command", "command": "b"}]}]}}`,
			"not imported: PreToolUse: a x: Claude Code ignores the whole file: line 1: an entry of \"PreToolUse\" is not in a group with a list of hooks\n" +
				"not imported: Stop: b: Claude Code ignores the whole file: line 1: an entry of \"PreToolUse\" is not in a group with a list of hooks\n"},
		{"claude-code", `{"hooks": {"Stop": [{"hooks": [{"command": "b"}]}]}}`, "not imported: Stop: b: Claude Code ignores the whole file: line 1: an entry has no type\n"},
		{"claude-code", `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": ["b", "c"]}]}]}}`,
			"not imported: Stop: b c: Claude Code ignores the whole file: line 1: the command of an entry is missing or not a text\n"},
		{"claude-code", `{"Stop": [{"hooks": [{"type": "command", "command": "b"}]}]}`, "not imported: Stop: b: its events are not below \"hooks\", where Claude Code reads them\n"},
		{"claude-code", `{"hooks": {"Stop": [{"matcher": 5, "hooks": [{"type": "command", "command": "b"}]}]}}`, "not imported: Stop: b: Claude Code ignores the whole file: line 1: a matcher is not a text\n"},
		{"codex", `{"hooks": {"Stop": [{"type": "command", "command": "b"}, {"hooks": [{"type": "command", "command": "c"}]}]}}`,
			"c-stop: Stop: c\nnot imported: Stop: b: Codex ignores it: line 1: an entry of \"Stop\" is not in a group with a list of hooks\n"},
		{"codex", "{\"note\": 1,\n\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"c\"}]}]}}",
			"not imported: Stop: c: Codex ignores the whole file: line 1: the top-level key \"note\" is unknown\n"},
		{"gemini-cli", `{"hooks": {"BeforeTool": [{"type": "command", "command": "a x"}, {"matcher": ["x"], "hooks": [{"type": "command", "command": "c"}]}]}}`,
			"not imported: BeforeTool: a x: Gemini CLI ignores it: line 1: an entry of \"BeforeTool\" is not in a group with a list of hooks\n" +
				"not imported: BeforeTool: c: Gemini CLI ignores every entry of BeforeTool: line 1: a matcher is not a text\n"},
	} {
		p := plan(t, c.agent, c.settings, nil)
		var got strings.Builder
		for _, h := range p.Hooks {
			fmt.Fprintf(&got, "%s: %s: %s\n", h.Name, h.Event, h.Command)
		}
		for _, s := range p.Skipped {
			fmt.Fprintf(&got, "not imported: %s: %s: %s\n", s.Event, s.Entry, s.Reason)
		}
		if got.String() != c.want {
			t.Errorf("%s: %s\n%swant\n%s", c.agent, c.settings, got.String(), c.want)
		}
	}
}

// TestOthers checks the warnings about settings without a counterpart.
func TestOthers(t *testing.T) {
	for handler, want := range map[string]string{
		`{"command": "x", "loop_limit": 3}`:                    "its loop_limit 3 is not kept: stop-limit in hooks.toml bounds loops",
		`{"command": "x", "windows": "y"}`:                     "its command for Windows is not kept: y",
		`{"command": "x", "windows": "x"}`:                     "",
		`{"command": "sh $TOOLS/x.sh --config=y.sh; ~/no.sh"}`: "HOME/no.sh does not exist",
	} {
		h := one(t, plan(t, "cursor", `{"hooks": {"stop": [`+handler+`]}}`, nil))
		if got := strings.Join(h.Warnings, "\n"); strings.ReplaceAll(got, "~", "HOME") != want {
			t.Errorf("%s: %q, want %q", handler, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for line, want := range map[string]string{
		"./.claude/hooks/block-rm.sh":                        "block-rm",
		`"$CLAUDE_PROJECT_DIR"/.claude/hooks/check_style.py`: "check-style",
		"python3 ~/.claude/hooks/FormatCode.py --fix":        "format-code",
		"uv run --script .claude/hooks/pre_tool_use.py":      "pre-tool-use",
		"${CLAUDE_PLUGIN_ROOT}/hooks/security/index.js":      "security-index",
		`sh "$CLAUDE_PLUGIN_ROOT"/scripts/find-node.sh "$CLAUDE_PLUGIN_ROOT"/scripts/run.cjs "$CLAUDE_PLUGIN_ROOT"/scripts/skill-injector.mjs stop`: "skill-injector",
		`H="$CLAUDE_PROJECT_DIR/.claude/hooks/observe-skill.sh"; [ -x "$H" ] && exec "$H"; exit 0`:                                                  "observe-skill",
		"./start.sh --config a.js && ./b.sh":                        "start",
		"npx prettier --write":                                      "npx-prettier",
		"npm run lint":                                              "npm-run-lint",
		"jq -r .tool_input.command >> log":                          "jq-pre-tool-use",
		"FOO=1 node guard.mjs":                                      "guard",
		"if [ -f x ]; then exit 2; fi":                              "claude-code-pre-tool-call",
		"$(git rev-parse --show-toplevel)/.claude/hooks/protect.sh": "protect",
		"if (": "claude-code-pre-tool-call",
	} {
		if h := one(t, plan(t, "claude-code", nested("PreToolUse", nil, command(line)), nil)); h.Name != want {
			t.Errorf("%s: %s, want %s", line, h.Name, want)
		}
	}
	p := plan(t, "cursor", `{"hooks": {"preToolUse": [{"command": "a.sh"}, {"command": "a.sh 2"}, {"command": "a.sh 3"}, {"command": "a.sh 4"}, {"command": "a.sh 5"}]}}`, nil)
	var names []string
	for _, h := range p.Hooks {
		names = append(names, h.Name)
	}
	if got := strings.Join(names, " "); got != "a a-pre-tool-use a-cursor-pre-tool-use a-cursor-pre-tool-use-2 a-cursor-pre-tool-use-3" {
		t.Error(got)
	}
}

// TestNotes checks the notes about guards that never blocked anything in their
// agent.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ agent, event, script, want string }{
		{"claude-code", "PreToolUse", "echo $CLAUDE_TOOL_INPUT | grep rm && exit 2", "it reads CLAUDE_TOOL_INPUT, which Claude Code never sets"},
		{"claude-code", "PreToolUse", `python3 -c 'import os; os.environ["TOOL_NAME"]'`, "it reads TOOL_NAME"},
		{"claude-code", "PreToolUse", `eval "$(jq -r '@sh "TOOL_NAME=\(.tool_name)"')"; echo $TOOL_NAME`, ""},
		{"claude-code", "PreToolUse", "# $CLAUDE_TOOL_INPUT is not set\ncat", ""},
		{"claude-code", "SessionStart", `echo "export X=1" >> "$CLAUDE_ENV_FILE"`, "it uses CLAUDE_ENV_FILE, which only Claude Code sets"},
		{"claude-code", "PreToolUse", "echo no >&2; exit 1", "it exits with 1"},
		{"claude-code", "PreToolUse", "echo no >&2; exit 2", ""},
		{"claude-code", "PreToolUse", `exit 1 # or {"decision": "block"}`, ""},
		{"claude-code", "SessionEnd", "exit 2", "it exits with 2, which blocks nothing on SessionEnd"},
		{"codex", "PreToolUse", "exit 2", "it exits with 2 and writes no reason to stderr"},
		{"codex", "PreToolUse", "echo no >&2; exit 2", ""},
		{"copilot", "preToolUse", "exit 1", ""},
		{"gemini-cli", "BeforeTool", "jq -r .arguments.command", "it reads .arguments"},
		{"copilot", "preToolUse", "jq -r .arguments.command", "it reads .arguments, which the payload of GitHub Copilot does not have; the input is .toolArgs"},
		{"gemini-cli", "BeforeTool", "jq -r '.tool_input.command // .arguments.command'", ""},
	} {
		h := one(t, plan(t, c.agent, nested(c.event, nil, command("sh ./hook.sh")), map[string]string{"hook.sh": "#!/bin/sh\n" + c.script + "\n"}))
		if got := strings.Join(h.Notes, "\n"); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s %s %s: %q, want %q", c.agent, c.event, c.script, got, c.want)
		}
	}
	h := one(t, plan(t, "claude-code", nested("PreToolUse", nil, command(`bash "$(git rev-parse --show-toplevel)/hook.sh"`)), map[string]string{"hook.sh": "echo $TOOL_INPUT"}))
	if len(h.Notes) != 1 || len(h.Warnings) != 0 {
		t.Errorf("a script of the repository: %q %q", h.Notes, h.Warnings)
	}
	h = one(t, plan(t, "claude-code", nested("PreToolUse", nil, command("`git rev-parse --show-toplevel`/none.sh")), nil))
	if len(h.Warnings) != 1 || h.Warnings[0] != "none.sh does not exist" {
		t.Errorf("a missing script: %q", h.Warnings)
	}
}

// TestTemplates checks that a template of another language is not read as a variable of a shell.
func TestTemplates(t *testing.T) {
	for name, script := range map[string]string{
		"hook.mjs": "const HOOK_NAME = 'x'\nconsole.log(`${HOOK_NAME}: ${TOOL_NAME}`)\n",
		"hook.py":  "print(f'${TOOL_NAME} costs')\n",
		"hook":     "#!/usr/bin/env node\nconsole.log(`${TOOL_NAME}`)\n",
	} {
		h := one(t, plan(t, "claude-code", nested("PostToolUse", nil, command("./"+name)), map[string]string{name: script}))
		if len(h.Notes) > 0 {
			t.Errorf("%s: %q", script, h.Notes)
		}
	}
	h := one(t, plan(t, "claude-code", nested("PostToolUse", nil, command("./hook.mjs")), map[string]string{"hook.mjs": "console.log(process.env.TOOL_NAME)\n"}))
	if len(h.Notes) != 1 {
		t.Errorf("%q", h.Notes)
	}
}

// TestScripts checks that the command line is kept, after what the agent itself
// sets up.
func TestScripts(t *testing.T) {
	for _, c := range []struct{ agent, handler, want string }{
		{"claude-code", `{"command": "a | b > $HOME/x"}`, "a | b > $HOME/x\n"},
		{"claude-code", `{"command": "node", "args": ["${CLAUDE_PROJECT_DIR}/a b.js", "$HOME", "it's"]}`, `node "${CLAUDE_PROJECT_DIR}"'/a b.js' '$HOME' 'it'\''s'` + "\n"},
		{"claude-code", `{"command": "$CLAUDE_PROJECT_DIR/x --a=${CLAUDE_PROJECT_DIR}"}`, "$CLAUDE_PROJECT_DIR/x --a=${CLAUDE_PROJECT_DIR}\n"},
		{"claude-code", `{"command": "x", "args": ["--a=${CLAUDE_PROJECT_DIR}"]}`, `x --a="${CLAUDE_PROJECT_DIR}"` + "\n"},
		{"gemini-cli", `{"command": "if ( $GEMINI_PROJECT_DIR"}`, "if ( $GEMINI_PROJECT_DIR\n"},
		{"copilot", `{"bash": "./x", "cwd": "my scripts", "env": {"B": "it's", "A": "1"}}`,
			"export A=1\nexport B='it'\\''s'\ncd -- \"$AGENT_HOOKS_PROJECT_DIR\"/'my scripts' || exit 1\n./x\n"},
		{"gemini-cli", `{"command": "$GEMINI_PROJECT_DIR/x \"$GEMINI_PROJECT_DIR\" $HOME"}`, `"$GEMINI_PROJECT_DIR"/x "$GEMINI_PROJECT_DIR" $HOME` + "\n"},
	} {
		event := map[string]string{"copilot": "preToolUse", "gemini-cli": "BeforeTool"}[c.agent]
		if event == "" {
			event = "PreToolUse"
		}
		handler := c.handler
		if c.agent != "copilot" {
			handler = `{"hooks": [{"type": "command", ` + handler[1:] + `]}`
		}
		h := one(t, plan(t, c.agent, `{"hooks": {"`+event+`": [`+handler+`]}}`, nil))
		_, script, _ := strings.Cut(h.Script, "settings.json.\n")
		if script != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.handler, script, c.want)
		}
	}
}

// TestChangedMeanwhile checks that a failed import leaves nothing, here because
// the settings change meanwhile.
func TestChangedMeanwhile(t *testing.T) {
	s := system(t.TempDir())
	path := filepath.Join(s.Project, ".cursor", "hooks.json")
	write(t, path, `{"hooks": {"stop": [{"command": "a x"}]}}`)
	p, err := s.Read(Selection{Agent: agent.Find("cursor")})
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "{}")
	if _, err := s.Apply(p, true); err == nil || !strings.HasSuffix(err.Error(), "hooks.json changed meanwhile") {
		t.Error(err)
	}
	if found, _ := os.ReadDir(s.Project); len(found) != 1 {
		t.Errorf("%v remain", found)
	}
}

// TestHomeProject checks that user hooks may be in a linked folder, although the
// home directory is the project, too.
func TestHomeProject(t *testing.T) {
	s := system(t.TempDir())
	s.Project = s.Home
	write(t, filepath.Join(s.Home, ".cursor", "hooks.json"), `{"hooks": {"stop": [{"command": "a x"}]}}`)
	if err := os.Symlink(t.TempDir(), s.UserHooks); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	p, err := s.Read(Selection{Agent: agent.Find("cursor")})
	if err == nil {
		_, err = s.Apply(p, false)
	}
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(s.UserHooks, "a-x", "HOOK.md")); err != nil {
		t.Error(err)
	}
}
