// Package own finds out whether files were made after a time, by when they were born (D156). A
// time of change says nothing: moving a file gives an old one a new time.
package own

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/spec"
)

// file is what is known of a file itself, which may be a link.
type file struct {
	born   time.Time
	device uint64
	mine   bool // it belongs to the user of this process
	folder bool
	link   bool
}

// Files are the files that were made since a time. Not safe for concurrent use.
type Files struct {
	since time.Time
	now   time.Time
	stat  func(path string) (f file, ok bool) // ok is false without a time of birth
	keeps func(folder string) bool            // whether the times of birth of its file system count
	left  int
	known map[string]bool
	git   map[string]index // by the folder of a path
}

// Since returns the files that were made since a time. Systems take a birth from the last tick of
// their clock, so one of the first milliseconds may count as earlier, and never an earlier one as
// later. Its methods look at spec.MaxOwn files
// together.
func Since(start time.Time) *Files {
	return &Files{start, time.Now(), stat, keepsBirths, spec.MaxOwn, map[string]bool{}, map[string]index{}}
}

// Has reports whether the file or folder at a path, and everything below it, is there, was made
// since the time, belongs to the user and is in one file system whose times of birth are those of
// this computer's clock. No link is followed in the last part of the path and below it, and below it
// is none to a folder elsewhere, which rm -rf x/*/ and find -L would empty. It is
// false if that cannot be found out, and for what git's index lists: many programs put a new file in
// the place of the one that they change.
func (s *Files) Has(path string) bool {
	top, ok := s.stat(path)
	if !ok {
		return false
	}
	dir := path
	if !top.folder {
		dir = filepath.Dir(path)
	}
	return s.keeps(dir) && s.has(path, path, top.device) && !s.listed(path)
}

func (s *Files) listed(path string) bool {
	dir := filepath.Dir(path)
	git, ok := s.git[dir]
	if !ok {
		git = indexFor(path)
		s.git[dir] = git
	}
	return git.lists(path)
}

func (s *Files) has(top, path string, device uint64) bool {
	if s.known[path] {
		return true
	}
	if s.left == 0 {
		return false
	}
	s.left--
	f, ok := s.stat(path)
	if !ok || !f.mine || f.device != device || f.born.Before(s.since) || f.born.After(s.now) {
		return false
	}
	if f.link && path != top && leavesFor(path, top) {
		return false
	}
	if f.folder {
		names, ok := list(path)
		if !ok {
			return false
		}
		for _, name := range names {
			if !s.has(top, filepath.Join(path, name), device) {
				return false
			}
		}
	}
	s.known[path] = !f.link // which may be named, or be below what is named
	return true
}

// leavesFor reports whether a link leads to a folder that is not below top.
func leavesFor(link, top string) bool {
	info, err := os.Stat(link)
	return err == nil && info.IsDir() && !paths.Contains(top, paths.Physical(link))
}

// list returns the names in a folder; ok is false if there are more than may be looked at.
func list(folder string) (names []string, ok bool) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, false
	}
	defer dir.Close()
	names, err = dir.Readdirnames(spec.MaxOwn + 1)
	return names, len(names) <= spec.MaxOwn && (err == nil || err == io.EOF)
}
