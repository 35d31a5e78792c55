package discovery

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestWatchMissedNotification(t *testing.T) {
	// What is above the project is not listened to, so nothing tells that it
	// is another one.
	root := tree(t, "x/mine/deep/p/.agents/hooks/a/HOOK.md="+hookText("a"), "x/other/deep/p/.agents/hooks/a/HOOK.md="+hookText("a", priority(1)))
	w := &watched{t: t, root: root, changes: make(chan Change), warned: true}
	hooks := w.path("x/mine/deep/p/.agents/hooks")
	w.run(WatchOptions{Hooks: []string{hooks}, Load: func(keep func(*Hook) *Hook) (Table, []spec.Diagnostic) {
		return Load(Dirs{Project: hooks}, "", Rules{Keep: keep})
	}})
	w.rename("x/mine", "x/gone")
	w.rename("x/other", "x/mine")
	c := w.until(func(c Change) bool { return tableText(c.Table) == "project/a active 1" })
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "did not notify") {
		t.Errorf("warnings %q", c.Warnings)
	}
	w.write("x/mine/deep/p/.agents/hooks/a/HOOK.md", hookText("a", priority(2)))
	w.state("project/a active 2")
}

func TestWatchFallsBackToPolling(t *testing.T) {
	w := &watcher{options: WatchOptions{Hooks: []string{tree(t, "p/.agents/hooks/") + "/p/.agents/hooks"}, Load: func(func(*Hook) *Hook) (Table, []spec.Diagnostic) { return Table{}, nil }}}
	if err := w.notices.open(); err != nil {
		t.Skip(err)
	}
	if err := w.notices.system.Close(); err != nil { // it takes no further directory
		t.Fatal(err)
	}
	c, news := w.update()
	if !news || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "looking for changes every 100ms") {
		t.Errorf("update() = %+v, %v", c, news)
	}
	if w.notices.expected() {
		t.Error("notifications are still expected")
	}
	c, news = w.update()
	if news {
		t.Errorf("a second update() has news: %+v", c)
	}
}
