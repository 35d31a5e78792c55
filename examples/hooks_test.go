package examples_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// fakePath returns a PATH that begins with a folder of scripts with these
// names.
func fakePath(t *testing.T, scripts map[string]string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are shell scripts")
	}
	dir := t.TempDir()
	for name, body := range scripts {
		write(t, filepath.Join(dir, name), "#!/bin/sh\n"+body+"\n")
	}
	return "PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")
}

const fails = `echo "ran $0 $*"; echo FAIL; exit 1`

func TestFormatOnWrite(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	fake := `for f; do last=$f; done; echo formatted >"$last"`
	path := fakePath(t, map[string]string{"gofmt": fake, "ruff": fake, "rustfmt": fake, "shfmt": fake, "prettier": fake})
	root := t.TempDir()
	project := filepath.Join(root, "project")
	outside := filepath.Join(root, "outside.go")
	names := []string{"a.go", "b.py", "c.rs", "d.sh", "e.ts", "plain.txt", "node_modules/x.ts", ".git/x.go", "g.go", "h.go", "with space's.go"}
	for _, n := range names {
		write(t, filepath.Join(project, n), "raw\n")
	}
	write(t, outside, "raw\n")
	if err := os.Symlink(outside, filepath.Join(project, "link.go")); err != nil {
		t.Fatal(err)
	}
	for _, in := range []any{
		map[string]any{"file_path": "a.go", "content": "x"}, map[string]any{"filePath": filepath.Join(project, "b.py")}, map[string]any{"path": "./c.rs"},
		map[string]any{"TargetFile": "d.sh"}, map[string]any{"absolute_path": filepath.Join(project, "e.ts")}, map[string]any{"path": "plain.txt"},
		map[string]any{"path": "node_modules/x.ts"}, map[string]any{"path": ".git/x.go"}, map[string]any{"path": "../outside.go"}, map[string]any{"path": outside},
		map[string]any{"path": "link.go"}, map[string]any{"path": "missing.go"}, map[string]any{"command": "*** Begin Patch\n*** Update File: g.go\n*** Move to: h.go\n"},
		map[string]any{"path": "with space's.go"}, map[string]any{"path": "\x00.go"}, map[string]any{"path": 1}, "text", nil,
	} {
		call{hook: "format-on-write", dir: project, event: toolEvent(t, "WriteFile", in), env: []string{path, "AGENT_HOOKS_PROJECT_DIR=" + project}}.run(t).silent(t)
	}
	raw := map[string]bool{"plain.txt": true, "node_modules/x.ts": true, ".git/x.go": true, "../outside.go": true}
	for _, n := range append(names, "../outside.go") {
		want := "formatted\n"
		if raw[n] {
			want = "raw\n"
		}
		if got := string(read(t, filepath.Join(project, n))); got != want {
			t.Errorf("%s: %q, want %q", n, got, want)
		}
	}
}

// TestFormatOnWriteRunsNoCodeOfAClone checks that the project's prettier and
// its configuration are used only if the hook's own list contains the project.
func TestFormatOnWriteRunsNoCodeOfAClone(t *testing.T) {
	t.Parallel()
	path := fakePath(t, map[string]string{"prettier": `for f; do last=$f; done; echo "$*" >"$last"`})
	project := t.TempDir()
	write(t, filepath.Join(project, "src/a.ts"), "raw\n")
	write(t, filepath.Join(project, "node_modules/.bin/prettier"), "#!/bin/sh\nfor f; do last=$f; done; echo own >\"$last\"\n")
	event := toolEvent(t, "WriteFile", map[string]any{"path": "src/a.ts"})
	call{hook: "format-on-write", dir: project, event: event, env: []string{path}}.run(t).silent(t)
	if got := string(read(t, filepath.Join(project, "src/a.ts"))); !strings.Contains(got, "--no-config") {
		t.Errorf("not named: %q", got)
	}
	source := string(read(t, filepath.Join(hooksDir, "format-on-write/scripts/run.py")))
	script := filepath.Join(t.TempDir(), "run.py")
	write(t, script, strings.Replace(source, "PROJECTS = []", "PROJECTS = ["+strconv.Quote(project)+"]", 1))
	call{hook: "format-on-write", script: script, dir: project, event: event, env: []string{path}}.run(t).silent(t)
	if got := string(read(t, filepath.Join(project, "src/a.ts"))); got != "own\n" {
		t.Errorf("named: %q", got)
	}
}

func TestPreferTool(t *testing.T) {
	t.Parallel()
	path := fakePath(t, map[string]string{"pnpm": "", "yarn": "", "bun": ""})
	for _, c := range []struct{ lock, command, want string }{
		{"pnpm-lock.yaml", "npm install left-pad", "pnpm add left-pad"},
		{"yarn.lock", "npm i left-pad@1.3.0 @types/node", "yarn add left-pad@1.3.0 @types/node"},
		{"bun.lock", "npm install -D vitest", "bun add -d vitest"},
		{"bun.lockb", "npm install", "bun install"},
		{"pnpm-lock.yaml", "npm uninstall left-pad", "pnpm remove left-pad"},
		{"yarn.lock", "  npm  run build ", "yarn run build"},
		{"package-lock.json", "npm install left-pad", ""},
		{"", "npm install left-pad", ""},
		{"pnpm-lock.yaml", "npm install -g left-pad", ""},
		{"pnpm-lock.yaml", "npm install left-pad && rm x", ""},
		{"pnpm-lock.yaml", "npm install $X", ""},
		{"pnpm-lock.yaml", "npm install 'left-pad'", ""},
		{"pnpm-lock.yaml", "npm install left-pad\nls", ""},
		{"pnpm-lock.yaml", "npm install left-pad\n", ""},
		{"pnpm-lock.yaml", "npm publish", ""},
		{"pnpm-lock.yaml", "npm add", ""},
		{"pnpm-lock.yaml", "npm", ""},
		{"pnpm-lock.yaml", "echo npm install x", ""},
	} {
		dir := t.TempDir()
		if c.lock != "" {
			write(t, filepath.Join(dir, c.lock), "")
		}
		input := map[string]any{"command": c.command, "description": "😀 é", "timeout": 60000.0, "nested": map[string]any{"a": []any{nil, true}}}
		event := encode(t, map[string]any{"tool_name": "Bash", "tool_input": input, "work_dir": dir})
		got := call{hook: "prefer-tool", dir: dir, event: event, env: []string{path}}.run(t)
		if c.want == "" {
			got.silent(t)
			continue
		}
		answer := got.answer(t)
		input["command"] = c.want
		if want, have := encode(t, input), encode(t, answer["modified_input"]); !bytes.Equal(want, have) || len(answer) != 2 || answer["decision"] != nil {
			t.Errorf("%q with %s: %s, want modified_input %s and no decision", c.command, c.lock, got.stdout, want)
		}
	}
}

func TestPreferToolIgnoresUnclearInput(t *testing.T) {
	t.Parallel()
	path := fakePath(t, map[string]string{"pnpm": "", "yarn": ""})
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pnpm-lock.yaml"), "")
	prefer := call{hook: "prefer-tool", dir: dir, env: []string{path}}
	for _, event := range []string{
		`{"tool_input": {"command": "npm i x", "command": "npm i y"}}`, `{"tool_input": {"command": "npm i x", "cmd": "npm i x"}}`, `{"tool_input": "npm i x"}`,
		"{\"tool_input\": {\"command\": \"npm i x\", \"d\": \"\xff\"}}", `{"tool_input": {"command": "npm i x", "n": 1e999}}`, `{"work_dir": 1, "tool_input": {"command": "npm i x"}}`, `[]`, ``,
	} {
		prefer.event = []byte(event)
		prefer.run(t).silent(t)
	}
	prefer.event = []byte(`{"tool_input": {"cmd": "npm i x", "d": "\ud800"}}`) // a lone surrogate is preserved
	prefer.run(t).want(t, 0, `{"modified_input": {"cmd": "pnpm add x", "d": "\ud800"}, "additional_context": "The project uses pnpm: `+"`pnpm add x` was run instead of `npm i x`"+`."}`+"\n", "")
	missing := prefer
	missing.env = []string{"PATH=" + t.TempDir()}
	missing.run(t).silent(t)
	write(t, filepath.Join(dir, "yarn.lock"), "")
	prefer.run(t).silent(t)
}

// logged runs session-log on all events at once and returns its lines.
func logged(t *testing.T, events ...[]byte) []map[string]string {
	t.Helper()
	if python() == "" { // call.run must not skip in another goroutine
		t.Skip("python3 is not installed")
	}
	state := t.TempDir()
	var all sync.WaitGroup
	for _, e := range events {
		all.Go(func() {
			call{hook: "session-log", event: e, env: []string{"XDG_STATE_HOME=" + state, "AGENT_HOOKS_AGENT=codex"}}.run(t).silent(t)
		})
	}
	all.Wait()
	files, err := filepath.Glob(state + "/agents/session-log/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no log (%v)", err)
	}
	var entries []map[string]string
	for _, file := range files { // two around midnight
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
		lines := bufio.NewScanner(bytes.NewReader(read(t, file)))
		for lines.Scan() {
			var e map[string]string
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Errorf("line %q: %v", lines.Text(), err)
			}
			entries = append(entries, e)
		}
	}
	return entries
}

func TestSessionLog(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		input map[string]any
		want  string
	}{
		{map[string]any{"command": "go test ./..."}, "go test ./..."},
		{map[string]any{"filePath": "a\nb", "content": "hidden"}, "a\nb"},
		{map[string]any{"commands": "x"}, ""},
		{map[string]any{"command": []string{"ls", "-l"}}, "ls -l"},
		{map[string]any{"command": strings.Repeat("é", 500)}, strings.Repeat("é", 200)},
		{map[string]any{"command": "GITHUB_TOKEN=abc deploy --password hunter2"}, "GITHUB_TOKEN=*** deploy --password ***"},
		{map[string]any{"command": `curl -H "Authorization: Bearer abc.def" https://u:p@example.com`}, `curl -H "Authorization: Bearer ***" https://u:***@example.com`},
		{map[string]any{"command": "x ghp_0123456789abcdefghij"}, "x ***"},
	} {
		got := logged(t, toolEvent(t, "Shell", c.input))
		if len(got) != 1 || got[0]["what"] != c.want || got[0]["tool"] != "Shell" || got[0]["agent"] != "codex" || got[0]["session"] != "s" {
			t.Errorf("%v: %q, want what %q", c.input, got, c.want)
		}
	}
	logged(t, []byte(`{"tool_name": "\ud800", "tool_input": {"command": "\ud800"}}`), []byte("{\"tool_input\": {\"command\": \"\xff\"}}"))
}

func TestSessionLogConcurrently(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	var events [][]byte
	for range 24 {
		events = append(events, toolEvent(t, "Shell", map[string]any{"command": strings.Repeat("x", 200)}))
	}
	if got := logged(t, events...); len(got) != len(events) {
		t.Errorf("%d lines, want %d", len(got), len(events))
	}
}

func TestNotify(t *testing.T) {
	t.Parallel()
	told := filepath.Join(t.TempDir(), "told")
	path := fakePath(t, map[string]string{"notify-send": `printf '%s|' "$@" >` + told})
	event := read(t, filepath.Join(eventsDir, "post-agent-turn.json"))
	env := []string{path, "AGENT_HOOKS_AGENT=codex", "AGENT_HOOKS_PROJECT_DIR=/home/dev/$(x) \"y\""}

	call{hook: "notify", event: event, env: env}.run(t).silent(t) // no display
	call{hook: "notify", event: event, env: append(env, "DISPLAY=:0", "NOTIFY=off")}.run(t).silent(t)
	if exists(told) {
		t.Error("notified without a display or with NOTIFY=off")
	}
	call{hook: "notify", event: event, env: append(env, "DISPLAY=:0")}.run(t).silent(t)
	if got, want := string(read(t, told)), `--|codex: $(x) "y"|The turn is over.|`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	broken := fakePath(t, map[string]string{"notify-send": "echo no bus >&2; exit 1"})
	call{hook: "notify", event: event, env: []string{broken, "DISPLAY=:0", "SSH_TTY=/dev/nowhere", "GPG_TTY=not a tty"}}.run(t).silent(t)
	call{hook: "notify", event: event, env: []string{"NOTIFY=bell"}}.run(t).silent(t)
}
