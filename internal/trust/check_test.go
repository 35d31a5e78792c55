package trust

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// found returns a project without hooks.
func found(root string) place.Project { return place.Project{Root: root, Start: root} }

func TestEverywhereIsRemembered(t *testing.T) {
	root, _, store := newProject(t, "one")
	s, _ := Open(store)
	if err := s.Add(root, true, folders(t, root), time.Now()); err != nil {
		t.Fatal(err)
	}
	clone := filepath.Join(filepath.Dir(root), "clone")
	hooks := filepath.Join(clone, ".agents", "hooks")
	put(t, filepath.Join(hooks, "guard"), "HOOK.md="+hookText, "scripts/run*=one")
	put(t, filepath.Join(hooks, "other"), "HOOK.md=x")

	c := NewCheck(Options{Store: store})
	if c.Counts(hooks) {
		t.Error("content that is trusted everywhere hides an outer project")
	}
	if h := c.Trust(discovery.ReadHook(filepath.Join(hooks, "guard"), discovery.ProjectScope)); !h.Reviewed {
		t.Fatalf("known content is %s: %s", h.State, h.Cause)
	}
	c.Remember(time.Now())
	put(t, filepath.Join(hooks, "guard"), "scripts/run*=two")
	if h := check(store, filepath.Join(hooks, "guard")); !h.Reviewed || !strings.Contains(h.News(), "changed since") {
		t.Errorf("a hook that changed in a clone is %s: %q", h.State, h.News())
	}
	if c := NewCheck(Options{Store: store}); c.Counts(hooks) {
		t.Error("remembered content hides an outer project")
	}
	if err := os.RemoveAll(filepath.Join(hooks, "guard")); err != nil {
		t.Fatal(err)
	}
	missing := NewCheck(Options{Store: store}).Missing(found(clone))
	if len(missing) != 1 || missing[0].State != discovery.Missing || missing[0].Trigger != spec.PreToolCall {
		t.Errorf("missing %+v", missing)
	}
}

// Trust in one project does not apply to another.
func TestTrustBelongsToOneProject(t *testing.T) {
	root, _, store := newProject(t, "one")
	trusting(t, store, root)
	clone := filepath.Join(filepath.Dir(root), "clone", ".agents", "hooks", "guard")
	put(t, clone, "HOOK.md="+hookText, "scripts/run*=one")
	if h := check(store, clone); h.State != discovery.Untrusted || !strings.Contains(h.Cause, "reviewed before") {
		t.Errorf("in another project it is %s: %s", h.State, h.Cause)
	}
	if got := (&Store{store}).History(filepath.Dir(filepath.Dir(filepath.Dir(clone)))).Elsewhere(Content{"guard", read(t, clone).Digest()}); len(got) != 1 || got[0] != root {
		t.Errorf("elsewhere %q", got)
	}
}

func TestMissingUnderPolicies(t *testing.T) {
	for _, test := range []struct {
		metadata string
		policy   manifest.OnFailure
		want     discovery.State
	}{
		{"", manifest.Allow, discovery.Missing},
		{"", manifest.Deny, discovery.Active},
		{"metadata:\n  on-failure: deny\n", manifest.Allow, discovery.Active},
		{"metadata:\n  on-failure: ask\n", manifest.Allow, discovery.Active},
		{"metadata:\n  on-failure: allow\n", manifest.Deny, discovery.Missing},
	} {
		root, guard, store := newProject(t, "one")
		put(t, guard, "HOOK.md="+strings.Replace(hookText, "trigger", test.metadata+"trigger", 1))
		trusting(t, store, root)
		if err := os.Rename(filepath.Join(root, ".agents"), filepath.Join(root, "agents")); err != nil {
			t.Fatal(err)
		}
		deep := filepath.Join(root, "deep", "er")
		got := NewCheck(Options{Store: store, OnFailure: test.policy}).Missing(found(deep))
		if len(got) != 1 || got[0].State != test.want || got[0].Origin != guard {
			t.Errorf("%q under %s: %+v", test.metadata, test.policy, got)
		}
		if err := os.Rename(filepath.Join(root, "agents"), filepath.Join(root, ".agents")); err != nil {
			t.Fatal(err)
		}
		got = NewCheck(Options{Store: store, OnFailure: test.policy}).Missing(found(deep))
		if len(got) != 1 || got[0].State != test.want || !strings.Contains(got[0].Cause+got[0].News(), "the search for the project's hooks does not reach") {
			t.Errorf("out of reach, %q under %s: %+v", test.metadata, test.policy, got)
		}
	}
}

func TestTrustAt(t *testing.T) {
	root, _, store := newProject(t, "one")
	trusting(t, store, root)
	link := filepath.Join(filepath.Dir(root), "link")
	if err := testtree.Link(root, link); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	t.Cleanup(func() { testtree.Unlink(link) })
	for _, test := range []struct {
		root     string
		scope    discovery.Scope
		reviewed bool
	}{
		{root, discovery.ProjectScope, true},
		{link, discovery.ProjectScope, true},
		{root, discovery.UserScope, false},
	} {
		h := discovery.ReadHook(filepath.Join(test.root, ".agents", "hooks", "guard"), test.scope)
		if got := NewCheck(Options{Store: store}).TrustAt(h); got.State != discovery.Active || got.Reviewed != test.reviewed {
			t.Errorf("%s, %s: %s, reviewed: %t", test.root, test.scope, got.State, got.Reviewed)
		}
	}
}

// A large file added to a small folder is a change like any other.
func TestGrownFolder(t *testing.T) {
	root, guard, store := newProject(t, "one")
	trusting(t, store, root)
	put(t, guard, "large="+strings.Repeat("x", smallFolder))
	if h := check(store, guard); !h.Reviewed || !strings.Contains(h.News(), "agent-hooks trust shows what changed") {
		t.Errorf("%s: %q", h.State, h.News())
	}
}

// A store in a project around the one that trusted a hook is not written.
func TestRememberInUnsafeStore(t *testing.T) {
	root, _, store := newProject(t, "one")
	s, _ := Open(store)
	if err := s.Add(root, true, folders(t, root), time.Now()); err != nil {
		t.Fatal(err)
	}
	base := filepath.Dir(root)
	clone := filepath.Join(base, "clone")
	guard := filepath.Join(clone, ".agents", "hooks", "guard")
	put(t, guard, "HOOK.md="+hookText, "scripts/run*=one")
	put(t, base, ".agents/f=")
	c := NewCheck(Options{Store: store})
	if h := c.Trust(discovery.ReadHook(guard, discovery.ProjectScope)); !h.Reviewed {
		t.Fatalf("%s: %s", h.State, h.Cause)
	}
	c.Missing(found(clone))
	if len(c.Warnings()) != 1 {
		t.Fatalf("warnings %q", c.Warnings())
	}
	c.Remember(time.Now())
	if refs, err := s.refs(clone); len(refs) > 0 || err != nil {
		t.Errorf("linked to %v, %v", refs, err)
	}
}

// A path is linked only to records with hooks of its project.
func TestRememberLinksRecordsWithHooks(t *testing.T) {
	root, _, store := newProject(t, "one")
	s, _ := Open(store)
	if err := s.Add(root, true, folders(t, root), time.Now()); err != nil {
		t.Fatal(err)
	}
	outer := filepath.Join(filepath.Dir(root), "outer")
	clone := filepath.Join(outer, "clone")
	guard := filepath.Join(clone, ".agents", "hooks", "guard")
	put(t, outer, ".git/HEAD=x", "clone/.git/HEAD=x")
	put(t, guard, "HOOK.md="+hookText, "scripts/run*=one")
	c := NewCheck(Options{Store: store})
	c.Trust(discovery.ReadHook(guard, discovery.ProjectScope))
	c.Remember(time.Now())
	want := ref{recordID(filepath.Join(clone, ".git")), "."}
	if refs, err := s.refs(clone); len(refs) != 1 || refs[0] != want || err != nil {
		t.Errorf("linked to %v, %v, want %v", refs, err, want)
	}
}

// Records at or above the home do not apply below it.
func TestHomeBounds(t *testing.T) {
	root, _, store := newProject(t, "one")
	trusting(t, store, root)
	for home, want := range map[string]int{root: 0, filepath.Join(root, "a"): 0, filepath.Dir(root): 1, "/elsewhere": 1} {
		at := NewCheck(Options{Store: store, Home: home}).Missing(found(filepath.Join(root, "a", "b")))
		if len(at) != want {
			t.Errorf("home %q: %d hooks", home, len(at))
		}
	}
	if at := NewCheck(Options{Store: store, Home: root}).Missing(found(root)); len(at) != 1 {
		t.Errorf("in the home itself: %d hooks", len(at))
	}
}

// A store in the project is not used.
func TestStoreInProject(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "project")
	store := filepath.Join(root, "state", "trust")
	t.Cleanup(func() { _ = state.Discard(store) })
	guard := filepath.Join(root, ".agents", "hooks", "guard")
	put(t, guard, "HOOK.md="+hookText, "scripts/run*=x")
	put(t, base, "link/f=x")
	trusting(t, store, root)
	if h := check(store, guard); h.State != discovery.Refused {
		t.Errorf("a hook by the project's own store is %s", h.State)
	}
	link := filepath.Join(base, "link", "state")
	if err := testtree.Link(filepath.Join(root, "state"), link); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	t.Cleanup(func() { testtree.Unlink(link) })
	c := NewCheck(Options{Store: filepath.Join(link, "trust")})
	if h := c.Trust(discovery.ReadHook(guard, discovery.ProjectScope)); h.State != discovery.Refused || len(c.Warnings()) != 1 {
		t.Errorf("through a link, it is %s, %q", h.State, c.Warnings())
	}
	// A project that contains the home contains all of the user's files.
	c = NewCheck(Options{Store: store, Home: root})
	if h := c.Trust(discovery.ReadHook(guard, discovery.ProjectScope)); !h.Reviewed {
		t.Errorf("in a home, it is %s: %s", h.State, h.Cause)
	}
}

// locate returns the place of the project at root, a physical path.
func locate(root string) Place {
	return (&project{root: root, trees: newLookup(nil).treesAbove(root)}).place()
}

func TestLocate(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, base, "r/.git/HEAD=x", "r/.git/worktrees/w/commondir=../..\n", "r/.git/worktrees/w/gitdir="+base+"/w/.git\n", "r/a/b/f=",
		"r/.git/modules/s/config=[core]\n\tbare = false\n\tworktree = ../../../s\n[remote \"x\"]\n\tworktree = /x\n",
		"w/.git=gitdir: "+base+"/r/.git/worktrees/w\n", "w/a/b/f=", "r/s/.git=gitdir: ../.git/modules/s\n", "r/s/x/f=",
		// .git files that name a repository that does not point back.
		"evil/.git=gitdir: "+base+"/r/.git\n", "evil2/.git=gitdir: "+base+"/r/.git/worktrees/w\n", "evil3/.git=gitdir: "+base+"/r/.git/modules/s\n",
		"evil4/.git=gitdir: fake/worktrees/w\n", "evil4/fake/worktrees/w/commondir="+base+"/r/.git\n", "evil4/fake/worktrees/w/gitdir="+base+"/evil4/.git\n",
		"evil5/.git=gitdir: /no/such\n", "evil6/f=",
		// .git files that git rejects.
		"bare/.git="+base+"/r/.git/modules/bare\n", "r/.git/modules/bare/config=[core]\n\tworktree = "+base+"/bare\n",
		"empty/.git=gitdir:\n", "empty/config=[core]\n\tworktree = .\n", "empty/a/f=")
	if err := os.Symlink(filepath.Join(base, "r", ".git"), filepath.Join(base, "evil6", ".git")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	for root, want := range map[string]Place{
		"r":     {Repository: "r/.git", Project: "."},
		"r/a/b": {Repository: "r/.git", Project: "a/b"},
		"w/a/b": {Repository: "r/.git", Project: "a/b"},
		"r/s/x": {Repository: "r/.git/modules/s", Project: "x"},
		"evil":  {Repository: "evil", Project: "."},
		"evil2": {Repository: "evil2", Project: "."},
		"evil3": {Repository: "evil3", Project: "."},
		"evil4": {Repository: "evil4", Project: "."},
		"evil5": {Repository: "evil5", Project: "."},
		"evil6": {Repository: "evil6/.git", Project: "."},

		"bare":    {Repository: "bare", Project: "."},
		"empty/a": {Repository: "empty/a", Project: "."},
	} {
		want.Repository = filepath.Join(base, want.Repository)
		if got := locate(filepath.Join(base, root)); got != want {
			t.Errorf("%s: %+v, want %+v", root, got, want)
		}
	}
}

// TestNamedRepository checks that only the .git file of a worktree names a repository: not that
// of a submodule, which is another repository than the one around it.
func TestNamedRepository(t *testing.T) {
	base := t.TempDir()
	for text, want := range map[string]string{
		"gitdir: " + filepath.Join(base, "r", ".git", "worktrees", "w"): filepath.Join(base, "r", ".git"),
		"gitdir: " + filepath.Join(base, "r", ".git", "modules", "s"):   "",
		"gitdir: " + base + "/r/.git/link/../worktrees/w":               "",
		"gitdir: ../r/.git/worktrees/w":                                 "",
		filepath.Join(base, "r", ".git", "worktrees", "w"):              "",
	} {
		put(t, base, "w/.git="+text+"\n")
		if got := namedRepository(filepath.Join(base, "w")); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
}

// TestUndecidedForEveryEvent checks that hooks loaded for all events include a refused hook for
// each, because an unknown guard may be for any event.
func TestUndecidedForEveryEvent(t *testing.T) {
	root, _, store := newProject(t, "one")
	trusting(t, store, root)
	for _, record := range glob(t, filepath.Join(store, "repositories", "*.json")) {
		if err := os.WriteFile(record, []byte("garbage"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(root, ".agents")); err != nil {
		t.Fatal(err)
	}
	home := filepath.Dir(root)
	for _, test := range []struct {
		event  spec.EventType
		policy manifest.OnFailure
		want   int
	}{
		{"", manifest.Deny, len(spec.Events())},
		{spec.PreToolCall, manifest.Deny, 1},
		{"", manifest.Allow, 0},
	} {
		c := NewCheck(Options{Store: store, Home: home, OnFailure: test.policy, Event: test.event})
		got := c.Missing(found(root))
		if len(got) != test.want {
			t.Errorf("%q under %s: %d hooks, want %d", test.event, test.policy, len(got), test.want)
		}
		for _, h := range got {
			if h.State != discovery.Refused || h.OnFailure != manifest.Deny || h.Trigger == "" {
				t.Errorf("%q: %+v", test.event, h)
			}
		}
	}
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}
