package agenthooks_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestLiveTrust checks that a Live that requires reviews keeps what it has read, and
// that after each change it returns what Load returns.
func TestLiveTrust(t *testing.T) {
	onUnix(t, "change time")
	s := newScratch(t)
	s.options.StateDir, s.options.TrustProject, s.options.NoLog = filepath.Join(filepath.Dir(s.project), "state"), false, true
	store := filepath.Join(s.options.StateDir, "agent-hooks", "trust")
	t.Cleanup(func() { _ = state.Discard(store) })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	opened := func() *trust.Store {
		t.Helper()
		must(os.MkdirAll(filepath.Dir(store), 0o700))
		opened, err := trust.Open(store)
		must(err)
		return opened
	}
	review := func(everywhere bool, root string, names ...string) {
		t.Helper()
		var folders []*trust.Folder
		for _, name := range names {
			f, err := trust.Read(filepath.Join(root, ".agents", "hooks", name))
			must(err)
			folders = append(folders, f)
		}
		err := opened().Add(root, everywhere, folders, time.Now())
		must(err)
	}
	forget := func(name string) {
		t.Helper()
		err := opened().Revoke(opened().Trusted(s.project, "", func(n string) bool { return n == name }))
		must(err)
	}
	guard := filepath.Join(s.hooks(), "guard")
	file, script := filepath.Join(guard, "HOOK.md"), filepath.Join(guard, "scripts", "run")
	var saved []byte
	var modified time.Time
	// overwrite keeps the size and the time of modification.
	overwrite := func(path, old, with string) {
		t.Helper()
		info, err := os.Stat(path)
		must(err)
		text, err := os.ReadFile(path)
		must(err)
		saved, modified = text, info.ModTime()
		must(os.WriteFile(path, []byte(strings.Replace(string(text), old, with, 1)), info.Mode()))
		must(os.Chtimes(path, modified, modified))
	}
	restore := func(path string) {
		t.Helper()
		must(os.WriteFile(path, saved, 0o755))
		must(os.Chtimes(path, modified, modified))
	}
	copies := func(name string) (dirs []string) {
		dirs, _ = filepath.Glob(filepath.Join(store, "copies", name, "*", name))
		return dirs
	}
	inner := filepath.Join(s.project, "inner")
	other := filepath.Join(filepath.Dir(s.project), "other")
	s.hook("guard", "exit 0", "metadata:", "  on-failure: deny")
	s.hook("second", "exit 0")
	s.hook("unreviewed", "exit 0")
	s.userHook("mine", "exit 0")

	checkSteps(t, s, []string{s.project, inner}, []liveStep{
		{"nothing", func() {}, false},
		{"review", func() { review(false, s.project, "guard", "second") }, false},
		{"a HOOK.md of equal size and time", func() { overwrite(file, "A hook of", "A hoax of") }, false},
		{"restored", func() { restore(file) }, false},
		{"a script of equal size and time", func() { overwrite(script, "exit 0", "exit 1") }, false},
		{"reviewed again", func() { review(false, s.project, "guard") }, false},
		{"rolled back", func() { restore(script) }, false},
		{"removed", func() { must(os.Rename(guard, guard+".away")) }, false},
		{"restored from aside", func() { must(os.Rename(guard+".away", guard)) }, false},
		{"without HOOK.md", func() { must(os.Rename(file, file+".away")) }, false},
		{"with HOOK.md again", func() { must(os.Rename(file+".away", file)) }, false},
		{"renamed", func() { must(os.Rename(guard, filepath.Join(s.hooks(), "guard-2"))) }, false},
		{"named as before", func() { must(os.Rename(filepath.Join(s.hooks(), "guard-2"), guard)) }, false},
		{"in a repository", func() { must(os.Mkdir(filepath.Join(s.project, ".git"), 0o755)) }, false},
		{"reviewed in the repository", func() { review(false, s.project, "guard") }, false},
		{"another repository", func() {
			must(os.Rename(filepath.Join(s.project, ".git"), filepath.Join(s.project, ".git-away")))
			must(os.WriteFile(filepath.Join(s.project, ".git"), []byte("gitdir: .git-away\n"), 0o644))
		}, false},
		{"no repository", func() { must(os.Remove(filepath.Join(s.project, ".git"))) }, false},
		{"a nearer folder that does not count", func() { must(writeHook(filepath.Join(inner, ".agents", "hooks"), "near", "exit 0")) }, false},
		{"that counts", func() { review(false, inner, "near") }, false},
		{"without it", func() { must(os.RemoveAll(filepath.Join(inner, ".agents"))) }, false},
		{"a copy with another HOOK.md", func() {
			copied := copies("second")[0]
			must(os.Chmod(copied, 0o700))
			must(os.Rename(filepath.Join(copied, "HOOK.md"), filepath.Join(copied, "away")))
			must(os.WriteFile(filepath.Join(copied, "HOOK.md"), []byte("---\nname: second\n"), 0o600))
		}, false},
		{"a copy that is gone", func() { must(state.Discard(filepath.Dir(copies("second")[0]))) }, false},
		{"reviewed, so it is there again", func() { review(false, s.project, "second") }, false},
		{"forgotten", func() { forget("second") }, false},
		{"reviewed everywhere, in another project", func() {
			must(os.CopyFS(filepath.Join(other, ".agents", "hooks", "second"), os.DirFS(filepath.Join(s.hooks(), "second"))))
			must(os.Chmod(filepath.Join(other, ".agents", "hooks", "second", "scripts", "run"), 0o755))
			review(true, other, "second")
		}, false}, // the run records it
		{"a change of it", func() { overwrite(filepath.Join(s.hooks(), "second", "HOOK.md"), "A hook of", "A hoax of") }, false},
		{"a hooks.toml", func() {
			must(os.WriteFile(filepath.Join(s.project, ".agents", "hooks.toml"), []byte("[hooks.guard]\nenabled = false\n"), 0o644))
		}, false},
		{"a hooks.toml of the user", func() {
			must(os.WriteFile(filepath.Join(filepath.Dir(s.user), "hooks.toml"), []byte("[hooks.mine]\nenabled = false\n"), 0o644))
		}, false},
		{"a record that cannot be read", func() {
			records, err := filepath.Glob(filepath.Join(store, "repositories", "*"))
			must(err)
			for _, r := range records {
				must(os.WriteFile(r, []byte("{"), 0o600))
			}
		}, true},
		{"reviewed again after that", func() { review(false, s.project, "guard", "second") }, false},
		{"a store that others can write", func() { must(os.Chmod(store, 0o777)) }, true},
		{"and cannot", func() { must(os.Chmod(store, 0o700)) }, false},
		{"no store", func() { must(state.Discard(store)) }, false},
	})
}

// TestOnlyReviewed checks that hooks loaded for one event (D74) are those of all events when copies run:
// a copy for another event still replaces the user's hook of its name.
func TestOnlyReviewed(t *testing.T) {
	s := newScratch(t)
	s.options.StateDir, s.options.TrustProject, s.options.NoLog = filepath.Join(filepath.Dir(s.project), "state"), false, true
	store := filepath.Join(s.options.StateDir, "agent-hooks", "trust")
	t.Cleanup(func() { _ = state.Discard(store) })
	s.hook("guard", "exit 0")
	s.hook("later", "exit 0", "trigger: post-tool-call", "priority: 200")
	s.hook("same", "exit 0", "trigger: post-tool-call")
	s.hook("broken", "exit 0", "trigger: post-tool-call", "matcher:", "  tool: (") // so it replaces no hook
	s.hook("gone", "exit 0", "metadata:", "  on-failure: deny")
	s.userHook("same", "exit 0")
	s.userHook("broken", "exit 0")
	s.userHook("mine", "exit 0", "trigger: post-tool-call")
	opened, err := trust.Open(store)
	s.must(errors.Join(err, os.MkdirAll(filepath.Dir(store), 0o700)))
	var folders []*trust.Folder
	for _, name := range []string{"broken", "gone", "guard", "later", "same"} {
		folder, err := trust.Read(filepath.Join(s.hooks(), name))
		s.must(err)
		folders = append(folders, folder)
	}
	s.must(opened.Add(s.project, false, folders, time.Now()))
	s.must(os.RemoveAll(filepath.Join(s.hooks(), "gone")))
	s.must(os.WriteFile(filepath.Join(s.hooks(), "guard", "scripts", "run"), []byte("#!/bin/sh\n"), 0o755))
	for _, event := range []spec.EventType{spec.PreToolCall, spec.PostToolCall} {
		var got [2]string
		for i, only := range []spec.EventType{"", event} {
			o := s.options
			o.Only = only
			for _, hook := range agenthooks.Load(o).Table[event] {
				got[i] += describe(hook) + fmt.Sprint(" ", hook.Origin, hook.Replaces != nil, hook.ReplacedBy != nil, "\n")
			}
		}
		if got[0] != got[1] || got[0] == "" {
			t.Errorf("%s: loaded for every event\n%sfor this one\n%s", event, got[0], got[1])
		}
	}
}

// liveStep is a change on disk, and whether hooks of the project are then read again for each request.
type liveStep struct {
	name   string
	change func()
	reads  bool
}

// checkSteps checks that after each step a Live returns what Load returns, from each folder.
func checkSteps(t *testing.T, s *scratch, starts []string, steps []liveStep) {
	t.Helper()
	live := agenthooks.NewLive(s.options)
	defer live.Close()
	event, err := protocol.ParseEvent(spec.PreToolCall, []byte(ls), "2026-01-02T03:04:05Z")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		for _, start := range starts {
			if err := os.MkdirAll(start, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		tick(t)
		step.change()
		for _, start := range starts {
			o := s.options
			o.Project, o.Event = start, event
			ask := agenthooks.Options{Project: start, Event: event}
			for _, round := range []string{"at once", "later"} {
				got, want := stateOf(live.Load(ask), event), stateOf(agenthooks.Load(o), event)
				if got != want {
					t.Fatalf("%s, %s, from %s:\n%s\nwant\n%s", step.name, round, filepath.Base(start), got, want)
				}
				live.Settle(o)
			}
			if reads := !live.Cached(o); start == s.project && reads != step.reads {
				t.Errorf("%s: reads again is %t", step.name, reads)
			}
		}
	}
}

// TestLiveKeep and TestLiveManaged check the changes of a hook that Keep replaces, and of a managed one.
func TestLiveKeep(t *testing.T) {
	onUnix(t, "change time")
	s := newScratch(t)
	s.options.NoLog = true
	s.options.Keep = func(h *discovery.Hook) *discovery.Hook {
		last := *h
		last.Description += ", kept"
		return &last
	}
	s.hook("guard", "exit 0")
	checkChanges(t, s, s.hooks())
}

func TestLiveManaged(t *testing.T) {
	const inside = "TEST_LIVE_MANAGED"
	if os.Getenv(inside) == "" {
		cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "sh", "-c", `mount -t tmpfs -o mode=755 tmpfs /etc && exec "$0" -test.run='^TestLiveManaged$'`, os.Args[0])
		cmd.Env = append(os.Environ(), inside+"=1")
		if err := exec.CommandContext(t.Context(), "unshare", "--mount", "true").Run(); err != nil || os.Geteuid() != 0 {
			t.Skip("it needs root, and an /etc of its own")
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	s := newScratch(t)
	s.options.NoLog = true
	hooks := filepath.Join("/etc", "agents", "hooks")
	if err := writeHook(hooks, "guard", "exit 0"); err != nil {
		t.Fatal(err)
	}
	checkChanges(t, s, hooks)
}

// checkChanges checks each change of the hook guard in a directory.
func checkChanges(t *testing.T, s *scratch, hooks string) {
	t.Helper()
	guard, file := filepath.Join(hooks, "guard"), filepath.Join(hooks, "guard", "HOOK.md")
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) func() { // of equal size and time
		return func() {
			if err := errors.Join(os.WriteFile(file, []byte(text), 0o644), os.Chtimes(file, info.ModTime(), info.ModTime())); err != nil {
				t.Fatal(err)
			}
		}
	}
	rename := func(from, to string) func() {
		return func() {
			if err := os.Rename(from, to); err != nil {
				t.Fatal(err)
			}
		}
	}
	away, other := filepath.Join(filepath.Dir(hooks), "away"), filepath.Join(hooks, "guard-2")
	checkSteps(t, s, []string{s.project}, []liveStep{
		{"nothing", func() {}, false},
		{"changed", write(strings.Replace(string(text), "A hook of", "A hoax of", 1)), false},
		{"restored", write(string(text)), false},
		{"broken", write(strings.Replace(string(text), "trigger: ", "trigger; ", 1)), false},
		{"restored again", write(string(text)), false},
		{"removed", rename(guard, away), false},
		{"back", rename(away, guard), false},
		{"renamed", rename(guard, other), false},
		{"named as before", rename(other, guard), false},
		{"open to others", func() { _ = os.Chmod(guard, 0o777) }, false},
		{"and not any more", func() { _ = os.Chmod(guard, 0o755) }, false},
	})
}

// stateOf describes everything about hooks that decides on an event.
func stateOf(h *agenthooks.Hooks, event *protocol.Event) string {
	lines := []string{fmt.Sprint(h.Project), strings.Join(h.Warnings, "\n"), fmt.Sprint(h.Diagnostics)}
	for _, hook := range slices.Concat(h.Table[event.Type], h.Table[""]) {
		lines = append(lines, describe(hook))
	}
	plan := h.Plan(event)
	for _, row := range plan.Rows {
		lines = append(lines, fmt.Sprint(row.Hook.Folder, row.Runs, row.Failed, row.Saw, row.Hook.News()))
	}
	return strings.Join(append(lines, plan.Warnings...), "\n")
}

func describe(h *discovery.Hook) string {
	return fmt.Sprintf("%s %s %s %t %s %q %q %q", h.Folder, h.State, h.Cause, h.Reviewed, h.Dir, h.Description, h.News(), h.Diagnostics)
}

// tick waits until a change gets another time than the changes before.
func tick(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tick")
	var first fs.FileInfo
	for {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = info
		}
		if info.ModTime().After(first.ModTime()) {
			return
		}
	}
}
