package place

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/realpath"
)

// Inside reports whether path is a project that a search from one of the candidates
// could find, or is in one. See Around.
func (s *Search) Inside(path, home string) bool {
	path = Physical(path)
	dirs := s.Around(home)
	return slices.ContainsFunc(dirs, func(dir string) bool { return Contains(dir, path) }) || s.sameAbove(path, dirs)
}

// Holds reports whether a physical path is dir or below it, under any name that
// dir has.
func Holds(dir, path string) bool {
	return Contains(dir, path) || NewSearch(nil).sameAbove(path, []string{dir})
}

// sameAbove reports whether a directory at or above path is one of dirs under
// another name: mounts, macOS's firmlinks and file systems that ignore case give a
// directory several.
func (s *Search) sameAbove(path string, dirs []string) bool {
	const longest = 4096 // systems open no longer ones
	var all []os.FileInfo
	for _, dir := range dirs {
		if info := s.info(dir); info != nil {
			all = append(all, info)
		}
	}
	if len(path) > longest || len(all) == 0 {
		return false
	}
	for at := path; at != filepath.Dir(at); at = filepath.Dir(at) {
		if info := s.info(at); info != nil && slices.ContainsFunc(all, func(dir os.FileInfo) bool { return os.SameFile(dir, info) }) {
			return true
		}
	}
	return false
}

// Around returns the physical paths of the projects that a search from the usable
// candidates could find (D2, D89): the repository around each; otherwise the folders
// with .agents that the search visits; otherwise the candidate itself, unless only
// the event names it, because the model can change its directory. All candidates
// count, because the event may name a directory elsewhere while the agent was
// started in a repository. A directory at or above home is not a project.
func (s *Search) Around(home string) (dirs []string) {
	h := homeFolder{path: home, search: s}
	physicalHome := Physical(home)
	add := func(dir string) bool {
		if Contains(dir, physicalHome) {
			return false
		}
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return true
	}
	for _, c := range s.candidates {
		start, err := s.folder(c.Dir)
		if err != nil {
			continue
		}
		visited := s.searched(start, &h)
		if len(visited) == 0 {
			continue
		}
		if root := visited[len(visited)-1]; s.mark(root) != gitNone && add(root) {
			continue
		}
		found := false
		for _, dir := range visited {
			if _, err := os.Lstat(filepath.Join(dir, ".agents")); err == nil {
				found = add(dir) || found
			}
		}
		if !found && (c.given() || c.Kind == Process) {
			add(start)
		}
	}
	return dirs
}

// Contains reports whether path is dir or below it. Both are absolute.
func Contains(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// maxLinks limits how many dangling symbolic links are followed, as Linux does.
const maxLinks = 40

// Physical resolves the symbolic links in an absolute path. The last elements
// of the path, and the targets of links, need not exist. A ".." is removed with the
// element before it.
func Physical(path string) string { return physical(filepath.Clean(path), maxLinks) }

// Opened is Physical for the path that the system opens: a ".." after a link leaves
// the link's target.
func Opened(path string) string { return physical(path, maxLinks) }

func physical(path string, links int) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if found, err := realpath.Of(path); err == nil { // usually it exists
		return found
	}
	dir := existing(path)
	if next := firstBelow(dir, path); next != dir {
		if found, err := realpath.Of(next); err == nil {
			return filepath.Join(found, path[len(next):])
		}
		if target, err := os.Readlink(next); err == nil && links > 0 { // a dangling link
			if !filepath.IsAbs(target) {
				target = filepath.Join(dir, target)
			}
			return filepath.Join(physical(filepath.Clean(target), links-1), path[len(next):])
		}
	}
	found, err := realpath.Of(dir)
	if err != nil {
		return path
	}
	return filepath.Join(found, path[len(dir):])
}

// firstBelow returns the path of the first name below dir in path, which begins
// with dir; dir if there is none.
func firstBelow(dir, path string) string {
	rest := strings.TrimLeft(path[len(dir):], string(filepath.Separator))
	name, _, _ := strings.Cut(rest, string(filepath.Separator))
	return path[:len(path)-len(rest)+len(name)]
}
