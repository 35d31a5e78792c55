package pack

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/testschema"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// newPlace returns the hooks of a user in a new home.
func newPlace(t *testing.T) *Place {
	t.Helper()
	home := t.TempDir()
	return &Place{Scope: discovery.UserScope, Hooks: filepath.Join(home, "agents", "hooks"), State: filepath.Join(home, "state"), lock: &Lock{}}
}

// change returns the change of a hook to a text, which was another one before.
func change(name, was, text string) *Change {
	c := &Change{Candidate: &trust.Candidate{Name: name}}
	if was != "" {
		c.Was = folder(name, was).Digest()
	}
	if text != "" {
		c.Folder = folder(name, text)
		c.Locked = Hook{Source: "https://host/x", Folder: name, Digest: c.Folder.Digest(), Executable: []string{"scripts/run"}}
	}
	return c
}

// apply applies changes to the place.
func (p *Place) apply(changes ...*Change) error {
	for _, c := range changes {
		c.Place = p
	}
	return p.Apply(changes)
}

func folder(name, text string) *trust.Folder {
	return &trust.Folder{Name: name, Files: []trust.File{{Path: "HOOK.md", Data: []byte(text)}, {Path: "scripts/run", Executable: true, Data: []byte("x")}}}
}

// state returns the texts of the hooks and the names in the lock.
func (p *Place) state(t *testing.T) string {
	t.Helper()
	lock, err := p.readLock()
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	entries, _ := os.ReadDir(p.Hooks)
	for _, e := range entries {
		text, _ := os.ReadFile(filepath.Join(p.Hooks, e.Name(), "HOOK.md"))
		part := e.Name() + "=" + string(text)
		switch _, s, _ := p.compare(lock, e.Name(), nil); s {
		case Same:
		case Foreign:
			part += "?"
		default:
			part += "!"
		}
		parts = append(parts, part)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(p.Hooks), ".*")); len(left) > 0 {
		t.Errorf("left: %s", left)
	}
	return strings.Join(parts, " ")
}

func TestApply(t *testing.T) {
	p := newPlace(t)
	for i, step := range []struct {
		changes []*Change
		want    string
	}{
		{[]*Change{change("a", "", "1"), change("b", "", "1")}, "a=1 b=1"},
		{[]*Change{change("a", "1", "2")}, "a=2 b=1"},
		{[]*Change{change("a", "1", "3")}, "error"},                       // it is 2 meanwhile
		{[]*Change{change("a", "", "3")}, "error"},                        // nothing is overwritten
		{[]*Change{change("b", "1", "2"), change("a", "", "3")}, "error"}, // no part of it
		{[]*Change{change("a", "2", "")}, "b=1"},
		{[]*Change{change("a", "", "4"), change("b", "1", "1")}, "a=4 b=1"},
		{[]*Change{change("a", "4", ""), change("b", "1", "")}, ""},
	} {
		before := p.state(t)
		err := p.apply(step.changes...)
		if step.want == "error" {
			if err == nil || p.state(t) != before {
				t.Errorf("%d: %v, %s", i, err, p.state(t))
			}
			continue
		}
		if err != nil || p.state(t) != step.want {
			t.Errorf("%d: %v, %s, want %s", i, err, p.state(t), step.want)
		}
	}
	if _, err := os.Stat(p.LockPath()); err == nil {
		t.Error("the lock of no hook is left")
	}
}

// TestApplyAfterCrash checks that a killed Apply leaves the old or the new hook.
func TestApplyAfterCrash(t *testing.T) {
	p := newPlace(t)
	if err := p.apply(change("a", "", "1"), change("b", "", "1")); err != nil {
		t.Fatal(err)
	}
	agents := filepath.Dir(p.Hooks)
	// Killed between the two renames of a system without an exchange.
	put(t, agents, tempPrefix+"1/new/a/HOOK.md=2", tempPrefix+"1/old/x=file")
	if err := os.Rename(filepath.Join(p.Hooks, "a"), filepath.Join(agents, tempPrefix+"1", "old", "a")); err != nil {
		t.Fatal(err)
	}
	if err := p.apply(change("b", "1", "2")); err != nil {
		t.Fatal(err)
	}
	if got := p.state(t); got != "a=1 b=2" {
		t.Error(got)
	}
	// Killed before the lock was written: the hook is the new one, and the lock follows.
	lock, _ := os.ReadFile(p.LockPath())
	if err := p.apply(change("a", "1", "2")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.LockPath(), lock, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := p.state(t); got != "a=2! b=2" {
		t.Error(got)
	}
	if err := p.apply(change("a", "2", "2")); err != nil {
		t.Fatal(err)
	}
	if got := p.state(t); got != "a=2 b=2" {
		t.Error(got)
	}
}

// TestSwapByRenaming checks the replacement on systems that cannot exchange two names.
func TestSwapByRenaming(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "new/f=2", "at/f=1")
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := swapByRenaming(in("new"), in("at"), in("old")); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(in("at/f")); string(text) != "2" {
		t.Errorf("%q", text)
	}
	if err := swapByRenaming(in("missing"), in("at"), in("older")); err == nil {
		t.Error("no error")
	}
	if text, _ := os.ReadFile(in("at/f")); string(text) != "2" {
		t.Errorf("the folder is gone after an error: %q", text)
	}
}

// TestApplyAtOnce checks that of several changes of one hook at once, one is made, and that the
// hook is never missing.
func TestApplyAtOnce(t *testing.T) {
	p := newPlace(t)
	if err := p.apply(change("a", "", "0")); err != nil {
		t.Fatal(err)
	}
	stop, missing := make(chan struct{}), make(chan int)
	go func() {
		count := 0
		for {
			select {
			case <-stop:
				missing <- count
				return
			default:
				if _, err := os.Stat(filepath.Join(p.Hooks, "a", "HOOK.md")); err != nil {
					count++
				}
			}
		}
	}()
	was := "0"
	for round := range 10 {
		var all sync.WaitGroup
		made := make(chan string, 8)
		for i := range 4 {
			text := string(rune('a'+round)) + string(rune('0'+i))
			all.Go(func() {
				if err := p.apply(change("a", was, text), change("n"+text, "", text)); err == nil {
					made <- text
				}
			})
		}
		all.Wait()
		if len(made) != 1 {
			t.Fatalf("%d changes were made", len(made))
		}
		was = <-made
		if !strings.HasPrefix(p.state(t), "a="+was+" ") || strings.ContainsAny(p.state(t), "!?") {
			t.Fatal(p.state(t))
		}
	}
	close(stop)
	if n := <-missing; n > 0 && canExchange(t) {
		t.Errorf("the hook was missing %d times", n)
	}
}

// canExchange reports whether the system can exchange two names.
func canExchange(t *testing.T) bool {
	dir := t.TempDir()
	put(t, dir, "a/f=", "b/f=")
	return exchange(filepath.Join(dir, "a"), filepath.Join(dir, "b")) == nil
}

// TestHostileProject checks that nothing is written or read through a project's links.
func TestHostileProject(t *testing.T) {
	for _, link := range []string{"p/.agents->../out", "p/.agents/hooks->../../out", "p/.agents->.", "p/.agents/hooks->/"} {
		root := t.TempDir()
		put(t, root, "out/hooks/", "p/x=")
		name, target, _ := strings.Cut(link, "->")
		_ = os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755)
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skipf("symbolic links cannot be created: %v", err)
		}
		p := &Place{Scope: discovery.ProjectScope, Hooks: filepath.Join(root, "p", ".agents", "hooks"), State: filepath.Join(root, "state"), lock: &Lock{}}
		if err := p.apply(change("a", "", "1")); err == nil && link != "p/.agents->." {
			t.Errorf("%s: no error", link)
		}
		if _, err := os.Stat(filepath.Join(root, "out", "hooks", "a")); err == nil {
			t.Errorf("%s: written outside", link)
		}
	}
	root := t.TempDir()
	put(t, root, "p/.agents/hooks/", "outside/HOOK.md=1", "outside/scripts/run=x", "secret=version = 1\n")
	put(t, root, "p/.agents/hooks/a->../../../outside", "p/.agents/hooks.lock->../../secret")
	p := &Place{Scope: discovery.ProjectScope, Hooks: filepath.Join(root, "p", ".agents", "hooks"), State: filepath.Join(root, "state"), lock: &Lock{}}
	if f, err := p.installed("a", nil); err == nil {
		t.Errorf("a link is a hook: %+v", f)
	}
	if err := p.apply(change("a", "1", "")); err == nil {
		t.Error("a link was removed like a hook")
	}
	if err := p.apply(change("b", "", "1")); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("the lock is a link: %v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(root, "secret")); string(text) != "version = 1\n" {
		t.Errorf("the lock was written through a link: %q", text)
	}
}

// TestLockText checks that the lock is sorted, and the same for the same hooks.
func TestLockText(t *testing.T) {
	l := &Lock{Version: 1, Hooks: map[string]Hook{
		"b": {Source: "git@host:x", Ref: "v1", Commit: strings.Repeat("c", 40), Folder: "hooks/b", Digest: strings.Repeat("d", 64), Executable: []string{"scripts/run"}},
		"a": {Source: "./packs", Folder: "a", Digest: strings.Repeat("e", 64)},
	}}
	const want = `# Written by agent-hooks add, update and remove: where hooks come from, and their content.
version = 1

[hooks]
[hooks.a]
source = "./packs"
folder = "a"
digest = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
[hooks.b]
source = "git@host:x"
ref = "v1"
commit = "cccccccccccccccccccccccccccccccccccccccc"
folder = "hooks/b"
digest = "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
executable = ["scripts/run"]
`
	text, err := l.encode()
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
	var data map[string]any
	if _, err := toml.Decode(string(text), &data); err != nil {
		t.Fatal(err)
	}
	schema, _ := spec.Schema("lock")
	if wrong, err := testschema.Check(schema, data); wrong != "" || err != nil {
		t.Errorf("the schema does not accept it: %s, %v", wrong, err)
	}
	data["hooks"].(map[string]any)["a"].(map[string]any)["digest"] = "x"
	if wrong, _ := testschema.Check(schema, data); wrong == "" {
		t.Error("the schema accepts a wrong digest")
	}
	again, err := parseLock(text)
	if err != nil || !again.Hooks["a"].Equal(l.Hooks["a"]) || !again.Hooks["b"].Equal(l.Hooks["b"]) {
		t.Errorf("%+v, %v", again, err)
	}
}
