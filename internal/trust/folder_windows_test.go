package trust

import (
	"path/filepath"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// TestLinkedFolder checks that what a junction or a link leads to is not read as a part of the folder,
// which could then change without its digest.
func TestLinkedFolder(t *testing.T) {
	root := testtree.New(t, "hook/HOOK.md=x", "hook/inside/a=1", "elsewhere/a=2", "hook/inside/link->../../elsewhere", "hook/link->inside")
	for _, dir := range []string{"hook", "hook/inside"} {
		folder, err := Read(filepath.Join(root, dir))
		if err != nil {
			continue // refused
		}
		if f, ok := folder.Find("link/a"); ok {
			t.Errorf("%s: the file %q of the link's target counts as the folder's", dir, f.Data)
		}
		if f, ok := folder.Find("link"); !ok || f.Link == "" {
			t.Errorf("%s: the link is missing or a file: %+v", dir, f)
		}
	}
}
