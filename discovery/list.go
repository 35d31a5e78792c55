package discovery

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Bounds of what is said of folders that nobody trusts or that hold no hook.
const (
	mostUnknown  = 256 // folders that are looked at
	mostProblems = 100 // diagnostics of a directory
)

// readProject reads the project's hooks in bounded time: anyone may have
// written them.
func (r Rules) readProject(dir string) ([]*Hook, []spec.Diagnostic) {
	until := time.Now().Add(spec.MaxLoad)
	if !r.Until.IsZero() && r.Until.Before(until) {
		until = r.Until
	}
	project := reader{reading: front, scope: ProjectScope, until: until}
	if r.Trust == nil {
		project.only = r.Only
	}
	if r.Trust != nil && r.Knows != nil {
		project.reading = peek // what runs is a reviewed copy
		project.known = func(folder string) bool { return r.Knows(dir, folder) }
	}
	return readScope(dir, project)
}

// list opens a directory and lists the folders in it, and links, in byte
// order; of those that are not known, only the first. What could be listed
// before an error is returned with it.
func (r reader) list(dir string) (opened *directory, folders []string, err error) {
	opened, err = open(dir)
	if err != nil {
		return nil, nil, err
	}
	first := firstNames{most: mostUnknown}
	for err == nil {
		var entries []fs.DirEntry
		entries, err = opened.ReadDir(4096)
		for _, entry := range entries {
			switch {
			case !entry.IsDir() && entry.Type()&fs.ModeSymlink == 0:
			case r.known == nil || r.known(entry.Name()):
				folders = append(folders, entry.Name())
			default:
				first.add(entry.Name())
			}
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	folders = append(folders, first.names...)
	slices.SortFunc(folders, strings.Compare)
	if err == nil && first.left > 0 {
		err = &unreadFolders{first.left}
	}
	return opened, folders, err
}

// unreadFolders says that a directory has more folders than are looked at.
type unreadFolders struct{ count int }

func (e *unreadFolders) Error() string {
	return fmt.Sprintf("%d folders that nobody has trusted are left out", e.count)
}

// firstNames keeps the first names in byte order and counts the others.
type firstNames struct {
	names []string
	most  int
	left  int
}

func (f *firstNames) add(name string) {
	at, _ := slices.BinarySearch(f.names, name)
	if len(f.names) == f.most {
		f.left++
		if at == f.most {
			return
		}
		f.names = f.names[:f.most-1]
	}
	f.names = slices.Insert(f.names, at, name)
}

// bounded cuts the diagnostics of a directory, and says how many there were.
func bounded(dir string, diagnostics []spec.Diagnostic) []spec.Diagnostic {
	left := len(diagnostics) - mostProblems
	if left <= 0 {
		return diagnostics
	}
	return append(diagnostics[:mostProblems], problem(dir, "left-out", fmt.Sprintf("%d more problems of the folders in it are left out", left)))
}
