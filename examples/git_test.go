package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// repository creates a git repository with one commit.
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
	testenv.Long(t)
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

func TestRunTestsGateFindsTheCommand(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	path := fakePath(t, map[string]string{"npm": fails, "pnpm": fails, "yarn": fails, "bun": fails, "go": fails, "cargo": fails, "pytest": fails, "make": fails})
	node := `{"scripts": {"test": "jest"}}`
	for _, c := range []struct {
		files map[string]string
		want  string // "" for no tests
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
	inSub.dir = filepath.Join(dir, "sub") // tests run in the folder of go.mod
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
	gate.run(t).silent(t) // nothing has changed
}

// A test run that hangs is ended together with its children, and blocks.
func TestRunTestsGateEndsHangingTests(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	gate := call{hook: "run-tests-gate", env: []string{"RUN_TESTS_SECONDS=0.5", "RUN_TESTS_COMMAND=sleep 600 & echo $! >" + pid + "; wait"}}
	gate.run(t).blocked(t, "did not end within 0.5 seconds")
	if runtime.GOOS == "windows" {
		return
	}
	number := strings.TrimSpace(string(read(t, pid)))
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		// The killed child may be a zombie until init reaps it.
		out, err := exec.Command("ps", "-o", "stat=", "-p", number).Output()
		if err != nil || strings.HasPrefix(strings.TrimSpace(string(out)), "Z") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %s still exists: %q", number, out)
		}
	}
}

func TestRunTestsGateReportsMissingPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Cargo.toml"), "")
	got := call{hook: "run-tests-gate", dir: dir, env: []string{"PATH=" + t.TempDir()}}.run(t).answer(t)
	if got["system_message"] != "run-tests-gate: cargo is not installed, the tests did not run" {
		t.Errorf("answer %q", got)
	}
}

// TestGitRunsNoCodeOfTheRepository runs the hooks that call git in
// repositories with settings that all name a program.
func TestGitRunsNoCodeOfTheRepository(t *testing.T) {
	testenv.Long(t)
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
	write(t, filepath.Join(dir, "README"), "y\n") // so that git status compares the contents
	write(t, filepath.Join(dir, "sub", "README"), "y\n")
	hostile(dir)
	hostile(filepath.Join(dir, "sub"))

	// A folder inside the work tree that git takes for a bare repository.
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
	// Without the precautions, git runs the programs.
	cmd := exec.Command("git", "status")
	cmd.Dir = dir
	_ = cmd.Run()
	if !exists(told) {
		t.Error("the repository is not hostile")
	}
}
