package cases

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// plant writes files below a folder; a script gets the execute bit.
func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		mode := os.FileMode(0o644)
		if len(text) > 1 && text[:2] == "#!" {
			mode = 0o755
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
}

// hookWith creates a pre-tool-call hook named probe, with additional front matter and files.
func hookWith(t *testing.T, front, script string, files map[string]string) *discovery.Hook {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "probe")
	plant(t, dir, map[string]string{
		"HOOK.md":     "---\nname: probe\ndescription: Probes.\n" + front + "---\n",
		"scripts/run": "#!/bin/sh\n" + script,
	})
	plant(t, dir, files)
	return discovery.ReadHook(dir, discovery.ProjectScope)
}

const onTool = "trigger: pre-tool-call\n"

// needsShell skips the test on systems without sh.
func needsShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("its hook needs sh")
	}
}

// one runs the only case of a hook with the given script.
func one(t *testing.T, front, script, text string) *Result {
	t.Helper()
	needsShell(t)
	h := hookWith(t, front, script, map[string]string{"tests/one.yaml": text})
	all, problems := Read(h)
	if len(all) != 1 || len(problems) > 0 {
		t.Fatalf("%d cases, problems %v", len(all), problems)
	}
	return all[0].Run(context.Background(), os.Environ())
}

// parsed parses a text as a case of a hook without a script.
func parsed(name, text string) *Case {
	hook := &discovery.Hook{}
	hook.Trigger = "pre-tool-call"
	c := &Case{Hook: hook, Name: "one", Path: name, source: &source{path: name}}
	c.parse([]byte(text), nil)
	c.Diagnostics = c.source.diagnostics
	return c
}
