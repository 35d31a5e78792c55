package place

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// The possible meanings of a folder's .git.
const (
	gitNone      = iota // not the root of a work tree
	gitRoot             // the root: the search for the project ends here
	gitSubmodule        // the root of a submodule: the search continues in the superproject
)

// gitMark reads dir/.git: a directory is a repository, and a file points to the
// repository of a worktree or a submodule (D2).
func gitMark(dir string) int {
	path := filepath.Join(dir, ".git")
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return gitNone
	case err != nil || !info.Mode().IsRegular():
		return gitRoot
	}
	const limit = 8 << 10 // a path and a few bytes
	text, _, _ := paths.Read(path, limit)
	named, ok := strings.CutPrefix(string(text), "gitdir:")
	if ok && isSubmodule(dir, filepath.ToSlash(strings.TrimSpace(named))) {
		return gitSubmodule
	}
	return gitRoot
}

// isSubmodule distinguishes a submodule's git directory from a worktree's. As
// either may be inside the other's, it looks for the file commondir, which only
// a worktree has.
func isSubmodule(dir, gitDir string) bool {
	if !strings.Contains(gitDir, "/modules/") {
		return false
	}
	if !strings.Contains(gitDir, "/worktrees/") {
		return true
	}
	if !filepath.IsAbs(gitDir) {
		gitDir = filepath.Join(dir, gitDir)
	}
	_, err := os.Stat(filepath.Join(gitDir, "commondir"))
	return err != nil
}
