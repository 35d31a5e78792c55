// Package testtree makes files and folders for tests.
package testtree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// New makes files and folders in a new physical folder: "a/" is a folder, "a=text" a file,
// "a->b" a symbolic link. It returns the folder.
func New(t *testing.T, files ...string) string {
	t.Helper()
	root, err := paths.Real(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if err := Plant(root, path); errors.Is(err, ErrNoLinks) {
			t.Skipf("%s: %v", path, err)
		} else if err != nil {
			t.Fatal(err)
		}
		if link, _, isLink := strings.Cut(path, "->"); isLink {
			t.Cleanup(func() { Unlink(filepath.Join(root, link)) })
		}
	}
	return root
}

// Plant makes one of these below root.
func Plant(root, path string) error {
	link, target, isLink := strings.Cut(path, "->")
	name, text, isFile := strings.Cut(link, "=")
	at := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	switch {
	case isLink:
		return Link(filepath.FromSlash(target), at)
	case isFile:
		return os.WriteFile(at, []byte(text), 0o644)
	}
	return os.MkdirAll(at, 0o755)
}
