package paths_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

func TestPhysical(t *testing.T) {
	root := testtree.New(t, "dir->.", "dangling->dir/gone", "loop->loop")
	for path, want := range map[string]string{
		"dir/a/b":    "a/b",
		"dangling/x": "gone/x",
		"loop/x":     "loop/x",
		"none":       "none",
	} {
		if got := paths.Physical(filepath.Join(root, path)); got != filepath.Join(root, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestLongPaths checks that the time for a path that an event chooses is linear
// in its length.
func TestLongPaths(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(root, strings.Repeat("a/", 60_000))
	began := time.Now()
	if got := paths.Physical(missing); got != missing {
		t.Errorf("%.80s…", got)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}
