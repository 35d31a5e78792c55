package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// watched watches the hooks of one user and one project in a test's folder.
type watched struct {
	t       *testing.T
	root    string
	changes chan Change
	warned  bool         // warnings are expected
	each    func(Change) // receives every change
}

func (w *watched) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

// start watches home/.config/agents/hooks and the project found from the folder p in root, and
// returns the first Change.
func start(t *testing.T, root string, poll bool) (*watched, Change) {
	t.Helper()
	return startRules(t, root, poll, func() rules { return rules{} })
}

// startRules is like start, with rules that are read each time.
func startRules(t *testing.T, root string, poll bool, read func() rules) (*watched, Change) {
	t.Helper()
	w := &watched{t: t, root: root, changes: make(chan Change)}
	user := w.path("home/.config/agents/hooks")
	candidates := []place.Candidate{{Name: "test", Dir: w.path("p")}}
	o := Options{
		Hooks: append(place.NewSearch(candidates).HooksDirs(w.path("home")), user),
		Load: func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
			project, _ := place.NewSearch(candidates).FindProject(w.path("home"), nil)
			return read().load(discovery.Dirs{User: user, Project: project.Hooks}, keep)
		},
		Poll: poll,
	}
	return w, w.run(o)
}

// rules are applied to hooks that were read; each may be nil.
type rules struct {
	review    func(*discovery.Hook) // of the project's hooks
	configure func(*discovery.Hook)
	protected func(name string) bool
}

func (r rules) load(dirs discovery.Dirs, keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
	found := discovery.Read(dirs, discovery.Limits{})
	for _, hooks := range [][]*discovery.Hook{found.User, found.Project} {
		for i, h := range hooks {
			if r.review != nil && h.Scope == discovery.ProjectScope {
				r.review(h)
			}
			hooks[i] = keep(h)
			if r.configure != nil {
				r.configure(hooks[i])
			}
		}
	}
	return found.Table(os.Getenv("PATH"), r.protected), found.Diagnostics
}

// run watches until the test ends and returns the first Change.
func (w *watched) run(o Options) Change {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		Hooks(ctx, o, func(c Change) {
			select {
			case w.changes <- c:
			case <-ctx.Done():
			}
		})
	}()
	w.t.Cleanup(func() { cancel(); <-done })
	return w.until(func(Change) bool { return true })
}

const patience = time.Minute

// until returns the first Change for which has returns true.
func (w *watched) until(has func(Change) bool) Change {
	w.t.Helper()
	deadline := time.After(patience)
	var seen []string
	for {
		select {
		case c := <-w.changes:
			if len(c.Warnings) > 0 && !w.warned {
				w.t.Fatalf("warnings %q", c.Warnings)
			}
			if w.each != nil {
				w.each(c)
			}
			if has(c) {
				return c
			}
			seen = append(seen, summary(c))
		case <-deadline:
			w.t.Fatalf("the change was not found in %v; found: %q", patience, seen)
		}
	}
}

// state waits until the hooks are those of want, as summary shows them.
func (w *watched) state(want ...string) Change {
	w.t.Helper()
	return w.until(func(c Change) bool { return slices.Equal(strings.Split(tableText(c.Table), "; "), want) })
}

func tableText(table discovery.Table) string {
	var lines []string
	for _, h := range byKey(table) {
		lines = append(lines, fmt.Sprintf("%s/%s %s %d", h.Scope, h.Folder, h.State, h.Priority))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// summary formats a change as "+added -removed ~changed(files) kept".
func summary(c Change) string {
	var parts []string
	for _, h := range c.Hooks {
		switch {
		case h.Before == nil:
			parts = append(parts, "+"+h.After.Folder)
		case h.After == nil:
			parts = append(parts, "-"+h.Before.Folder)
		case h.Kept:
			parts = append(parts, "kept "+h.After.Folder)
		default:
			parts = append(parts, "~"+h.After.Folder+"("+strings.Join(h.Files, ",")+")")
		}
	}
	return strings.Join(append(parts, c.Warnings...), " ")
}

func (w *watched) write(name, text string) {
	w.t.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// save writes a temporary file and renames it, like many editors.
func (w *watched) save(name, text string) {
	w.t.Helper()
	w.write(name+".tmp", text)
	w.rename(name+".tmp", name)
}

// sneak saves another text of the same length, with the old time.
func (w *watched) sneak(name string) {
	w.t.Helper()
	info, err := os.Stat(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(name+".tmp", strings.Repeat("x", int(info.Size())))
	if runtime.GOOS != "windows" { // Windows cannot distinguish them
		err = errors.Join(os.Chmod(w.path(name+".tmp"), info.Mode()), os.Chtimes(w.path(name+".tmp"), info.ModTime(), info.ModTime()))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.rename(name+".tmp", name)
}

func (w *watched) rename(from, to string) {
	w.t.Helper()
	if err := rename(w.path(from), w.path(to)); err != nil {
		w.t.Fatal(err)
	}
}

// rename calls os.Rename when the watcher reads neither file: on Windows, an open file cannot
// be replaced.
func rename(from, to string) error {
	for {
		err := os.Rename(from, to)
		if runtime.GOOS != "windows" || !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
}

func (w *watched) remove(name string) {
	w.t.Helper()
	err := os.RemoveAll(w.path(name))
	for runtime.GOOS == "windows" && err != nil && w.t.Context().Err() == nil { // the watcher has it open
		err = os.RemoveAll(w.path(name))
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) link(target, name string) {
	w.t.Helper()
	if err := os.Symlink(filepath.FromSlash(target), w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func priority(n int) string { return fmt.Sprintf("priority: %d", n) }

func oneHook(t *testing.T) string {
	return testtree.New(t, "p/.agents/hooks/a/HOOK.md="+hookText("a"), "p/.agents/hooks/a/scripts/run=#!/bin/sh", "home/")
}

const hookA = "p/.agents/hooks/a/HOOK.md"

func plantAll(t *testing.T, root string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := testtree.Plant(root, path); errors.Is(err, testtree.ErrNoLinks) {
			t.Skipf("%s: %v", path, err)
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// hookText is a valid HOOK.md.
func hookText(name string, lines ...string) string {
	lines = append([]string{"name: " + name, "description: d", "trigger: pre-tool-call"}, lines...)
	return "---\n" + strings.Join(lines, "\n") + "\n---\nbody\n"
}
