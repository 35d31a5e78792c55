//go:build unix

package install

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// TestLasting checks that entries name a program by a link that remains valid after an upgrade.
func TestLasting(t *testing.T) {
	root := testtree.New(t, "installs/agent-hooks/1.0/agent-hooks", "installs/agent-hooks/0.9/agent-hooks", "apps/a/2/bin/agent-hooks", "plain/3/agent-hooks")
	for link, target := range map[string]string{"installs/agent-hooks/latest": "./1.0", "apps/a/current": filepath.Join(root, "apps/a/2")} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"installs/agent-hooks/1.0/agent-hooks":    "installs/agent-hooks/latest/agent-hooks",
		"installs/agent-hooks/latest/agent-hooks": "installs/agent-hooks/latest/agent-hooks",
		"installs/agent-hooks/0.9/agent-hooks":    "installs/agent-hooks/0.9/agent-hooks", // not the one that is used
		"apps/a/2/bin/agent-hooks":                "apps/a/current/bin/agent-hooks",
		"plain/3/agent-hooks":                     "plain/3/agent-hooks",
	} {
		if got := lasting(filepath.Join(root, path)); got != filepath.Join(root, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
