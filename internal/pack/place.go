package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// Place is a directory of hooks, and its lock.
type Place struct {
	Scope discovery.Scope
	Hooks string // the directory, absolute; it need not exist
	State string // the directory of the program's state
}

// LockPath returns the path of the lock.
func (p Place) LockPath() string { return filepath.Join(filepath.Dir(p.Hooks), LockName) }

// root returns the root of the project.
func (p Place) root() string { return filepath.Dir(filepath.Dir(p.Hooks)) }

// Check returns an error if the directory is not in the project: a repository could cause files
// to be written anywhere with a link.
func (p Place) Check() error {
	if p.Scope != discovery.ProjectScope {
		return nil
	}
	root := place.Physical(p.root())
	for _, dir := range []string{filepath.Dir(p.Hooks), p.Hooks} {
		if physical := place.Physical(dir); !place.Contains(root, physical) || physical == root {
			return fmt.Errorf("%s is a link out of the project, to %s; nothing is written through it", shown.Path(dir), shown.Path(physical))
		}
	}
	return nil
}

// Lock reads the lock. That of a project must not be a link: messages would show parts of another
// file.
func (p Place) Lock() (*Lock, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(p.LockPath()); p.Scope == discovery.ProjectScope && err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", shown.Path(p.LockPath()))
	}
	return readLock(p.LockPath())
}

// SourceOf returns the source of an entry of the lock. A project's lock may name only what the
// project contains and what a host serves: anything else would make update read files of the
// user that the project chose.
func (p Place) SourceOf(h Hook) (Source, error) {
	base := filepath.Dir(p.Hooks)
	if p.Scope == discovery.ProjectScope {
		base = p.root()
	}
	source, err := ParseSource(h.Source, base)
	if err != nil || p.Scope != discovery.ProjectScope || !source.Local() {
		return source, err
	}
	if root := place.Physical(base); !source.Git && place.Contains(root, place.Physical(source.Text)) {
		return source, nil
	}
	return Source{}, fmt.Errorf("a project's hooks.lock cannot make update read %s, which is outside the project; to update from there: agent-hooks add SOURCE", h.Source)
}

// Installed reads a hook's folder; nil if there is none. On Windows, which has no execute
// permission, the files in executable have it.
func (p Place) Installed(name string, executable []string) (*trust.Folder, error) {
	return readInstalled(filepath.Join(p.Hooks, name), executable)
}

func readInstalled(dir string, executable []string) (*trust.Folder, error) {
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, shown.Cause(err)
	case !info.IsDir():
		return nil, errors.New("not a folder")
	}
	f, err := trust.Read(dir)
	if err == nil && runtime.GOOS == "windows" {
		for i := range f.Files {
			f.Files[i].Executable = slices.Contains(executable, f.Files[i].Path)
		}
	}
	return f, err
}

// State is the state of a hook's folder, compared with the lock.
type State string

// The states of a hook in the lock.
const (
	Same    State = "unchanged"
	Edited  State = "edited"
	Missing State = "missing"
	Unread  State = "unreadable"
)

// Compare compares a hook's folder with its entry in the lock. cause explains Unread.
func (p Place) Compare(name string, h Hook) (state State, cause error) {
	f, err := p.Installed(name, h.Executable)
	switch {
	case err != nil:
		return Unread, err
	case f == nil:
		return Missing, nil
	case f.Digest() != h.Digest:
		return Edited, nil
	}
	return Same, nil
}
