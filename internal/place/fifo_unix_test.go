//go:build unix

package place

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

func TestFindProjectFIFO(t *testing.T) {
	root := testtree.New(t, ".git/", ".agents/hooks/", "p/")
	if err := syscall.Mkfifo(filepath.Join(root, "p/.git"), 0o600); err != nil {
		t.Fatal(err)
	}
	project, _ := NewSearch([]Candidate{{Event, "cwd", filepath.Join(root, "p")}}).FindProject("", nil)
	if project.Hooks != "" {
		t.Errorf("with a .git that is not a repository, the search found %s", project.Hooks)
	}
}
