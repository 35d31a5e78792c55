package place

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// Inside reports whether path is a project that a search from one of the candidates
// could find, or is in one. See Around. If the first usable candidate is --project or, if own, a
// host's variable, it alone counts: the host has named the project.
func (s *Search) Inside(path, home string, own bool) bool {
	path = s.Physical(path)
	dirs := s.around(home, s.naming(own))
	return slices.ContainsFunc(dirs, func(dir string) bool { return paths.Contains(dir, path) }) || s.sameAbove(path, dirs)
}

// Holds reports whether a physical path is dir or below it, under any name that
// dir has.
func (s *Search) Holds(dir, path string) bool {
	return paths.Contains(dir, path) || s.sameAbove(path, []string{dir})
}

// sameAbove reports whether a directory at or above path is one of dirs under
// another name: mounts, macOS's firmlinks and file systems that ignore case give a
// directory several.
func (s *Search) sameAbove(path string, dirs []string) bool {
	var all []os.FileInfo
	for _, dir := range dirs {
		if info := s.info(dir); info != nil {
			all = append(all, info)
		}
	}
	if len(path) > paths.MaxPath || len(all) == 0 {
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
func (s *Search) Around(home string) []string { return s.around(home, s.candidates) }

// naming returns the candidates that count for Inside.
func (s *Search) naming(own bool) []Candidate {
	if _, chosen, _ := s.firstUsable(); chosen.Kind == Option || own && chosen.Kind == Variable {
		return []Candidate{chosen}
	}
	return s.candidates
}

func (s *Search) around(home string, candidates []Candidate) (dirs []string) {
	physicalHome := s.Physical(home)
	add := func(dir string) bool {
		if paths.Contains(dir, physicalHome) {
			return false
		}
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return true
	}
	for _, c := range candidates {
		start, err := s.folder(c.Dir)
		if err != nil {
			continue
		}
		visited := s.searched(start, home)
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
