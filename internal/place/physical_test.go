package place

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

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
		if got := Physical(filepath.Join(root, path)); got != filepath.Join(root, want) {
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
	if got := Physical(missing); got != missing {
		t.Errorf("%.80s…", got)
	}
	project, _ := NewSearch([]Candidate{{Event, "cwd", missing}}).FindProject("", nil)
	if project.Root != root {
		t.Errorf("found %.80s…, want %s", project.Root, root)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v", took)
	}
}
