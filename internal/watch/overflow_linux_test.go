package watch

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/fsnotify/fsnotify"
)

// TestWatchOverflow checks that a change is found even if the system has dropped its
// notification because its queue was full.
func TestWatchOverflow(t *testing.T) {
	w, hooks := idle(t)
	for i := range queued(t) + 1000 {
		if err := os.Chmod(hooks+[]string{"/one", "/two"}[i%2], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := errors.Join(os.Rename(hooks+"/a", filepath.Dir(hooks)+"/away"), os.Rename(filepath.Dir(hooks)+"/other", hooks+"/a"))
	go w.notices.receive(w.notices.system) // until now, nothing was received
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"project/a active 7", "project/a active 8"} {
		var c Change
		for news := false; !news; {
			if !w.wait(t.Context()) {
				t.Fatal("wait() = false")
			}
			c, news = w.update()
		}
		if got := tableText(c.Table); got != want || len(c.Warnings) > 0 {
			t.Errorf("%s, warnings %q; want %s", got, c.Warnings, want)
		}
		if err := os.WriteFile(hooks+"/a/HOOK.md", []byte(hookText("a", priority(8))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// idle returns a watcher of one hook after its first survey, which receives no notifications yet.
func idle(t *testing.T) (*watcher, string) {
	t.Helper()
	root := oneHook(t)
	plantAll(t, root, "p/.agents/hooks/one=x", "p/.agents/hooks/two=x", "p/.agents/other/HOOK.md="+hookText("a", priority(7)))
	hooks := root + "/p/.agents/hooks"
	w := &watcher{options: Options{Hooks: []string{hooks}, Load: func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		return rules{}.load(discovery.Dirs{Project: hooks}, keep)
	}}}
	system, err := fsnotify.NewWatcher()
	if err != nil {
		t.Skipf("the system does not report changes of files: %v", err)
	}
	w.notices = notices{system, make(chan struct{}, 1), make(chan struct{})}
	t.Cleanup(w.notices.close)
	w.update()
	return w, hooks
}

// queued returns the size of the system's notification queue.
func queued(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil {
		t.Skipf("the length of the queue cannot be read: %v", err)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || n > 1_000_000 {
		t.Skipf("the system keeps %d notifications: %v", n, err)
	}
	return n
}
