package watch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestWatchKeepsTheLastGoodVersion(t *testing.T) {
	t.Parallel()
	for _, broken := range []string{
		"---\nname: a\n",
		hookText("a", "matcher: x"),
		strings.ReplaceAll(hookText("a"), "pre-tool-call", "pre-tool-cal"),
		hookText("a", "matcher: {tool: '('}"),
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
		if h.State != discovery.Active || h.Priority != 1 || h.OnFailure != manifest.Deny {
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
			t.Errorf("%q: fixed: %q, %q", broken, summary(c), c.Hooks[0].After.Notice)
		}
	}
}

func TestWatchKeepsOnlyValidVersions(t *testing.T) {
	t.Parallel()
	root := oneHook(t)
	plantAll(t, root, hookA+"=no hook")
	w, first := start(t, root, false)
	if first.Hooks[0].Kept || first.Hooks[0].After.State != discovery.Invalid {
		t.Errorf("a hook that was never valid: %+v", first.Hooks[0])
	}
	w.save(hookA, hookText("a"))
	w.state("project/a active 100")
	w.save(hookA, "no hook")
	w.until(func(c Change) bool { return summary(c) == "kept a" })
	w.rename("p/.agents/hooks/a", "p/.agents/away") // in one step, so that the folder is seen to be missing
	w.state("")
	w.write(hookA, "no hook")
	w.state("project/a invalid 100")
}

// TestWatchKeepsWhileTheFolderStays checks that the last valid version is kept if HOOK.md is
// removed and is invalid when it is written again.
func TestWatchKeepsWhileTheFolderStays(t *testing.T) {
	t.Parallel()
	w, _ := start(t, oneHook(t), false)
	w.rename(hookA, hookA+"~")
	w.until(func(c Change) bool { return summary(c) == "-a" })
	w.until(func(c Change) bool { return len(c.Diagnostics) > 0 })
	w.write(hookA, "no hook")
	c := w.state("project/a active 100")
	if len(c.Hooks) != 1 || c.Hooks[0].Before != nil || !c.Hooks[0].Kept {
		t.Errorf("it comes back as %+v", c.Hooks)
	}
}

// TestWatchKeepsNothingElsewhere checks that no version of a hook replaces a missing folder,
// and that it does when the folder exists again.
func TestWatchKeepsNothingElsewhere(t *testing.T) {
	t.Parallel()
	w, _ := start(t, oneHook(t), false)
	w.rename("p/.agents/hooks/a", "p/.agents/away")
	w.state("")
	w.rename("p/.agents/away", "p/.agents/hooks/a")
	w.state("project/a active 100")
	plantAll(t, w.root, "p/.agents/hooks/link->nowhere")
	w.until(func(c Change) bool { return len(c.Hooks) == 1 && c.Hooks[0].After.Folder == "link" })
	w.rename("p/.agents/hooks/a", "p/.agents/away")
	w.rename("p/.agents/hooks/link", "p/.agents/hooks/a")
	c := w.state("project/a invalid 0")
	if slices.ContainsFunc(c.Hooks, func(h HookChange) bool { return h.Kept }) {
		t.Errorf("kept without a folder: %+v", c.Hooks)
	}
}

// TestWatchReportsRemovedFirst checks the order of changes for a renamed folder.
func TestWatchReportsRemovedFirst(t *testing.T) {
	t.Parallel()
	w, _ := start(t, oneHook(t), false)
	w.rename("p/.agents/hooks/a", "p/.agents/hooks/b")
	w.until(func(c Change) bool { return summary(c) == "-a +b" })
	w.rename("p/.agents/hooks/b", "p/.agents/hooks/a")
	w.until(func(c Change) bool { return summary(c) == "-b +a" })
}

// TestWatchKeepsUnderOtherRules checks that a change of a hooks.toml keeps the last valid
// version, and applies to it.
func TestWatchKeepsUnderOtherRules(t *testing.T) {
	t.Parallel()
	const file = "p/.agents/hooks.toml"
	root := oneHook(t)
	plantAll(t, root, "home/.config/agents/hooks/a/HOOK.md="+hookText("a"), "p/.agents/hooks/a/scripts/run.sh=exit 0")
	w, _ := startRules(t, root, false, func() rules { return rulesOf(filepath.Join(root, file)) })
	for range 2 { // the second time from other rules
		w.save(hookA, hookText("a", priority(5)))
		w.state("project/a active 5", "user/a overridden 100")
		w.save(hookA, "no hook")
		w.until(func(c Change) bool { return summary(c) == "kept a" })
		for _, step := range []struct {
			rules string
			want  []string
		}{
			{"# nothing", nil},
			{"priority", []string{"project/a active 7", "user/a overridden 100"}},
			{"disable", []string{"project/a disabled 5", "user/a active 100"}},
			{"protect", []string{"project/a disabled 5", "user/a active 100"}},
			{"", []string{"project/a active 5", "user/a overridden 100"}},
		} {
			w.save(file, step.rules)
			if step.want == nil {
				continue
			}
			c := w.state(step.want...)
			for _, h := range c.Table[spec.PreToolCall] {
				if h.Scope == discovery.ProjectScope && !strings.Contains(h.Notice, "its last good version stays") {
					t.Errorf("under %q: %+v", step.rules, h)
				}
			}
		}
		w.save(file, "trust")
		c := w.state("project/a untrusted 100", "user/a active 100")
		if i := slices.IndexFunc(c.Hooks, func(h HookChange) bool { return h.After.Scope == discovery.ProjectScope }); i < 0 || !c.Hooks[i].Dropped || c.Hooks[i].Kept {
			t.Errorf("Dropped is not set: %+v", c.Hooks)
		}
		w.save(file, "")
		w.state("project/a active 5", "user/a overridden 100")
		w.save(file, "disable")
		w.state("project/a disabled 5", "user/a active 100")
		w.save(hookA, hookText("a", priority(6)))
		w.state("project/a disabled 6", "user/a active 100")
		w.save(hookA, "no hook again")
		w.until(func(c Change) bool { return strings.Contains(summary(c), "kept a") })
		w.remove(file)
		w.state("project/a active 6", "user/a overridden 100")
	}
}

// rulesOf returns the rules that a word in a file selects for the project's hooks.
func rulesOf(path string) rules {
	text, _ := os.ReadFile(path)
	r := rules{configure: func(h *discovery.Hook) {
		switch {
		case h.Scope != discovery.ProjectScope:
		case string(text) == "priority":
			h.Priority = 7
		case string(text) == "disable":
			h.State, h.Cause = discovery.Disabled, "by the file"
		}
	}}
	r.protected = func(string) bool { return string(text) == "protect" }
	if string(text) == "trust" {
		r.review = func(h *discovery.Hook) { h.State, h.Cause = discovery.Untrusted, "not trusted" }
	}
	return r
}

func TestWatchKeptHookReplacesAsBefore(t *testing.T) {
	t.Parallel()
	root := oneHook(t)
	plantAll(t, root, "home/.config/agents/hooks/a/HOOK.md="+hookText("a", priority(9)), "p/.agents/hooks/a/scripts/run.sh=exit 0")
	w, _ := start(t, root, false)
	w.save(hookA, "no hook")
	c := w.state("project/a active 100", "user/a overridden 9")
	for _, h := range c.Table[spec.PreToolCall] {
		if h.Scope == discovery.ProjectScope && h.Replaces == nil || h.Scope == discovery.UserScope && h.ReplacedBy == nil {
			t.Errorf("links of %+v", h)
		}
	}
	// A hook that cannot run does not disable the user's hook.
	w.remove("p/.agents/hooks/a/scripts")
	w.state("project/a invalid 100", "user/a active 9")
	w.remove("p/.agents")
	w.state("user/a active 9")
}

func TestWatchKeepsOrder(t *testing.T) {
	t.Parallel()
	root := oneHook(t)
	plantAll(t, root, hookA+"="+hookText("a", priority(500)), "p/.agents/hooks/b/HOOK.md="+hookText("b"))
	w, _ := start(t, root, false)
	w.save(hookA, "no hook")
	c := w.until(func(c Change) bool { return summary(c) == "kept a" })
	if row := c.Table[spec.PreToolCall]; len(row) != 2 || row[0].Folder != "a" {
		t.Errorf("order %v", row)
	}
}

func TestWatchLeavesReviewedCopiesAlone(t *testing.T) {
	t.Parallel()
	v := &versions{}
	read := func(h discovery.Hook) *discovery.Hook {
		v.begin()
		defer v.end()
		return v.keep(&h)
	}
	good := discovery.Hook{Scope: discovery.ProjectScope, Folder: "a", File: "HOOK.md", State: discovery.Active}
	broken := good
	broken.State, broken.Diagnostics = discovery.Invalid, []spec.Diagnostic{{Severity: spec.Error, Code: "yaml", Message: "broken"}}
	reviewed := good
	reviewed.Reviewed = true
	read(reviewed)
	if h := read(broken); h.State != discovery.Invalid {
		t.Errorf("a reviewed copy is kept: %+v", h)
	}
	read(good)
	reviewed.Diagnostics = broken.Diagnostics
	if h := read(reviewed); !h.Reviewed || h.Notice != "" {
		t.Errorf("a reviewed copy has been replaced: %+v", h)
	}
	read(good)
	if h := read(broken); h.State != discovery.Active || len(h.Diagnostics) == 0 {
		t.Errorf("not kept: %+v", h)
	}
}
