package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/fsnotify/fsnotify"
)

// TestListenWhileNotified checks that watching a directory does not block on pending
// notifications.
func TestListenWhileNotified(t *testing.T) {
	root := t.TempDir()
	gone, away, other := filepath.Join(root, "gone"), filepath.Join(root, "away"), t.TempDir()
	for range 25 {
		if err := os.Mkdir(gone, 0o755); err != nil {
			t.Fatal(err)
		}
		var n notices
		if err := openNotices(&n); err != nil {
			t.Skip("no notifications: ", err)
		}
		if err := n.listen(map[string]bool{gone: true}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(os.Rename(gone, away), os.Remove(away)); err != nil {
			t.Fatal(err)
		}
		listening := make(chan error)
		go func() {
			listening <- n.listen(map[string]bool{other: true})
		}()
		select {
		case err := <-listening:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Fatal("listen does not return")
		}
		n.close()
	}
}

// openNotices opens notices if Hooks uses them.
func openNotices(n *notices) error {
	if !notifies {
		return errors.New("notifications are not used")
	}
	return n.open()
}

// TestNoticesOfWindows checks that Windows is never asked for notifications: fsnotify may abort the
// process there.
func TestNoticesOfWindows(t *testing.T) {
	start(t, oneHook(t), false)
	if got, want := receiving(), runtime.GOOS != "windows"; got != want {
		t.Errorf("notifications are received: %v, want %v", got, want)
	}
}

// listening returns notices whose notifications are sent only by the test.
func listening(t *testing.T) (n *notices, system *fsnotify.Watcher) {
	n = &notices{woken: make(chan struct{}, 1), ended: make(chan struct{})}
	system = &fsnotify.Watcher{Events: make(chan fsnotify.Event), Errors: make(chan error)}
	go n.receive(system)
	t.Cleanup(func() { close(system.Events); <-n.ended })
	return n, system
}

// TestReceiveNeverWaits checks that notifications never wait for the watcher, and that one
// wake-up covers all of them.
func TestReceiveNeverWaits(t *testing.T) {
	n, system := listening(t)
	for range 50_000 {
		system.Events <- fsnotify.Event{Name: filepath.Join("dir", "file"), Op: fsnotify.Write}
	}
	system.Events <- fsnotify.Event{} // the previous one has been handled
	<-n.woken
	select {
	case <-n.woken:
		t.Error("woken twice")
	default:
	}
}

// TestWatchLeavesNothingRunning checks that the receiving goroutine ends.
func TestWatchLeavesNothingRunning(t *testing.T) {
	root := oneHook(t)
	for name, end := range map[string]func(*watcher){
		"closed":  func(w *watcher) { w.notices.close() },
		"polling": func(w *watcher) { w.poll("a reason") },
	} {
		w := &watcher{options: Options{Hooks: []string{filepath.Join(root, "p/.agents/hooks")}, Load: func(func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) { return nil, nil }}}
		if err := openNotices(&w.notices); err != nil {
			t.Skip("no notifications: ", err)
		}
		w.update()
		if !receiving() {
			t.Error("nothing receives notifications")
		}
		end(w)
		if !silent() {
			t.Fatalf("%s: notifications are still received", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	Hooks(ctx, Options{Load: func(func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) { return nil, nil }}, func(Change) { cancel() })
	if !silent() {
		t.Error("notifications are still received after Watch")
	}
}

// silent reports whether no goroutine receives notifications; a goroutine that has closed its
// channel needs a moment to end.
func silent() bool {
	for began := time.Now(); receiving(); runtime.Gosched() {
		if time.Since(began) > patience {
			return false
		}
	}
	return true
}

// receiving reports whether a goroutine receives notifications.
func receiving() bool {
	stacks := make([]byte, 1<<20)
	return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "created by github.com/agent-hooks/agent-hooks/internal/watch.(*notices).open")
}
