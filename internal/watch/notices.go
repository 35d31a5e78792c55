package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/fsnotify/fsnotify"
)

// notices receives the file system's notifications of changes. A notification only wakes the
// watcher, which then surveys the disk. The zero value receives none.
type notices struct {
	system *fsnotify.Watcher
	woken  chan struct{} // contains an element after a change
	ended  chan struct{} // closed when receiving has ended
}

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
		var ok bool
		select {
		case _, ok = <-system.Events:
		case _, ok = <-system.Errors: // for example, some were lost
		}
		if !ok {
			return
		}
		select {
		case n.woken <- struct{}{}:
		default: // one wake-up is enough
		}
	}
}

// listen watches exactly the given directories. It adds all of them each time, because a
// directory that was replaced by another of the same name is no longer watched.
func (n *notices) listen(dirs map[string]bool) error {
	for _, dir := range n.system.WatchList() {
		if !dirs[dir] {
			_ = n.system.Remove(dir) // it may not exist any more
		}
	}
	for dir := range dirs {
		err := n.system.Add(dir)
		if errors.Is(err, syscall.ENOSPC) {
			err = errors.New("its limit fs.inotify.max_user_watches is reached")
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // if removed again, its parent's notification follows
			return fmt.Errorf("the system does not notify of changes in %s (%w)", shown.Path(dir), err)
		}
	}
	return nil
}
