package paths_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

func TestCheckDirectory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := paths.CheckDirectory(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("a missing directory: %v", err)
	}
	if paths.CheckDirectory(file) == nil {
		t.Error("a file is accepted")
	}
	if runtime.GOOS == "windows" {
		return
	}
	for mode, accepted := range map[os.FileMode]bool{0o700: true, 0o755: true, 0o777: false, 0o757: false} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if err := paths.CheckDirectory(dir); (err == nil) != accepted {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, 12345, 0); err != nil {
			t.Fatal(err)
		}
		if paths.CheckDirectory(dir) == nil {
			t.Error("another user's directory is accepted")
		}
	}
}

func TestFollow(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("a", "b"), filepath.Join(root, "deep")); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	for target, want := range map[string]string{
		"deep":                      "deep",
		"deep/":                     "a/b",
		"deep/.":                    "a/b",
		"deep/..":                   "a",
		"deep/../x":                 "a/x",
		".":                         ".",
		"..":                        "..",
		filepath.Join(root, "deep"): "deep",
		"none":                      "none",
		"none/..":                   "",
		"file/":                     "",
		"file/.":                    "",
	} {
		link := filepath.Join(root, "link")
		if err := os.Symlink(filepath.FromSlash(target), link); err != nil {
			t.Fatal(err)
		}
		got, err := paths.Follow(link)
		if want == "" && err == nil || want != "" && (err != nil || got != filepath.Join(root, want)) {
			t.Errorf("%q: %q, %v, want %q", target, got, err, want)
		}
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
}
