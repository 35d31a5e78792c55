package place

import (
	"os"
	"path/filepath"
	"slices"
)

// Inside reports whether path is in a project that a search from one of the
// candidates could find (D2). See Around.
func Inside(path string, candidates []Candidate, home string) bool {
	path = Physical(path)
	return slices.ContainsFunc(Around(candidates, home), func(dir string) bool { return contains(dir, path) })
}

// Around returns the physical paths of the directories that a search for the
// project visits from any usable candidate: those in the repository around it,
// otherwise those that D2 names. All candidates count, because the event may
// name a directory elsewhere while the agent was started in a repository.
// Directories at or above home are excluded.
func Around(candidates []Candidate, home string) (dirs []string) {
	h := homeFolder{path: home}
	physicalHome := Physical(home)
	for _, c := range candidates {
		start, err := physicalFolder(c.Dir)
		if err != nil {
			continue
		}
		for _, dir := range searched(start, &h) {
			if !slices.Contains(dirs, dir) && !contains(dir, physicalHome) {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// contains reports whether path is dir or below it. Both are absolute.
func contains(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Physical returns an absolute path with the symbolic links of its existing
// directories resolved.
func Physical(path string) string {
	path = filepath.Clean(path)
	for at := path; ; at = filepath.Dir(at) {
		if physical, err := filepath.EvalSymlinks(at); err == nil {
			rest, _ := filepath.Rel(at, path)
			return filepath.Join(physical, rest)
		}
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			return path // a dangling link, or a path without any directory
		}
	}
}
