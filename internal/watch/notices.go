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

// notices are the file system's notifications that something has changed.
// They only wake the watcher, which then looks for itself. The zero value has
// none.
type notices struct {
	system *fsnotify.Watcher
	woken  chan struct{} // holds one if something that matters has happened
	ended  chan struct{} // closed when nothing is received any more

	mu   sync.Mutex
	dirs map[string]names // what is listened to
}

// names are those in a directory that matter, in lower case.
type names map[string]bool

// lasting stands for all names but those of temporary files.
const lasting = "*"

func (n *notices) open() error {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	n.system, n.woken, n.ended = system, make(chan struct{}, 1), make(chan struct{})
	go n.receive(system)
	return nil
}

// close returns when nothing is received any more.
func (n *notices) close() {
	if n.system == nil {
		return
	}
	_ = n.system.Close()
	<-n.ended
	n.system = nil
}

// expected reports whether there are notifications.
func (n *notices) expected() bool { return n.system != nil }

// receive receives notifications until the system is closed. It has a
// goroutine of its own, since to add a directory may wait for it.
func (n *notices) receive(system *fsnotify.Watcher) {
	defer close(n.ended)
	for {
		select {
		case e, ok := <-system.Events:
			if !ok {
				return
			}
			if n.concern(e) {
				n.wake()
			}
		case _, ok := <-system.Errors: // such as that some were lost
			if !ok {
				return
			}
			n.forget()
			n.wake()
		}
	}
}

// wake keeps that something has happened, however often it does.
func (n *notices) wake() {
	select {
	case n.woken <- struct{}{}:
	default:
	}
}

// listen listens to dirs and to nothing else, and reports whether some of
// that is new. All are added each time, since a directory that was replaced
// by another of its name is not listened to any more.
func (n *notices) listen(dirs map[string]names) (fresh bool, err error) {
	if n.system == nil {
		return false, nil
	}
	fresh = n.expect(dirs)
	for _, dir := range n.system.WatchList() {
		if _, ok := dirs[dir]; !ok {
			_ = n.system.Remove(dir) // it may be gone
		}
	}
	for dir := range dirs {
		err := n.system.Add(dir)
		if errors.Is(err, fs.ErrNotExist) {
			n.drop(dir) // gone again, of which its parent tells
		} else if err != nil {
			return true, fmt.Errorf("the system does not notify of changes in %s (%w)", shown.Path(dir), plain(err))
		}
	}
	return fresh, nil
}

// plain says what Linux means by "no space left on device".
func plain(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return errors.New("its limit fs.inotify.max_user_watches is reached")
	}
	return err
}

// expect makes dirs those that matter, and reports whether any did not.
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

// drop makes a directory one to listen to again.
func (n *notices) drop(dir string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.dirs, dir)
}

// forget drops all directories: any may have been replaced.
func (n *notices) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dirs = nil
}

// concern reports whether e is about something that matters.
func (n *notices) concern(e fsnotify.Event) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.dirs[e.Name]; ok && e.Has(fsnotify.Remove|fsnotify.Rename) {
		delete(n.dirs, e.Name) // it must be listened to again
		return true
	}
	dir, name := filepath.Split(e.Name)
	matter := n.dirs[filepath.Clean(dir)]
	return matter[strings.ToLower(name)] || matter[lasting] && !temporary(name)
}

// cover reports whether all that matters is in n.
func (n names) cover(matter names) bool {
	for name := range matter {
		if !n[name] {
			return false
		}
	}
	return true
}
