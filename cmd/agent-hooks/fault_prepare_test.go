//go:build linux

package main

import (
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

func makeFIFO(_ *testing.T, c *cell) { must(syscall.Mkfifo(c.project+"/fifo", 0o600)) }

func chmod(path string, mode os.FileMode) func(*testing.T, *cell) {
	return func(_ *testing.T, c *cell) { must(os.Chmod(c.guard(path), mode)) }
}

// holdOpen keeps the entry point open for writing until the test ends.
func holdOpen(t *testing.T, c *cell) {
	f, err := os.OpenFile(c.guard("/scripts/run"), os.O_WRONLY, 0)
	must(err)
	t.Cleanup(func() { f.Close() })
}

// earlier adds a hook that runs before the guard.
func earlier(script string) func(*testing.T, *cell) {
	return func(t *testing.T, c *cell) {
		c.addHook(t, "before", "#!/bin/sh\n"+script+"\n", "priority: 900\n")
	}
}

// removeWorkDir has another hook remove the directory in which hooks run.
func removeWorkDir(t *testing.T, c *cell) {
	dir := c.project + "/work"
	must(os.Mkdir(dir, 0o755))
	c.stdin = strings.NewReader(`{"tool_name": "Shell", "tool_input": {}, "work_dir": "` + dir + `"}`)
	earlier(`rmdir "$AGENT_HOOKS_WORK_DIR"`)(t, c)
}

func editManifest(old, new string) func(*testing.T, *cell) {
	return func(t *testing.T, c *cell) {
		b, err := os.ReadFile(c.guard("/HOOK.md"))
		must(err)
		if !strings.Contains(string(b), old) {
			t.Fatalf("no %q in %s", old, b)
		}
		must(os.WriteFile(c.guard("/HOOK.md"), []byte(strings.Replace(string(b), old, new, 1)), 0o644))
	}
}

// backtracking returns an event on which ^(?=(a+)+$) backtracks for hours.
func backtracking() io.Reader {
	return strings.NewReader(`{"tool_name": "Shell", "tool_input": {"command": "` + strings.Repeat("a", 60) + "!" + `"}}`)
}
