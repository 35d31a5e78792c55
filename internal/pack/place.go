package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// Place is a directory of hooks, its lock and, for a project's, what the user has reviewed.
type Place struct {
	Scope   discovery.Scope
	Hooks   string       // the directory, absolute; it need not exist
	State   string       // the directory of the program's state
	Home    string       // of the user
	Reviews *trust.Store // of a project's hooks; nil for the user's

	lock    *Lock
	follow  []Followed // for the next Apply
	history *trust.History
}

// Open reads the lock, and what the user has reviewed.
func (p *Place) Open() (err error) {
	p.lock, err = p.readLock()
	if err != nil || p.Reviews == nil {
		return err
	}
	if err := p.Reviews.Outside(p.root(), p.Home); err != nil {
		return err
	}
	p.history = p.Reviews.History(p.root())
	return nil
}

// LockPath returns the path of the lock.
func (p *Place) LockPath() string { return filepath.Join(filepath.Dir(p.Hooks), LockName) }

// root returns the root of the project.
func (p *Place) root() string { return filepath.Dir(filepath.Dir(p.Hooks)) }

// readLock reads the lock; a missing file is empty. It returns an error if the directory is not in the
// project: a repository could cause files to be written anywhere with a link. The lock of a project must
// not be a link either: messages would show parts of another file.
func (p *Place) readLock() (l *Lock, err error) {
	above := filepath.Dir(p.Hooks)
	switch p.Scope {
	case discovery.ManagedScope:
		if _, missing := os.Stat(above); missing == nil { // others could lead root's writes elsewhere
			err = paths.CheckRoot(above)
		}
	case discovery.ProjectScope:
		root := paths.Physical(p.root())
		for _, dir := range []string{above, p.Hooks} {
			if physical := paths.Physical(dir); err == nil && (!paths.Contains(root, physical) || physical == root) {
				err = fmt.Errorf("%s is a link out of the project, to %s; nothing is written through it", shown.Path(dir), shown.Path(physical))
			}
		}
		if info, missing := os.Lstat(p.LockPath()); err == nil && missing == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a regular file", shown.Path(p.LockPath()))
		}
	}
	if err != nil {
		return nil, err
	}
	text, _, err := paths.Read(p.LockPath(), maxLock)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Lock{Version: lockVersion, Hooks: map[string]Hook{}}, nil
	case err == nil && len(text) > maxLock:
		err = errTooLarge()
	case err == nil:
		l, err = parseLock(text)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", shown.Path(p.LockPath()), shown.Cause(err))
	}
	return l, err
}

// SourceOf returns the source of an entry of the lock. A project's lock may name only what the
// project contains and what a host serves: anything else would make update read files of the
// user that the project chose. Its folders are relative, so that not even the path of another one
// is looked up: on Windows, that could send the user's credentials to a server.
func (p *Place) SourceOf(named string) (Source, error) {
	base := filepath.Dir(p.Hooks)
	if p.Scope == discovery.ProjectScope {
		base = p.root()
	}
	source, err := ParseSource(named, base)
	if err != nil || p.Scope != discovery.ProjectScope || !source.Local() {
		return source, err
	}
	if root := paths.Physical(base); filepath.IsLocal(filepath.FromSlash(named)) && paths.Contains(root, paths.Physical(source.Text)) {
		return source, nil
	}
	return Source{}, fmt.Errorf("a project's hooks.lock cannot make update read %s, which is outside the project; to update from there: agent-hooks add SOURCE", named)
}

// installed reads a hook's folder; nil if there is none. On Windows, which has no execute
// permission, the files in executable have it.
func (p *Place) installed(name string, executable []string) (*trust.Folder, error) {
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

// The states of a hook's folder.
const (
	Same    State = "unchanged"
	Edited  State = "edited"
	Missing State = "missing"
	Unread  State = "unreadable"
	Foreign State = "not from a pack"
	Gone    State = "no longer at its source"

	Other  State = "not as at its source" // by Group.Verify
	Weak   State = "weaker"               // by Base.Weaker
	Broken State = "not as the policy requires"
	Stated State = "changed as stated" // Weak, and a commit message says so
)

// compare reads a hook's folder and compares it with a lock. The files in executable have that
// permission if the hook is not in the lock. cause explains Unread, and Edited if it is known.
func (p *Place) compare(lock *Lock, name string, executable []string) (now *trust.Folder, state State, cause error) {
	entry, is := lock.Hooks[name]
	if is {
		executable = entry.Executable
	}
	now, err := p.installed(name, executable)
	switch {
	case err != nil:
		return nil, Unread, err
	case now == nil:
		return nil, Missing, nil
	case !is:
		return now, Foreign, nil
	case now.Digest() == entry.Digest:
		return now, Same, nil
	}
	original := &trust.Folder{Name: now.Name} // with the line ends that its files have without core.autocrlf
	for _, file := range now.Files {
		file.Data = bytes.ReplaceAll(file.Data, []byte("\r\n"), []byte("\n"))
		original.Files = append(original.Files, file)
	}
	if original.Digest() == entry.Digest {
		cause = errors.New("git has converted its line ends; \".agents/hooks/** -text\" in .gitattributes prevents that")
	}
	return now, Edited, cause
}

// Has reports whether a hook is in the lock.
func (p *Place) Has(name string) bool {
	_, is := p.lock.Hooks[name]
	return is
}

// Locked is a hook in a lock, and whether its folder is as it says.
type Locked struct {
	Name  string          `json:"hook"`
	Scope discovery.Scope `json:"scope"`
	State State           `json:"state"`
	Cause string          `json:"cause,omitempty"` // of Unread and, if it is known, of Edited
	Hook
	Place *Place `json:"-"`
}

// IsDirectory reports whether Name is a directory of hooks, with slashes below the project, and no hook.
func (l Locked) IsDirectory() bool { return l.Name == ".agents" || strings.Contains(l.Name, "/") }

// Locked returns the hooks in the lock, in the order of their names.
func (p *Place) Locked() (all []Locked) {
	for _, name := range slices.Sorted(maps.Keys(p.lock.Hooks)) {
		_, state, cause := p.compare(p.lock, name, nil)
		l := Locked{Name: name, Scope: p.Scope, State: state, Hook: p.lock.Hooks[name], Place: p}
		if cause != nil {
			l.Cause = cause.Error()
		}
		all = append(all, l)
	}
	return all
}
