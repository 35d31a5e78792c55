package place

import (
	"io/fs"
	"os"

	"github.com/agent-hooks/agent-hooks/internal/paths"
)

// Search is a search for the projects to which candidates lead. It looks each directory
// up once, so it must not outlive the loading of the hooks. Not safe for concurrent use.
type Search struct {
	candidates []Candidate
	folders    map[string]folder
	paths      map[string]string      // the physical paths
	infos      map[string]fs.FileInfo // nil if there is no such file
	marks      map[string]int         // of gitMark
}

type folder struct {
	physical string
	err      error
}

// NewSearch returns a search from candidates, in order of precedence.
func NewSearch(candidates []Candidate) *Search {
	return &Search{candidates, map[string]folder{}, map[string]string{}, map[string]fs.FileInfo{}, map[string]int{}}
}

// folder is physicalFolder.
func (s *Search) folder(dir string) (string, error) {
	f, known := s.folders[dir]
	if !known {
		f.physical, f.err = physicalFolder(dir)
		s.folders[dir] = f
	}
	return f.physical, f.err
}

// physical is paths.Physical.
func (s *Search) physical(path string) string {
	found, known := s.paths[path]
	if !known {
		found = paths.Physical(path)
		s.paths[path] = found
	}
	return found
}

// info returns the file at path, links followed; nil if there is none.
func (s *Search) info(path string) fs.FileInfo {
	info, known := s.infos[path]
	if !known {
		info, _ = os.Stat(path)
		s.infos[path] = info
	}
	return info
}

// mark is gitMark.
func (s *Search) mark(dir string) int {
	mark, known := s.marks[dir]
	if !known {
		mark = gitMark(dir)
		s.marks[dir] = mark
	}
	return mark
}
