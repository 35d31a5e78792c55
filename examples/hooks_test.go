package examples_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// fakePath is a PATH with programs of these names in front; each is a script.
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

// repository is a git repository with one commit.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "README"), "x\n")
	git(t, dir, "init", "-q")
	git(t, dir, "checkout", "-q", "-b", "topic")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", `Begin with "quotes"`)
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func TestGitContext(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	write(t, filepath.Join(dir, "new"), "")
	for _, event := range []string{`{"event_type": "pre-agent-turn"}`, "\xff", ""} {
		got := call{hook: "git-context", dir: dir, event: []byte(event)}.run(t).answer(t)
		context, _ := got["additional_context"].(string)
		for _, want := range []string{"Branch: topic\n", "Changed files: 1\n", "?? new\n", `Begin with "quotes"`} {
			if len(got) != 1 || !strings.Contains(context, want) {
				t.Errorf("answer %q lacks %q", got, want)
			}
		}
	}
}

func TestGitContextIsBounded(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	for range 20 {
		git(t, dir, "commit", "-q", "--allow-empty", "-m", "\x1b[31m"+strings.Repeat("é", 3000))
	}
	for i := range 60 {
		write(t, filepath.Join(dir, strings.Repeat("n", 150)+string(rune('A'+i))), "")
	}
	context, _ := call{hook: "git-context", dir: dir}.run(t).answer(t)["additional_context"].(string)
	if n := utf8.RuneCountInString(context); n > 4000 || n < 3000 || strings.Contains(context, "\x1b") {
		t.Errorf("%d characters: %q", n, context)
	}
}

func TestGitContextIsSilentElsewhere(t *testing.T) {
	t.Parallel()
	call{hook: "git-context"}.run(t).silent(t)
	call{hook: "git-context", env: []string{"PATH=" + t.TempDir()}}.run(t).silent(t)
}

const fails = `echo "ran $0 $*"; echo FAIL; exit 1`

func TestRunTestsGateFindsTheCommand(t *testing.T) {
	t.Parallel()
	path := fakePath(t, map[string]string{"npm": fails, "pnpm": fails, "yarn": fails, "bun": fails, "go": fails, "cargo": fails, "pytest": fails, "make": fails})
	node := `{"scripts": {"test": "jest"}}`
	for _, c := range []struct {
		files map[string]string
		want  string // "" = no tests
	}{
		{map[string]string{"package.json": node}, "`npm test`"},
		{map[string]string{"package.json": node, "pnpm-lock.yaml": ""}, "`pnpm test`"},
		{map[string]string{"package.json": node, "yarn.lock": ""}, "`yarn test`"},
		{map[string]string{"package.json": node, "bun.lock": ""}, "`bun run test`"},
		{map[string]string{"go.mod": "module x"}, "`go test ./...`"},
		{map[string]string{"Cargo.toml": ""}, "`cargo test`"},
		{map[string]string{"pyproject.toml": "[tool.pytest.ini_options]"}, "`pytest -q`"},
		{map[string]string{"pyproject.toml": "[project]", "tests/test_a.py": ""}, "`pytest -q`"},
		{map[string]string{"Makefile": "all:\n\ntest: all\n\ttrue\n"}, "`make test`"},
		{map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`, "Makefile": "test:\n"}, "`make test`"},
		{map[string]string{"package.json": "nonsense"}, ""},
		{map[string]string{"package.json": `["scripts"]`}, ""},
		{map[string]string{"pyproject.toml": "[project]"}, ""},
		{map[string]string{"Makefile": "test := 1\nlatest:\n"}, ""},
		{nil, ""},
	} {
		dir := t.TempDir()
		for name, text := range c.files {
			write(t, filepath.Join(dir, name), text)
		}
		got := call{hook: "run-tests-gate", dir: dir, event: []byte(`{"stop_hook_active": false}`), env: []string{path}}.run(t)
		if c.want == "" {
			got.silent(t)
			continue
		}
		got.blocked(t, c.want+" failed with status 1.")
		got.blocked(t, "\nFAIL\n")
	}
}

func TestRunTestsGate(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	write(t, filepath.Join(dir, "go.mod"), "module x\n")
	write(t, filepath.Join(dir, "sub/x.go"), "package x\n")
	gate := call{hook: "run-tests-gate", dir: dir, event: read(t, filepath.Join(eventsDir, "pre-agent-turn-stop.json"))}

	gate.env = []string{fakePath(t, map[string]string{"go": `pwd; ` + fails})}
	gate.run(t).blocked(t, "FAIL")
	inSub := gate
	inSub.dir = filepath.Join(dir, "sub") // tests run where go.mod is
	inSub.run(t).blocked(t, filepath.Base(dir)+"\n")
	again := gate
	again.event = []byte(`{"stop_hook_active": true}`)
	again.run(t).silent(t)

	passing := gate
	passing.env = []string{fakePath(t, map[string]string{"go": "echo ok"})}
	passing.run(t).silent(t)
	own := gate
	own.env = append(own.env, "RUN_TESTS_COMMAND=printf 'own \\377\\n'; exit 3")
	own.run(t).blocked(t, "failed with status 3")
	long := gate
	long.env = append(long.env, "RUN_TESTS_COMMAND=seq 1 100000; exit 1")
	if r := long.run(t); !strings.HasSuffix(r.stderr, "\n100000\n") || strings.Count(r.stderr, "\n") > 70 || r.status != 2 {
		t.Errorf("status %d, %d bytes", r.status, len(r.stderr))
	}

	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "all")
	gate.run(t).silent(t) // nothing is changed
}

// A test run that hangs is ended with what it started, and blocks.
func TestRunTestsGateEndsWhatHangs(t *testing.T) {
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	gate := call{hook: "run-tests-gate", env: []string{"RUN_TESTS_SECONDS=0.5", "RUN_TESTS_COMMAND=sleep 600 & echo $! >" + pid + "; wait"}}
	gate.run(t).blocked(t, "did not end within 0.5 seconds")
	if runtime.GOOS == "windows" {
		return
	}
	number := strings.TrimSpace(string(read(t, pid)))
	// The killed child may be a zombie until init reaps it.
	if out, err := exec.Command("ps", "-o", "stat=", "-p", number).Output(); err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z") {
		t.Errorf("process %s is still there: %q", number, out)
	}
}

func TestRunTestsGateSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Cargo.toml"), "")
	got := call{hook: "run-tests-gate", dir: dir, env: []string{"PATH=" + t.TempDir()}}.run(t).answer(t)
	if got["system_message"] != "run-tests-gate: cargo is not installed, the tests did not run" {
		t.Errorf("answer %q", got)
	}
}

func TestFormatOnWrite(t *testing.T) {
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

// TestFormatOnWriteRunsNothingOfAClone uses the project's prettier, and its
// configuration, only if the hook's own list names the project.
func TestFormatOnWriteRunsNothingOfAClone(t *testing.T) {
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

// TestGitRunsNothingOfTheRepository runs the hooks that call git in
// repositories whose every setting names a program.
func TestGitRunsNothingOfTheRepository(t *testing.T) {
	t.Parallel()
	told := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(t.TempDir(), "program")
	write(t, program, "#!/bin/sh\necho \"$0 $*\" >> "+told+"\ncat\n")
	hostile := func(dir string) {
		for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass", "diff.external", "gpg.program",
			"filter.f.clean", "filter.f.smudge", "filter.f.process", "filter.a=b c.clean", "diff.d.textconv", "diff.d.command", "pager.status", "pager.log",
			"alias.status", "alias.log", "alias.rev-parse", "credential.helper", "interactive.diffFilter", "uploadpack.packObjectsHook"} {
			value := program
			if strings.HasPrefix(key, "alias.") {
				value = "!" + program
			}
			git(t, dir, "config", key, value)
		}
		git(t, dir, "config", "log.showSignature", "true")
		for _, hook := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout"} {
			write(t, filepath.Join(dir, "hooks-of-mine", hook), "#!/bin/sh\nexec "+program+"\n")
		}
		git(t, dir, "config", "core.hooksPath", filepath.Join(dir, "hooks-of-mine"))
		write(t, filepath.Join(dir, ".gitattributes"), "* filter=f diff=d\nREADME filter=f\n*.x filter=a=b\n")
	}
	dir := repository(t)
	sub := repository(t)
	git(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", sub, "sub")
	git(t, dir, "commit", "-q", "-m", "sub")
	write(t, filepath.Join(dir, "README"), "y\n") // so that git status compares the content
	write(t, filepath.Join(dir, "sub", "README"), "y\n")
	hostile(dir)
	hostile(filepath.Join(dir, "sub"))

	// A bare repository inside the work tree, which git takes for one.
	bare := filepath.Join(repository(t), "bare")
	if err := os.MkdirAll(bare, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, bare, "init", "-q", "--bare", ".")
	git(t, bare, "--git-dir=.", "config", "core.bare", "false")
	git(t, bare, "--git-dir=.", "config", "core.worktree", ".")
	git(t, bare, "--git-dir=.", "config", "core.fsmonitor", program)

	if err := os.Remove(told); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, at := range []string{dir, filepath.Join(dir, "sub"), bare} {
		call{hook: "git-context", dir: at}.run(t)
		call{hook: "run-tests-gate", dir: at}.run(t)
		if exists(told) {
			t.Fatalf("in %s git ran\n%s", at, read(t, told))
		}
	}
	context, _ := call{hook: "git-context", dir: dir}.run(t).answer(t)["additional_context"].(string)
	if !strings.Contains(context, "Branch: topic\n") {
		t.Errorf("context %q", context)
	}
	// Without the precautions, git runs them.
	cmd := exec.Command("git", "status")
	cmd.Dir = dir
	_ = cmd.Run()
	if !exists(told) {
		t.Error("the repository is not hostile")
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

func TestPreferToolLeavesDoubtAlone(t *testing.T) {
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
	prefer.event = []byte(`{"tool_input": {"cmd": "npm i x", "d": "\ud800"}}`) // a lone surrogate comes back as it was
	prefer.run(t).want(t, 0, `{"modified_input": {"cmd": "pnpm add x", "d": "\ud800"}, "additional_context": "The project uses pnpm: `+"`pnpm add x` was run instead of `npm i x`"+`."}`+"\n", "")
	missing := prefer
	missing.env = []string{"PATH=" + t.TempDir()}
	missing.run(t).silent(t)
	write(t, filepath.Join(dir, "yarn.lock"), "")
	prefer.run(t).silent(t)
}

// logged runs session-log with these events at once and returns its lines.
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
		t.Error("told without a display or with NOTIFY=off")
	}
	call{hook: "notify", event: event, env: append(env, "DISPLAY=:0")}.run(t).silent(t)
	if got, want := string(read(t, told)), `--|codex: $(x) "y"|The turn is over.|`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	broken := fakePath(t, map[string]string{"notify-send": "echo no bus >&2; exit 1"})
	call{hook: "notify", event: event, env: []string{broken, "DISPLAY=:0", "SSH_TTY=/dev/nowhere", "GPG_TTY=not a tty"}}.run(t).silent(t)
	call{hook: "notify", event: event, env: []string{"NOTIFY=bell"}}.run(t).silent(t)
}
