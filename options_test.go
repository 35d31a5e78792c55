package agenthooks_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestDefaultOptions checks that the defaults of Options are those of the
// process.
func TestDefaultOptions(t *testing.T) {
	needsShell(t)
	home, project := t.TempDir(), t.TempDir()
	hooks := filepath.Join(project, ".agents", "hooks")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("MARK", "set")
	t.Chdir(project)
	if err := errors.Join(
		writeHook(filepath.Join(home, ".config", "agents", "hooks"), "user", `[ "$MARK" = set ] && exit 2`),
		writeHook(hooks, "project", "exit 2", "priority: 500"),
	); err != nil {
		t.Fatal(err)
	}
	event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(ls), "2026-01-02T03:04:05Z")
	run := func(o agenthooks.Options) *agenthooks.Report {
		o.NoLog, o.TrustProject = true, true
		return agenthooks.Load(o).Plan(event).Run(t.Context(), agenthooks.RunOptions{})
	}
	if r := run(agenthooks.Options{}); r.BlockedBy != "project" {
		t.Errorf("blocked by %q, %v", r.BlockedBy, r.Warnings)
	}
	if r := run(agenthooks.Options{Isolated: true}); r.Blocked {
		t.Errorf("isolated, but blocked by %q", r.BlockedBy)
	}
	if err := os.RemoveAll(hooks); err != nil {
		t.Fatal(err)
	}
	if r := run(agenthooks.Options{}); r.BlockedBy != "user" {
		t.Errorf("blocked by %q, %v", r.BlockedBy, r.Warnings)
	}
}
