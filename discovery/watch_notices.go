package discovery

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// notices are the file system's notifications that something has changed.
// They only wake the watcher, which then looks for itself. The zero value has
// none.
type notices struct {
	system *fsnotify.Watcher
	dirs   map[string]names // what is listened to
}

// names are those in a directory that matter, in lower case; nil: all do.
type names map[string]bool

func (n *notices) open() (err error) {
	n.system, err = fsnotify.NewWatcher()
	return err
}

func (n *notices) close() {
	if n.system != nil {
		_ = n.system.Close()
		n.system = nil
	}
}

// expected reports whether there are notifications.
func (n *notices) expected() bool { return n.system != nil }

func (n *notices) events() <-chan fsnotify.Event {
	if n.system == nil {
		return nil
	}
	return n.system.Events
}

func (n *notices) errors() <-chan error {
	if n.system == nil {
		return nil
	}
	return n.system.Errors
}

// listen listens to dirs and to nothing else, and reports whether some of
// them are new. All are added each time, since a directory that was replaced
// by another of its name is not listened to any more.
func (n *notices) listen(dirs map[string]names) (fresh bool, err error) {
	if n.system == nil {
		return false, nil
	}
	for dir := range n.dirs {
		if _, ok := dirs[dir]; !ok {
			_ = n.system.Remove(dir) // it may be gone
		}
	}
	before := n.dirs
	n.dirs = dirs
	for dir := range dirs {
		err := n.system.Add(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone again, of which its parent tells
		}
		if err != nil {
			return true, fmt.Errorf("the system does not notify of changes in %s (%w)", shown(dir), err)
		}
		if _, ok := before[dir]; !ok {
			fresh = true
		}
	}
	return fresh, nil
}

// concern reports whether e is about something that matters.
func (n *notices) concern(e fsnotify.Event) bool {
	if _, ok := n.dirs[e.Name]; ok && e.Has(fsnotify.Remove|fsnotify.Rename) {
		delete(n.dirs, e.Name) // it must be listened to anew
		return true
	}
	dir, name := filepath.Split(e.Name)
	matter, ok := n.dirs[filepath.Clean(dir)]
	return ok && (matter[strings.ToLower(name)] || matter == nil && !temporary(name))
}

// temporary reports whether name is one that editors give to what they keep
// for a while beside a file.
func temporary(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~")
}
