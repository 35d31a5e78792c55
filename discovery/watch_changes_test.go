package discovery

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestWatchKeepsTheLastGoodVersion(t *testing.T) {
	for _, broken := range []string{
		"---\nname: a\n",
		hookText("a", "async: maybe"),
		strings.ReplaceAll(hookText("a"), "pre-tool-call", "pre-tool-cal"),
		hookText("a", "matcher: {tool: '('}"),
		hookText("b"),
	} {
		w, _ := start(t, oneHook(t), false)
		w.save(hookA, hookText("a", priority(1), "metadata: {on-failure: deny}"))
		w.state("project/a active 1")
		w.save(hookA, broken)
		c := w.until(func(c Change) bool { return summary(c) == "kept a" })
		if n := len(c.Table[spec.PreToolCall]); n != 1 || len(c.Table) != 1 {
			t.Fatalf("%q: the table is %+v", broken, c.Table)
		}
		h := c.Table[spec.PreToolCall][0]
		if h.State != Active || h.Priority != 1 || h.OnFailure != manifest.Deny {
			t.Errorf("%q: kept %+v", broken, h)
		}
		if len(h.Diagnostics) == 0 || !strings.Contains(h.Notice, "its last good version stays: ") {
			t.Errorf("%q: diagnostics %q, notice %q", broken, h.Diagnostics, h.Notice)
		}
		w.save(hookA, broken+" ")
		if c := <-w.changes; summary(c) != "kept a" {
			t.Errorf("%q: still broken: %q", broken, summary(c))
		}
		w.save(hookA, hookText("a", priority(2)))
		if c := w.state("project/a active 2"); summary(c) != "~a(HOOK.md)" || c.Hooks[0].After.Notice != "" {
			t.Errorf("%q: mended: %q, %q", broken, summary(c), c.Hooks[0].After.Notice)
		}
	}
}

func TestWatchKeepsWhatWasGoodOnly(t *testing.T) {
	root := oneHook(t)
	plantAll(t, root, hookA+"=no hook")
	w, first := start(t, root, false)
	if first.Hooks[0].Kept || first.Hooks[0].After.State != Invalid {
		t.Errorf("a hook that never was good: %+v", first.Hooks[0])
	}
	w.save(hookA, hookText("a"))
	w.state("project/a active 100")
	w.save(hookA, "no hook")
	w.until(func(c Change) bool { return summary(c) == "kept a" })
	w.write("p/.agents/hooks.toml", "") // other rules
	w.state("project/a invalid 100")
}

func TestWatchKeptHookReplacesAsBefore(t *testing.T) {
	root := oneHook(t)
	plantAll(t, root, "home/.config/agents/hooks/a/HOOK.md="+hookText("a", priority(9)), "p/.agents/hooks/a/scripts/run.sh=exit 0")
	w, _ := start(t, root, false)
	w.save(hookA, "no hook")
	c := w.state("project/a active 100", "user/a overridden 9")
	for _, h := range c.Table[spec.PreToolCall] {
		if h.Scope == ProjectScope && h.Replaces == nil || h.Scope == UserScope && h.ReplacedBy == nil {
			t.Errorf("links of %+v", h)
		}
	}
	// What cannot run does not switch the user's hook off.
	w.remove("p/.agents/hooks/a/scripts")
	w.state("project/a active 100", "user/a active 9")
	w.remove("p/.agents")
	w.state("user/a active 9")
}

func TestWatchKeepsOrder(t *testing.T) {
	root := oneHook(t)
	plantAll(t, root, hookA+"="+hookText("a", priority(500)), "p/.agents/hooks/b/HOOK.md="+hookText("b"))
	w, _ := start(t, root, false)
	w.save(hookA, "no hook")
	c := w.until(func(c Change) bool { return summary(c) == "kept a" })
	if row := c.Table[spec.PreToolCall]; len(row) != 2 || row[0].Folder != "a" {
		t.Errorf("order %v", describe(row))
	}
}

func TestWatchLeavesReviewedCopiesAlone(t *testing.T) {
	key := hookKey{ProjectScope, "a"}
	w := &watcher{good: map[hookKey]*Hook{key: {Scope: ProjectScope, Folder: "a", State: Active, Reviewed: true}}}
	broken := &Hook{Scope: ProjectScope, Folder: "a", State: Invalid, Diagnostics: []spec.Diagnostic{problem("", "yaml", "broken")}}
	if kept := w.keep(Table{spec.PreToolCall: {broken}}); len(kept) != 0 {
		t.Errorf("kept %+v", kept)
	}
}
