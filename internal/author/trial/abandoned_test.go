package trial_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/author/trial"
)

// markerText returns the text that identifies a Scratch.
func markerText(t *testing.T, s *trial.Scratch) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(s.Work), ".agent-hooks-scratch"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRemoveAbandoned checks that directories in use, and similar directories, are kept.
func TestRemoveAbandoned(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("directories are not locked there")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	used := scratch(t)
	for name, gone := range map[string]bool{
		"agent-hooks-1/work/a/b":   true,
		"agent-hooks-2/home":       true,
		"agent-hooks-3/work":       false, // accessible to others, see below
		"agent-hooks-4/tmp/x":      false, // with another folder, see below
		"agent-hooks-5":            true,
		"agent-hooks-8/work/data":  false, // without a marker, see below
		"agent-hooks-9/work":       false, // with another text in it, see below
		"agent-hooks-10/work":      false, // the marker is a link, see below
		"agent-hooks-images-1/tmp": false,
		"agent-hooks-/tmp":         false,
		"agent-hooks-6x/tmp":       false,
		"other/work":               false,
	} {
		path := filepath.Join(temp, filepath.FromSlash(name))
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
		root := filepath.Join(temp, strings.Split(name, "/")[0])
		mark := filepath.Join(root, ".agent-hooks-scratch")
		switch name {
		case "agent-hooks-8/work/data":
		case "agent-hooks-9/work":
			text := []byte(strings.ToUpper(string(markerText(t, used))))
			if err := os.WriteFile(mark, text, 0o600); err != nil {
				t.Fatal(err)
			}
		case "agent-hooks-10/work":
			if err := os.Symlink(filepath.Join(filepath.Dir(used.Work), ".agent-hooks-scratch"), mark); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(mark, markerText(t, used), 0o600); err != nil {
				t.Fatal(err)
			}
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
	// A Scratch with a read-only directory that a hook left.
	if err := os.Chmod(filepath.Join(temp, "agent-hooks-1", "work", "a"), 0o500); err != nil {
		t.Fatal(err)
	}
	// A link to a directory outside, which must be kept.
	kept := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(kept), filepath.Join(temp, "agent-hooks-2", "home", "link")); err != nil {
		t.Fatal(err)
	}
	trial.RemoveAbandoned()
	if _, err := os.Lstat(kept); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(used.Work); err != nil {
		t.Errorf("a place in use: %v", err)
	}
	if err := used.Remove(); err != nil {
		t.Error(err)
	}
}
