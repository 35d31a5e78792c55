package place

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPhysical(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"dir": ".", "dangling": "dir/gone", "loop": "loop"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]string{
		"dir/a/b":    "a/b",
		"dangling/x": "gone/x",
		"loop/x":     "loop/x",
		"none":       "none",
	} {
		if got := Physical(filepath.Join(root, path)); got != filepath.Join(root, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
