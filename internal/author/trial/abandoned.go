package trial

import (
	"os"
	"path/filepath"
	"strings"
)

// prefix is the beginning of the name of a Scratch's directory; digits follow.
const prefix = "agent-hooks-"

// A Scratch's directory contains a file with this name and text. No other directory is ever
// removed.
const (
	markerName = ".agent-hooks-scratch"
	marker     = "agent-hooks made this directory for one run of a hook and may remove it: 7c0d5f4e-2b7e-4f0e-9f1c-64ab3a0e8d11\n"
)

// RemoveAbandoned removes the Scratch directories of killed processes: those with a Scratch's
// marker that the user owns, that contain only files of a Scratch, and that no running process
// has locked. It follows no links and reports no errors; remaining directories do no harm.
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

// isScratch reports whether a directory has the marker, and otherwise only files of a Scratch.
func isScratch(root string) bool {
	entries, err := os.ReadDir(root)
	for _, e := range entries {
		switch name := e.Name(); {
		case name == markerName:
		case !e.IsDir(), name != "work" && name != "home" && name != "tmp":
			return false
		}
	}
	return err == nil && isMarked(root)
}

// isMarked reports whether a directory contains the marker: a file owned by the user with
// exactly that text.
func isMarked(root string) bool {
	path := filepath.Join(root, markerName)
	before, err := os.Lstat(path)
	if err != nil || !before.Mode().IsRegular() || before.Size() != int64(len(marker)) || !isOwn(before) {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && string(text) == marker
}
