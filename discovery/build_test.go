package discovery

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/google/go-cmp/cmp"
)

func makeHook(scope Scope, name string, trigger spec.EventType, priority int) *Hook {
	h := &Hook{Scope: scope, Folder: name, Dir: "/" + name, State: Active}
	h.Name, h.Trigger, h.Priority = name, trigger, priority
	return h
}

func always(*Hook) error { return nil }

// line returns scope:name:state for each hook of an event.
func line(table Table, event spec.EventType) []string {
	var names []string
	for _, h := range table[event] {
		names = append(names, fmt.Sprintf("%s:%s:%s", h.Scope, h.Name, h.State))
	}
	return names
}

func TestBuildOrder(t *testing.T) {
	user := []*Hook{
		makeHook(UserScope, "b", spec.PreToolCall, 100), makeHook(UserScope, "z", spec.PreToolCall, 100),
		makeHook(UserScope, "last", spec.PreToolCall, 0), makeHook(UserScope, "other", spec.PreSession, 1000), makeHook(UserScope, "unread", "", 0),
	}
	project := []*Hook{makeHook(ProjectScope, "a", spec.PreToolCall, 100), makeHook(ProjectScope, "first", spec.PreToolCall, 101)}
	table := build(user, project, always, nil)
	want := []string{"project:first:active", "user:b:active", "user:z:active", "project:a:active", "user:last:active"}
	if diff := cmp.Diff(want, line(table, spec.PreToolCall)); diff != "" {
		t.Error(diff)
	}
	if len(table) != 3 || len(table[""]) != 1 || len(table[spec.PreSession]) != 1 {
		t.Errorf("got %v", table)
	}
}

func TestBuildOverride(t *testing.T) {
	refusal := &paths.OwnerError{Path: "/p", Reason: "can be changed by everyone", Fix: "chmod"}
	tests := []struct {
		name          string
		user, project Hook // states before
		err           error
		states        string
	}{
		{"replaces", Hook{State: Active}, Hook{State: Active}, nil, "overridden active"},
		{"replaces a broken one", Hook{State: Invalid}, Hook{State: Active}, nil, "overridden active"},
		{"invalid", Hook{State: Active}, Hook{State: Invalid}, nil, "active invalid"},
		{"refused already", Hook{State: Active}, Hook{State: Refused}, nil, "active refused"},
		{"not usable", Hook{State: Active}, Hook{State: Active}, errors.New("no entry point"), "active invalid"},
		{"others can change it", Hook{State: Active}, Hook{State: Active}, fmt.Errorf("x: %w", refusal), "active refused"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			user, project := makeHook(UserScope, "cafe\u0301", spec.PreToolCall, 1), makeHook(ProjectScope, "caf\u00e9", spec.PostSession, 2)
			user.State, project.State = test.user.State, test.project.State
			other := makeHook(ProjectScope, "other", spec.PreToolCall, 1)
			table := build([]*Hook{user}, []*Hook{project, other}, func(h *Hook) error {
				if h != project {
					t.Errorf("Protected was called for %s, which replaces nothing", h.Name)
				}
				return test.err
			}, nil)
			if got := string(user.State + " " + project.State); got != test.states {
				t.Errorf("got %s, want %s", got, test.states)
			}
			replaced := user.State == Overridden
			if replaced != (user.ReplacedBy == project) || replaced != (project.Replaces == user) || replaced != (user.Cause != "") {
				t.Errorf("got %+v, %+v", user, project)
			}
			if test.err != nil && project.Cause != test.err.Error() {
				t.Errorf("got the cause %q", project.Cause)
			}
			if len(table[spec.PreToolCall]) != 2 || len(table[spec.PostSession]) != 1 {
				t.Errorf("got %v", table)
			}
		})
	}
}

// Whatever the hooks and their order, none is lost, and each event's hooks are
// sorted by one total order.
func TestBuildProperties(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		generate := func(scope Scope) (hooks []*Hook) {
			for i := range random.IntN(12) {
				events := spec.Events()
				h := makeHook(scope, fmt.Sprintf("h%d", i), events[random.IntN(3)].Event, random.IntN(3))
				if random.IntN(4) == 0 {
					h.State = Invalid
				}
				hooks = append(hooks, h)
			}
			return hooks
		}
		user, project := generate(UserScope), generate(ProjectScope)
		usable := func(h *Hook) error {
			if h.Priority == 0 {
				return errors.New("not usable")
			}
			return nil
		}
		table := build(shuffled(user), shuffled(project), usable, nil)
		total := 0
		for event, hooks := range table {
			total += len(hooks)
			for i, h := range hooks {
				if h.Trigger != event {
					t.Fatalf("seed %d: %s is listed under %s", seed, h.Trigger, event)
				}
				if i > 0 && !before(hooks[i-1], h) {
					t.Fatalf("seed %d: wrong order: %v", seed, line(table, event))
				}
			}
		}
		if total != len(user)+len(project) {
			t.Fatalf("seed %d: %d hooks of %d", seed, total, len(user)+len(project))
		}
		for _, h := range user {
			by := slices.IndexFunc(project, func(p *Hook) bool { return p.Name == h.Name && p.State == Active })
			if (h.State == Overridden) != (by >= 0) {
				t.Fatalf("seed %d: %s is %s", seed, h.Name, h.State)
			}
		}
	}
}

// before implements the order of hooks a second time (D7).
func before(a, b *Hook) bool {
	switch {
	case a.Priority != b.Priority:
		return a.Priority > b.Priority
	case a.Scope != b.Scope:
		return a.Scope == UserScope
	}
	return a.Name < b.Name
}

func TestLoadOverride(t *testing.T) {
	const script = "/scripts/run=#!/bin/sh\n"
	root := testtree.New(t, "bin/sh.exe=x",
		"u/agents/hooks/good/HOOK.md="+hookText("good"), "u/agents/hooks/pattern/HOOK.md="+hookText("pattern"),
		"u/agents/hooks/entry/HOOK.md="+hookText("entry"), "u/agents/hooks/loose/HOOK.md="+hookText("loose"),
		"p/.agents/hooks/good/HOOK.md="+hookText("good"), "p/.agents/hooks/good"+script,
		"p/.agents/hooks/pattern/HOOK.md="+hookText("pattern", "matcher:", "  pattern: '('"), "p/.agents/hooks/pattern"+script,
		"p/.agents/hooks/entry/HOOK.md="+hookText("entry"),
		"p/.agents/hooks/loose/HOOK.md="+hookText("loose"), "p/.agents/hooks/loose"+script,
	)
	loose := "refused"
	if runtime.GOOS == "windows" { // does not check it
		loose = "active"
	} else {
		loosen(t, filepath.Join(root, "p/.agents/hooks/loose/HOOK.md"))
	}
	found := Read(Dirs{User: filepath.Join(root, "u/agents/hooks"), Project: filepath.Join(root, "p/.agents/hooks")}, Limits{})
	table, diagnostics := found.Table(filepath.Join(root, "bin"), nil), found.Diagnostics
	want := []string{
		"user:entry:active", "user:good:overridden", "user:loose:" + map[bool]string{true: "overridden", false: "active"}[loose == "active"], "user:pattern:active",
		"project:entry:invalid", "project:good:active", "project:loose:" + loose, "project:pattern:invalid",
	}
	if diff := cmp.Diff(want, line(table, spec.PreToolCall)); diff != "" || len(diagnostics) != 0 {
		t.Error(diff, diagnostics)
	}
}
