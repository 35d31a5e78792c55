package trust

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// Place is where a project is recorded: the same for all worktrees of a
// repository.
type Place struct {
	// Repository identifies the repository that the worktrees share by the
	// physical path of its .git; if .git is a symbolic link, it is not
	// followed. Outside a repository, it is the path of the project's root.
	Repository string
	// Project is the project's root relative to the work tree's root, with slashes; "." if they
	// are the same.
	Project string
}

// tree is a work tree and its repository.
type tree struct{ dir, repository string }

// placesOf returns the place of root in each of the trees that contain it. A repository inside
// another one does not hide the records of the outer one.
func placesOf(root string, trees []tree) []Place {
	var places []Place
	for _, t := range trees {
		if rel, err := filepath.Rel(t.dir, root); err == nil && filepath.IsLocal(rel) {
			places = append(places, Place{t.repository, filepath.ToSlash(rel)})
		}
	}
	return places
}

// treesAt returns the work tree with its root at dir. If the repository of a worktree was moved
// and replaced by a symbolic link, the worktree belongs to both places.
func treesAt(dir string) []tree {
	repository, worktree := repositoryAt(dir)
	if repository == "" {
		return nil
	}
	trees := []tree{{dir, repository}}
	if !worktree {
		return trees
	}
	if named := namedRepository(dir); named != "" && named != repository {
		trees = append(trees, tree{dir, named})
	}
	return trees
}

// namedRepository returns the repository of a worktree as written in its .git file; "" if that
// path is not absolute and clean, because ".." after a link is not the parent in the written
// path.
func namedRepository(dir string) string {
	named, ok := strings.CutPrefix(readLine(filepath.Join(dir, ".git")), "gitdir:")
	named = filepath.FromSlash(strings.TrimSpace(named))
	if !ok || !filepath.IsAbs(named) || filepath.Clean(named) != named || filepath.Base(filepath.Dir(named)) != "worktrees" {
		return ""
	}
	return filepath.Dir(filepath.Dir(named))
}

// repositoryAt returns the identity of the repository whose work tree has its root at dir, a
// physical path; "" if there is none. A .git file is used only if the repository that it names
// points back to dir: anybody can write such a file (D40). A symbolic link is not followed for
// the same reason. worktree is false if .git is a directory.
func repositoryAt(dir string) (repository string, worktree bool) {
	mark := filepath.Join(dir, ".git")
	info, err := os.Lstat(mark)
	switch {
	case err != nil:
		return "", false
	case info.Mode().IsRegular():
		return pointedBack(dir, mark), true
	}
	return mark, !info.IsDir()
}

// pointedBack returns the repository that the file mark in dir names, if dir is one of its
// worktrees or submodules.
func pointedBack(dir, mark string) string {
	named, ok := strings.CutPrefix(readLine(mark), "gitdir:")
	named = strings.TrimSpace(named)
	if !ok || named == "" {
		return ""
	}
	admin, err := paths.Real(from(dir, named))
	if err != nil {
		return ""
	}
	if common := readLine(filepath.Join(admin, "commondir")); common != "" {
		return worktreeOf(admin, common, mark)
	}
	if back := coreWorktree(filepath.Join(admin, "config")); back != "" && samePath(from(admin, back), dir) {
		return admin
	}
	return ""
}

// worktreeOf returns the repository of the worktree whose administrative files are in the
// directory admin. admin must be in that repository, because its file commondir could name any
// other.
func worktreeOf(admin, common, mark string) string {
	common, err := paths.Real(from(admin, common))
	if err != nil || filepath.Dir(admin) != filepath.Join(common, "worktrees") {
		return ""
	}
	back := readLine(filepath.Join(admin, "gitdir"))
	if back == "" || !samePath(filepath.Dir(from(admin, back)), filepath.Dir(mark)) || filepath.Base(back) != ".git" {
		return ""
	}
	return common
}

// samePath reports whether path resolves to physical.
func samePath(path, physical string) bool {
	at, err := paths.Real(path)
	return err == nil && at == physical
}

// coreWorktree returns core.worktree of one of git's configuration files; ""
// if it is not set.
func coreWorktree(path string) string {
	text, _, _ := paths.Read(path, 64<<10)
	inCore, value := false, ""
	for line := range bytes.Lines(text) {
		s := strings.TrimSpace(string(line))
		if strings.HasPrefix(s, "[") {
			inCore = strings.EqualFold(s, "[core]")
			continue
		}
		key, v, ok := strings.Cut(s, "=")
		if inCore && ok && strings.EqualFold(strings.TrimSpace(key), "worktree") {
			value = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `"`, ``).Replace(strings.TrimSpace(v)) // without quotes
		}
	}
	return value
}

// from returns path, resolved relative to dir.
func from(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// readLine returns the text of one of git's small files without its newline; "" if there is
// none.
func readLine(path string) string {
	b, _, _ := paths.Read(path, 8<<10)
	return strings.TrimRight(string(b), "\r\n")
}
