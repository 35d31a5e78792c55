package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
)

// TestCases runs the examples' own test cases as agent-hooks test does, and
// again with each script replaced by one that does nothing, which the cases of
// a guard must detect. Each guard must have a case that it allows.
func TestCases(t *testing.T) {
	t.Parallel()
	if python() == "" || runtime.GOOS == "windows" {
		t.Skip("the cases need python3 and sh")
	}
	hooks, problems := discovery.ReadScope(hooksDir, discovery.ProjectScope)
	if len(hooks) != len(examples.Names()) || len(problems) > 0 {
		t.Fatalf("%d hooks, %v", len(hooks), problems)
	}
	for _, hook := range hooks {
		t.Run(hook.Name, func(t *testing.T) {
			t.Parallel()
			path := program(t)
			if exists(filepath.Join(hook.Dir, "prompt.md")) {
				path = built(t)
			}
			environ := append(os.Environ(), "AGENT_HOOKS_PROGRAM="+path)
			results := runCases(t, hook, environ)
			for _, r := range results {
				if r.Status != cases.Passed {
					t.Errorf("%s: %s %s %v %v", r.Case.Name, r.Status, r.Problem, r.Mismatches, r.Case.Diagnostics)
				}
			}
			for _, note := range cases.Notes(hook, results) {
				t.Error(note)
			}
			if hook.Answer != nil {
				return
			}
			broken := runCases(t, withoutScript(t, hook), environ)
			if !slices.ContainsFunc(broken, func(r *cases.Result) bool { return r.Status == cases.Failed }) {
				t.Error("a script that does nothing passes every case")
			}
		})
	}
}

// built returns the path of agent-hooks itself, for the commands that this test does not
// imitate.
func built(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent-hooks")
	if out, err := exec.Command("go", "build", "-o", path, "../cmd/agent-hooks").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

func runCases(t *testing.T, hook *discovery.Hook, environ []string) []*cases.Result {
	t.Helper()
	all, problems := cases.Read(hook)
	if len(all) == 0 || len(problems) > 0 {
		t.Fatalf("%d cases, %v", len(all), problems)
	}
	return slices.Collect(cases.RunAll(t.Context(), all, environ, 2))
}

// withoutScript copies a hook and replaces its script by one that does nothing.
func withoutScript(t *testing.T, hook *discovery.Hook) *discovery.Hook {
	t.Helper()
	dir := filepath.Join(t.TempDir(), hook.Folder)
	if err := os.CopyFS(filepath.Join(dir, cases.Folder), os.DirFS(filepath.Join(hook.Dir, cases.Folder))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "HOOK.md"), string(read(t, hook.File)))
	write(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\nexit 0\n")
	return discovery.ReadHook(dir, discovery.ProjectScope)
}
