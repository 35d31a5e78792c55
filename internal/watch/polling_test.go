package watch

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestWatchMissedNotification(t *testing.T) {
	t.Parallel()
	// Directories above the project are not watched, so no notification reports that it was
	// replaced.
	root := testtree.New(t, "x/mine/deep/p/.agents/hooks/a/HOOK.md="+hookText("a"), "x/other/deep/p/.agents/hooks/a/HOOK.md="+hookText("a", priority(1)))
	w := &watched{t: t, root: root, changes: make(chan Change), warned: true}
	hooks := w.path("x/mine/deep/p/.agents/hooks")
	w.run(Options{Hooks: []string{hooks}, Load: func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		return rules{}.load(discovery.Dirs{Project: hooks}, keep)
	}})
	w.rename("x/mine", "x/gone")
	w.rename("x/other", "x/mine")
	w.until(func(c Change) bool { return tableText(c.Table) == "project/a active 1" })
	w.write("x/mine/deep/p/.agents/hooks/a/HOOK.md", hookText("a", priority(2)))
	w.state("project/a active 2")
}

func TestWatchFallsBackToPolling(t *testing.T) {
	w := &watcher{options: Options{Hooks: []string{testtree.New(t, "p/.agents/hooks/") + "/p/.agents/hooks"}, Load: func(func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		return discovery.Table{}, nil
	}}}
	if err := openNotices(&w.notices); err != nil {
		t.Skip("no notifications: ", err)
	}
	if err := w.notices.system.Close(); err != nil { // it accepts no further directory
		t.Fatal(err)
	}
	c, news := w.update()
	if !news || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "checking for changes every 100ms") {
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
