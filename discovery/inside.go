package discovery

import (
	"os"
	"path/filepath"
)

// Inside reports whether path lies in the project that a search from the
// candidates looks for (D2): in the repository around the first usable
// candidate, else in one of the directories that are searched. Directories at
// or above home do not count.
func Inside(path string, candidates []Candidate, home string) bool {
	start, _, _ := firstUsable(candidates)
	if start == "" {
		return false
	}
	h := homeFolder{path: home}
	path = Physical(path)
	for _, dir := range searched(start, &h) {
		if contains(dir, path) && !contains(dir, Physical(home)) {
			return true
		}
	}
	return false
}

// contains reports whether path is dir or below it; both are absolute.
func contains(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Physical returns an absolute path without symbolic links, as far as its
// directories exist.
func Physical(path string) string {
	path = filepath.Clean(path)
	for at := path; ; at = filepath.Dir(at) {
		if physical, err := filepath.EvalSymlinks(at); err == nil {
			rest, _ := filepath.Rel(at, path)
			return filepath.Join(physical, rest)
		}
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			return path // a link that leads nowhere, or a path without any directory
		}
	}
}
