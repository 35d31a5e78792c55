package trial_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/trial"
)

// TestRemoveAbandoned leaves what is in use, and what only looks like a place.
func TestRemoveAbandoned(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("nothing is locked there")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	used := scratch(t)
	for name, gone := range map[string]bool{
		"agent-hooks-1/work/a/b":   true,
		"agent-hooks-2/home":       true,
		"agent-hooks-3/work":       false, // open to others, below
		"agent-hooks-4/tmp/x":      false, // and another folder, below
		"agent-hooks-5":            false, // in the making
		"agent-hooks-images-1/tmp": false,
		"agent-hooks-/tmp":         false,
		"agent-hooks-6x/tmp":       false,
		"other/work":               false,
	} {
		path := filepath.Join(temp, filepath.FromSlash(name))
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if name == "agent-hooks-3/work" {
			if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if name == "agent-hooks-4/tmp/x" {
			if err := os.Mkdir(filepath.Join(temp, "agent-hooks-4", "mine"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		t.Cleanup(func() {
			if _, err := os.Lstat(path); os.IsNotExist(err) != gone {
				t.Errorf("%s: %v, gone should be %v", name, err, gone)
			}
		})
	}
	if err := os.Symlink(filepath.Join(temp, "other"), filepath.Join(temp, "agent-hooks-7")); err != nil {
		t.Fatal(err)
	}
	// A place in which a hook left what nobody may write to.
	if err := os.Chmod(filepath.Join(temp, "agent-hooks-1", "work", "a"), 0o500); err != nil {
		t.Fatal(err)
	}
	trial.RemoveAbandoned()
	if _, err := os.Lstat(used.Work); err != nil {
		t.Errorf("a place in use: %v", err)
	}
	if err := used.Remove(); err != nil {
		t.Error(err)
	}
}
