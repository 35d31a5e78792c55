package trial

import (
	"os"
	"path/filepath"
	"strings"
)

// prefix begins the name of a Scratch's directory; digits follow.
const prefix = "agent-hooks-"

// RemoveAbandoned removes the places that a Scratch had of a program that was
// killed: directories that the user owns, that are called so, hold nothing but
// what a Scratch makes, and that no living program has locked. It is silent:
// what it cannot remove is in nobody's way.
func RemoveAbandoned() {
	temp := os.TempDir()
	entries, _ := os.ReadDir(temp)
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), prefix)
		if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" || !e.IsDir() {
			continue
		}
		root := filepath.Join(temp, e.Name())
		if info, err := os.Lstat(root); err != nil || !info.IsDir() || !isOwn(info) || !isScratch(root) {
			continue
		}
		if locked := lock(root); locked != nil {
			removeAll(root)
			locked.Close()
		}
	}
}

// isScratch reports whether a directory holds something, and nothing but what
// a Scratch makes.
func isScratch(root string) bool {
	entries, err := os.ReadDir(root)
	for _, e := range entries {
		switch name := e.Name(); {
		case !e.IsDir(), name != "work" && name != "home" && name != "tmp":
			return false
		}
	}
	return err == nil && len(entries) > 0
}
