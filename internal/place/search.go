package place

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

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
		f.physical = s.Physical(dir)
		if info := s.info(f.physical); info == nil || !info.IsDir() || !filepath.IsAbs(dir) {
			f.physical, f.err = physicalFolder(dir)
		}
		s.folders[dir] = f
	}
	return f.physical, f.err
}

// Physical is paths.Physical.
func (s *Search) Physical(path string) string {
	found, known := s.paths[path]
	if !known {
		found = path
		if !s.plain(path) {
			found = paths.Physical(path)
		}
		s.paths[path] = found
	}
	return found
}

// plain reports whether a path exists and has no link, so that it is physical. It looks at the directories
// that several paths have above them once.
func (s *Search) plain(path string) bool {
	if runtime.GOOS == "windows" || !filepath.IsAbs(path) || filepath.Clean(path) != path || len(path) > paths.MaxPath {
		return false
	}
	above := filepath.Dir(path)
	if above == path {
		return true
	}
	if s.Physical(above) != above {
		return false
	}
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink == 0
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
