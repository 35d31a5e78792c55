//go:build linux || darwin || freebsd

package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestSetupKilled ends setup at random moments, half of them just after it began to write. After
// SIGINT, hooks and settings are all as before or all complete; after SIGKILL, this holds for each
// hook and each settings file, and setup completes the rest when it is run again.
func TestSetupKilled(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	const times = 30
	program := filepath.Join(t.TempDir(), "agent-hooks")
	linked, err := osexec.LookPath("agent-hooks")
	if err == nil {
		err = os.Symlink(linked, program)
	}
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	start := func() *osexec.Cmd {
		cmd := osexec.CommandContext(t.Context(), "agent-hooks", "setup", "--yes", "--program", program)
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GORACE=" + os.Getenv("GORACE")}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	prepare := func() {
		if err := os.RemoveAll(home); err != nil {
			t.Fatal(err)
		}
		for path, text := range map[string]string{".claude/settings.json": "{\n  \"model\": \"opus\"\n}\n", ".codex/config.toml": ""} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(home, path)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(home, path), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	prepare()
	before := setupFiles(t, home)
	began := time.Now()
	if err := start().Wait(); err != nil {
		t.Fatal(err)
	}
	took, complete := time.Since(began), setupFiles(t, home)
	for i := range times {
		prepare()
		signal := []os.Signal{os.Interrupt, os.Kill}[i%2]
		cmd := start()
		wait := rand.N(took)
		if i%4 < 2 {
			for end := time.Now().Add(10 * took); time.Now().Before(end); {
				if _, err := os.Stat(filepath.Join(home, ".config", "agents")); err == nil {
					break
				}
			}
			wait = rand.N(10 * time.Millisecond)
		}
		time.Sleep(wait)
		_ = cmd.Process.Signal(signal) // it may have ended
		err := cmd.Wait()
		got := setupFiles(t, home)
		if signal == os.Interrupt {
			if diff := cmp.Diff(complete, got); diff != "" && !cmp.Equal(before, got) {
				t.Errorf("after %v and %v (%v):\n%s", wait, signal, err, diff)
			}
			continue
		}
		for path, text := range got {
			if name, temporary := strings.CutSuffix(filepath.Base(path), ".tmp"); temporary {
				// What a kill leaves between writing a new file and putting it in place: a beginning of it.
				final := filepath.Join(filepath.Dir(path), strings.TrimPrefix(name[:strings.LastIndexByte(name, '.')], "."))
				if !strings.HasPrefix(complete[final], text) {
					t.Errorf("after %v and %v, %s is not a part of %s:\n%s", wait, signal, path, final, text)
				}
				if err := os.Remove(filepath.Join(home, path)); err != nil {
					t.Error(err)
				}
				continue
			}
			if text != before[path] && text != complete[path] {
				t.Errorf("after %v and %v, %s is neither as before nor complete:\n%s", wait, signal, path, text)
			}
		}
		for path := range complete {
			if _, there := got[path]; !there && strings.Contains(path, "/hooks/") && got[filepath.Join(filepath.Dir(path), "HOOK.md")] != "" {
				t.Errorf("after %v and %v, %s is missing in its hook", wait, signal, path)
			}
		}
		if err := start().Wait(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(complete, setupFiles(t, home)); diff != "" {
			t.Errorf("setup after %v and %v, and again:\n%s", wait, signal, diff)
		}
	}
}

// setupFiles reads the hooks, the settings and their backups in a home directory.
func setupFiles(t *testing.T, home string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, dir := range []string{".config/agents/hooks", ".claude", ".codex"} {
		err := filepath.WalkDir(filepath.Join(home, dir), func(path string, e fs.DirEntry, err error) error {
			if os.IsNotExist(err) || err == nil && e.IsDir() {
				return nil
			}
			text, err := os.ReadFile(path)
			files[strings.TrimPrefix(path, home)] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
