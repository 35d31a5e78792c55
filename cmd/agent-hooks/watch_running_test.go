//go:build linux || darwin || freebsd

package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestWatchShowsRunningHooks checks that a terminal shows the hooks that run for long, and that they do
// not delay other hooks.
func TestWatchShowsRunningHooks(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	p := lookPlace{t.TempDir()}
	script := func(name string) string {
		return filepath.Join(p.root, "code", ".agents", "hooks", name, "scripts", "run.sh")
	}
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"fast", "slow"} {
		write(script(name), "exit 0\n")
		write(filepath.Join(filepath.Dir(script(name)), "..", "HOOK.md"), "---\nname: "+name+"\ndescription: one of two\ntrigger: pre-tool-call\n---\n")
	}
	write(filepath.Join(p.root, "event.json"), `{"tool_name": "Shell", "tool_input": {"command": "ls"}}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, t, "event.json", []string{"watch", "pre-tool-call"})
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	s := startOnScreen(t, cmd, p.root, 70)
	defer s.terminal.Close()
	s.waitFor(t, "a hook on pre-tool-call runs on the event")
	s.save(t, script("slow"), "until [ -e '"+p.root+"/go' ]; do sleep 0.02; done\nexit 2\n")
	s.waitFor(t, "slow changed")
	s.waitFor(t, "slow is running")
	s.save(t, script("fast"), "exit 2\n")
	s.waitFor(t, "fast: deny in")
	write(filepath.Join(p.root, "go"), "")
	s.waitFor(t, "slow: deny in")
	if _, err := s.terminal.Write([]byte("\x03")); err != nil {
		t.Fatal(err)
	}
	s.readAll(t)
	_ = cmd.Wait() // ended by the signal
}
