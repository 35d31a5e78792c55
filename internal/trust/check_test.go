package trust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestCheckRemembersAndMisses(t *testing.T) {
	root, _, store := newProject(t, "one")
	trusting(t, store, root)
	clone := filepath.Join(filepath.Dir(root), "clone")
	hooks := filepath.Join(clone, ".agents", "hooks")
	put(t, filepath.Join(hooks, "guard"), "HOOK.md="+hookText, "scripts/run*=one")
	put(t, filepath.Join(hooks, "other"), "HOOK.md=x")

	c := NewCheck(store)
	if !c.Counts(hooks) {
		t.Error("a directory with a trusted hook does not count")
	}
	if h := c.Trust(discovery.ReadHook(filepath.Join(hooks, "guard"), discovery.ProjectScope)); !h.Reviewed {
		t.Fatalf("known content is %s: %s", h.State, h.Cause)
	}
	c.Remember(time.Now())
	put(t, filepath.Join(hooks, "guard"), "scripts/run*=two")
	if h := check(store, filepath.Join(hooks, "guard")); !h.Reviewed || !strings.Contains(h.Notice, "changed since") {
		t.Errorf("a hook that changed in a clone is %s: %q", h.State, h.Notice)
	}
	if got := NewCheck(store).Warnings(clone, ""); len(got) != 0 {
		t.Errorf("warnings %q", got)
	}
	if err := os.RemoveAll(filepath.Join(hooks, "guard")); err != nil {
		t.Fatal(err)
	}
	c = NewCheck(store)
	if c.Counts(hooks) {
		t.Error("a directory without a trusted hook counts")
	}
	for event, want := range map[spec.EventType]int{"": 1, spec.PreToolCall: 1, spec.PostSession: 0} {
		if got := c.Warnings(clone, event); len(got) != want {
			t.Errorf("%q: warnings %q", event, got)
		}
	}
}

func TestLocate(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, base, "r/.git/HEAD=x", "r/.git/worktrees/w/commondir=../..\n", "r/.git/modules/s/HEAD=x", "r/a/b/f=",
		"w/.git=gitdir: "+base+"/r/.git/worktrees/w\n", "w/a/b/f=", "r/s/.git=gitdir: ../.git/modules/s\n", "r/s/x/f=")
	for root, want := range map[string]Place{
		"r":     {Repository: "r/.git", Project: ".", tree: "r"},
		"r/a/b": {Repository: "r/.git", Project: "a/b", tree: "r"},
		"w/a/b": {Repository: "r/.git", Project: "a/b", tree: "w"},
		"r/s/x": {Repository: "r/.git/modules/s", Project: "x", tree: "r/s", submodule: true},
	} {
		want.Repository, want.tree = filepath.Join(base, want.Repository), filepath.Join(base, want.tree)
		if got := Locate(filepath.Join(base, root)); got != want {
			t.Errorf("%s: %+v, want %+v", root, got, want)
		}
	}
}
