package trust

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// world is a project and a clone of it, user's hooks, and a store.
type world struct {
	t                          *testing.T
	random                     *rand.Rand
	project, clone, user, trst string
}

var worldNames = []string{"a", "b", "c"}

func newWorld(t *testing.T, random *rand.Rand) *world {
	base := t.TempDir()
	w := &world{t, random, filepath.Join(base, "project"), filepath.Join(base, "clone"), filepath.Join(base, "agents", "hooks"), filepath.Join(base, "state", "trust")}
	t.Cleanup(func() { _ = Discard(w.trst) })
	for _, root := range []string{w.project, w.clone} {
		for _, name := range worldNames {
			w.write(filepath.Join(root, ".agents", "hooks"), name)
		}
	}
	for _, name := range worldNames {
		if random.IntN(4) == 0 {
			w.write(w.user, name)
		}
	}
	return w
}

// write gives a hook one of a few contents.
func (w *world) write(hooks, name string) {
	dir := filepath.Join(hooks, name)
	if err := os.RemoveAll(dir); err != nil {
		w.t.Fatal(err)
	}
	trigger := []string{"pre-tool-call", "post-session", "pre-session", "nonsense"}[w.random.IntN(4)]
	front := fmt.Sprintf("---\nname: %s\ndescription: d\ntrigger: %s\n---\n", name, trigger)
	put(w.t, dir, "HOOK.md="+front)
	if w.random.IntN(5) > 0 {
		put(w.t, dir, fmt.Sprintf("scripts/run*=#!/bin/sh\n: %d\n", w.random.IntN(2)))
	}
}

// spoil does to a hook what keeps it from being trusted, or from being one.
func (w *world) spoil(hooks, name string) {
	dir := filepath.Join(hooks, name)
	switch w.random.IntN(6) {
	case 0:
		_ = os.RemoveAll(dir)
	case 1:
		_ = os.Remove(filepath.Join(dir, "HOOK.md"))
	case 2:
		put(w.t, dir, "HOOK.md=no front matter")
	case 3:
		_ = os.Symlink("/etc", filepath.Join(dir, "out"))
	case 4:
		// A copy is damaged.
		copies, _ := filepath.Glob(filepath.Join(w.trst, "copies", name, "*", name))
		if len(copies) > 0 {
			_ = Discard(copies[w.random.IntN(len(copies))])
		}
	}
}

// told is all that a run of an event can tell of the hooks, and run of them.
func (w *world) told(event spec.EventType, only bool) []string {
	c := NewCheck(w.trst)
	rules := discovery.Rules{Trust: func(h *discovery.Hook, _ bool) *discovery.Hook { return c.Trust(h) }}
	if only {
		c.Only(event)
		rules.Trust = c.Rule
	}
	hooks := filepath.Join(w.project, ".agents", "hooks")
	lines := []string{fmt.Sprint("counts ", c.Counts(hooks))}
	table, diagnostics := discovery.Load(discovery.Dirs{User: w.user, Project: hooks}, os.Getenv("PATH"), rules)
	for _, h := range slices.Concat(table[event], table[""]) {
		notice := h.Notice
		if h.Late != nil {
			notice = h.Late()
		}
		lines = append(lines, fmt.Sprint(h.Scope, " ", h.Name, " ", h.State, " ", h.Cause, " ", h.Dir, " ", h.Origin, " ", h.Reviewed, " ", notice))
	}
	return append(lines, fmt.Sprint(diagnostics, c.Warnings(w.project, event)))
}

// A check for one event leaves folders unread, and nothing that the event's
// run does or says is another for it.
func TestOnlyChangesNothing(t *testing.T) {
	unread := 0
	for seed := range uint64(60) {
		w := newWorld(t, rand.New(rand.NewPCG(seed, 1)))
		hooks := filepath.Join(w.project, ".agents", "hooks")
		for range 1 + w.random.IntN(3) {
			trusting(t, w.trst, []string{w.project, w.project, w.clone}[w.random.IntN(3)])
			w.write(filepath.Join(w.clone, ".agents", "hooks"), worldNames[w.random.IntN(3)])
			w.write(hooks, worldNames[w.random.IntN(3)])
		}
		for _, name := range worldNames {
			w.spoil(hooks, name)
		}
		for _, event := range []spec.EventType{spec.PreToolCall, spec.PostSession} {
			all, only := w.told(event, false), w.told(event, true)
			if d := cmp.Diff(all, only); d != "" {
				t.Errorf("seed %d, %s (-all +only)\n%s", seed, event, d)
			}
			c := NewCheck(w.trst)
			c.Only(event)
			project, _ := discovery.ReadScope(hooks, discovery.ProjectScope)
			for _, h := range project {
				if c.unread(h, false) != nil {
					unread++
				}
			}
		}
	}
	if unread < 50 {
		t.Errorf("only %d folders were left unread", unread)
	}
}

// Which of a hook's reviewed versions is there matters to the user's hook of
// its name, which only a version that can run replaces (D6).
func TestOnlyReadsWhatMayReplace(t *testing.T) {
	root, guard, store := newProject(t, "one")
	put(t, guard, "HOOK.md="+strings.ReplaceAll(hookText, "pre-tool-call", "post-session"))
	trusting(t, store, root)
	if err := os.Remove(filepath.Join(guard, "scripts", "run")); err != nil {
		t.Fatal(err)
	}
	trusting(t, store, root) // it has no entry point, and was reviewed last
	put(t, guard, "scripts/run*=one")
	user := filepath.Join(filepath.Dir(root), "agents", "hooks")
	put(t, filepath.Join(user, "guard"), "HOOK.md="+hookText)

	c := NewCheck(store)
	c.Only(spec.PreToolCall)
	table, _ := discovery.Load(discovery.Dirs{User: user, Project: filepath.Dir(guard)}, os.Getenv("PATH"), discovery.Rules{Trust: c.Rule})
	if h := table[spec.PreToolCall][0]; h.State != discovery.Overridden {
		t.Errorf("the user's hook is %s", h.State)
	}
}
