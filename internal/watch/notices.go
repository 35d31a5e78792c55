package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/fsnotify/fsnotify"
)

// notices receives the file system's notifications of changes. A notification only wakes the
// watcher, which then surveys the disk. The zero value receives none.
type notices struct {
	system *fsnotify.Watcher
	woken  chan struct{} // contains an element after a relevant change
	ended  chan struct{} // closed when receiving has ended

	mu   sync.Mutex
	dirs map[string]names // the watched directories
}

// names contains the relevant names in a directory, in lower case.
type names map[string]bool

// notTemporary means all names except those of temporary files.
const notTemporary = "*"

func (n *notices) open() error {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	n.system, n.woken, n.ended = system, make(chan struct{}, 1), make(chan struct{})
	go n.receive(system)
	return nil
}

// close returns after receiving has ended.
func (n *notices) close() {
	if n.system == nil {
		return
	}
	_ = n.system.Close()
	<-n.ended
	n.system = nil
}

// expected reports whether notifications are in use.
func (n *notices) expected() bool { return n.system != nil }

// receive receives notifications until the system is closed. It has its own goroutine, because
// adding a directory may block until a notification is received.
func (n *notices) receive(system *fsnotify.Watcher) {
	defer close(n.ended)
	for {
		select {
		case e, ok := <-system.Events:
			if !ok {
				return
			}
			if n.isRelevant(e) {
				n.wake()
			}
		case _, ok := <-system.Errors: // for example, some were lost
			if !ok {
				return
			}
			n.forget()
			n.wake()
		}
	}
}

// wake records that something has changed. Repeated calls have no further effect.
func (n *notices) wake() {
	select {
	case n.woken <- struct{}{}:
	default:
	}
}

// listen watches exactly the given directories, and reports whether any of them is new. It adds
// all of them each time, because a directory that was replaced by another of the same name is
// no longer watched.
func (n *notices) listen(dirs map[string]names) (fresh bool, err error) {
	if n.system == nil {
		return false, nil
	}
	fresh = n.expect(dirs)
	for _, dir := range n.system.WatchList() {
		if _, ok := dirs[dir]; !ok {
			_ = n.system.Remove(dir) // it may not exist any more
		}
	}
	for dir := range dirs {
		err := n.system.Add(dir)
		if errors.Is(err, fs.ErrNotExist) {
			n.drop(dir) // removed again; its parent's notification follows
		} else if err != nil {
			return true, fmt.Errorf("the system does not notify of changes in %s (%w)", shown.Path(dir), plain(err))
		}
	}
	return fresh, nil
}

// plain explains the error ENOSPC, which on Linux means that the limit of watches is reached.
func plain(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return errors.New("its limit fs.inotify.max_user_watches is reached")
	}
	return err
}

// expect sets the relevant directories, and reports whether any of them is new.
func (n *notices) expect(dirs map[string]names) (fresh bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for dir, matter := range dirs {
		if had, ok := n.dirs[dir]; !ok || !had.cover(matter) {
			fresh = true
		}
	}
	n.dirs = maps.Clone(dirs)
	return fresh
}

// drop marks a directory to be added again.
func (n *notices) drop(dir string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.dirs, dir)
}

// forget drops all directories, because any may have been replaced.
func (n *notices) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dirs = nil
}

// isRelevant reports whether e may be about a hook.
func (n *notices) isRelevant(e fsnotify.Event) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.dirs[e.Name]; ok && e.Has(fsnotify.Remove|fsnotify.Rename) {
		delete(n.dirs, e.Name) // it must be added again
		return true
	}
	dir, name := filepath.Split(e.Name)
	matter := n.dirs[filepath.Clean(dir)]
	return matter[strings.ToLower(name)] || matter[notTemporary] && !temporary(name)
}

// cover reports whether n contains all of the names in matter.
func (n names) cover(matter names) bool {
	for name := range matter {
		if !n[name] {
			return false
		}
	}
	return true
}
