package trial_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// hook writes a post-tool-call hook and reads it.
func hook(t *testing.T, front, script string) *discovery.Hook {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("its hook needs sh")
	}
	dir := filepath.Join(t.TempDir(), "probe")
	for name, text := range map[string]string{
		"HOOK.md":        "---\nname: probe\ndescription: Probes.\ntrigger: post-tool-call\n" + front + "---\n",
		"scripts/run.sh": script,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return discovery.ReadHook(dir, discovery.ProjectScope)
}

func event(t *testing.T, trigger spec.EventType, text string) *protocol.Event {
	t.Helper()
	e, warnings := protocol.ParseEvent(trigger, []byte(text), "2026-01-02T03:04:05Z")
	if len(warnings) > 0 {
		t.Fatal(warnings)
	}
	return e
}

const call = `{"tool_name": "Shell", "tool_input": {"command": "ls"}}`

func scratch(t *testing.T) *trial.Scratch {
	t.Helper()
	s, err := trial.NewScratch()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Remove() })
	return s
}

func TestAsyncRunsToItsEnd(t *testing.T) {
	h := hook(t, "async: true\n", "echo told >&2\nexit 3\n")
	s := scratch(t)
	got := trial.Run(context.Background(), s.Load(s.Environ(os.Environ())), h, event(t, spec.PostToolCall, call), agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}, nil).Hook()
	if got == nil || got.Status != 3 || got.Stderr != "told\n" || got.Outcome != agenthooks.Failed {
		t.Errorf("got %+v", got)
	}
	if !h.Async {
		t.Error("the caller's hook was changed")
	}
}

func TestNotConcerned(t *testing.T) {
	h := hook(t, "matcher:\n  tool: Write\n", "exit 0\n")
	s := scratch(t)
	for trigger, failed := range map[spec.EventType]agenthooks.Condition{
		spec.PostToolCall: agenthooks.ToolMatch,
		spec.PreToolCall:  agenthooks.Trigger,
	} {
		r := trial.Run(context.Background(), s.Load(s.Environ(os.Environ())), h, event(t, trigger, call), agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}, nil)
		if r.Hook() != nil || r.Row.Failed != failed {
			t.Errorf("on %s: got %+v, failed %q; want %q", trigger, r.Hook(), r.Row.Failed, failed)
		}
	}
}

func TestScratchHasNoUserFiles(t *testing.T) {
	h := hook(t, "", `printf '%s\n' "$PWD" "$HOME" "$TMPDIR" "$AGENT_HOOKS_PROJECT_DIR" "[$GIT_DIR$XDG_CONFIG_HOME$CLAUDE_PROJECT_DIR]" "$KEPT" >&2`)
	s := scratch(t)
	t.Setenv("GIT_DIR", "/repository")
	t.Setenv("XDG_CONFIG_HOME", "/configuration")
	t.Setenv("CLAUDE_PROJECT_DIR", "/project")
	t.Setenv("KEPT", "kept")
	got := trial.Run(context.Background(), s.Load(s.Environ(os.Environ())), h, event(t, spec.PostToolCall, call), agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express}, nil).Hook()
	want := strings.Join([]string{s.Work, s.Home, filepath.Join(filepath.Dir(s.Home), "tmp"), s.Work, "[]", "kept"}, "\n") + "\n"
	if got == nil || got.Stderr != want {
		t.Errorf("got %+v, want stderr %q", got, want)
	}
}

func TestRemoveReadOnlyFiles(t *testing.T) {
	s := scratch(t)
	dir := filepath.Join(s.Home, "cache", "module")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Dir(s.Home)); !os.IsNotExist(err) {
		t.Errorf("the place is still there: %v", err)
	}
}

func TestEmpty(t *testing.T) {
	s := scratch(t)
	for _, dir := range []string{s.Work, s.Home} {
		if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, "a"), 0o500); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := s.Empty(); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{s.Work, s.Home, filepath.Join(filepath.Dir(s.Home), "tmp")} {
			if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
				t.Errorf("%s: %v, %v", dir, entries, err)
			}
		}
	}
}
