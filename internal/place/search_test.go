package place

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// TestSearchOnce checks that a search looks up a directory once: what removes or
// creates directories meanwhile makes no difference within one search.
func TestSearchOnce(t *testing.T) {
	root, err := filepath.EvalSymlinks(testtree.New(t, "p/.git/HEAD=x", "p/.agents/hooks/", "p/sub/"))
	if err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(root, "p")
	s := NewSearch([]Candidate{{Event, "cwd", filepath.Join(p, "sub")}, {Process, "current directory", filepath.Join(p, "sub")}})
	if !s.Inside(filepath.Join(p, "home"), root, false) {
		t.Fatal("not inside")
	}
	looked := len(s.paths)
	for _, name := range []string{"sub", ".git"} {
		if err := os.RemoveAll(filepath.Join(p, name)); err != nil {
			t.Fatal(err)
		}
	}
	if !s.Inside(filepath.Join(p, "sub"), root, false) || s.Physical(filepath.Join(p, "home")) != filepath.Join(p, "home") || len(s.paths) != looked {
		t.Errorf("the paths that were looked up are %q", s.paths)
	}
	if got := s.Around(root); len(got) != 1 || got[0] != p {
		t.Errorf("around is %q", got)
	}
	if found, warnings := s.FindProject(root, nil); found.Root != p || found.Start != filepath.Join(p, "sub") || len(warnings) > 0 {
		t.Errorf("found %v, %q", found, warnings)
	}
}
