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

// Limits for untrusted folders and for folders without a hook.
const (
	mostUnknown  = 256 // folders that are examined
	mostProblems = 100 // diagnostics of a directory
)

// readProject reads the project's hooks, which are untrusted, in bounded time.
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
		project.reading = peek // the reviewed copy runs instead
		project.known = func(folder string) bool { return r.Knows(dir, folder) }
	}
	return readScope(dir, project)
}

// list opens a directory and lists its folders and links in byte order. Of the
// unknown ones it lists only the first. After an error it also returns the
// names listed so far.
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

// unreadFolders is the error that a directory has more folders than are
// examined.
type unreadFolders struct{ count int }

func (e *unreadFolders) Error() string {
	return fmt.Sprintf("%d untrusted folders are skipped", e.count)
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

// bounded truncates the diagnostics of a directory, and adds the number of
// those omitted.
func bounded(dir string, diagnostics []spec.Diagnostic) []spec.Diagnostic {
	left := len(diagnostics) - mostProblems
	if left <= 0 {
		return diagnostics
	}
	return append(diagnostics[:mostProblems], problem(dir, "left-out", fmt.Sprintf("%d more problems in its folders are not listed", left)))
}
