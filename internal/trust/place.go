package trust

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Place is where a project lies, in a way that is the same in all worktrees
// of a repository.
type Place struct {
	// Repository is the physical path of the git directory that the worktrees
	// share; outside a repository that of the project's root.
	Repository string
	// Project is the project's root below the work tree's, with slashes; "."
	// if they are the same.
	Project string

	tree      string // the work tree's root
	submodule bool   // the tree is that of a submodule: another lies around it
}

// Locate finds the place of a project by its root, a physical path. It reads
// what git has written and does not start it.
func Locate(root string) Place {
	for dir := root; ; dir = filepath.Dir(dir) {
		if p, ok := repositoryAt(dir); ok {
			p.Project = below(dir, root)
			return p
		}
		if dir == filepath.Dir(dir) {
			return Place{Repository: root, Project: ".", tree: root}
		}
	}
}

func below(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return "."
	}
	return filepath.ToSlash(rel)
}

// repositoryAt reads dir/.git: a directory is the repository, a file of a
// worktree or of a submodule points to where it is kept.
func repositoryAt(dir string) (Place, bool) {
	mark := filepath.Join(dir, ".git")
	info, err := os.Stat(mark)
	if err != nil {
		return Place{}, false
	}
	p := Place{Repository: mark, tree: dir}
	text, isFile := "", false
	if info.Mode().IsRegular() {
		text, isFile = strings.CutPrefix(readLine(mark), "gitdir:")
	}
	if isFile {
		p.Repository = from(dir, strings.TrimSpace(text))
		common := readLine(filepath.Join(p.Repository, "commondir"))
		if common != "" {
			p.Repository = from(p.Repository, common)
		}
		p.submodule = common == "" && strings.Contains(filepath.ToSlash(p.Repository), "/modules/")
	}
	if physical, err := filepath.EvalSymlinks(p.Repository); err == nil {
		p.Repository = physical
	}
	return p, true
}

// from is path as seen from dir.
func from(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// readLine returns a small file of git's without its line end; "" if there is
// none.
func readLine(path string) string {
	b, _ := readSmall(path, 8<<10)
	return strings.TrimSpace(string(b))
}

// readSmall reads a regular file as far as most.
func readSmall(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "read", Path: path, Err: os.ErrInvalid}
	}
	return io.ReadAll(io.LimitReader(f, most))
}
