package paths_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

func TestReal(t *testing.T) {
	root := testtree.New(t, "real/a/", "other->real")
	deep := root + `\real\a`
	for range 30 {
		deep += `\abcdefghijkl`
	}
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		root + `\other\a`:                        root + `\real\a`, // a junction above it
		root + `\other`:                          root + `\real`,
		strings.ToUpper(root) + `\REAL\A`:        root + `\real\a`,
		filepath.ToSlash(root) + "/real/../real": root + `\real`,
		`\\?\` + root + `\real`:                  root + `\real`,
		deep:                                     deep,
	} {
		if got, err := paths.Real(path); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", path, got, err, want)
		}
	}
	if _, err := paths.Real(root + `\none`); !os.IsNotExist(err) {
		t.Errorf("missing: %v", err)
	}
}
