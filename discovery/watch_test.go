package discovery

import (
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/fsnotify/fsnotify"
)

// watched is a Watch of one user and one project in a test's folder.
type watched struct {
	t       *testing.T
	root    string
	changes chan Change
	warned  bool // warnings are expected
}

func (w *watched) path(name string) string { return filepath.Join(w.root, filepath.FromSlash(name)) }

// start watches home/.config/agents/hooks and the project that is found from
// the folder p in root, and returns what it finds first.
func start(t *testing.T, root string, poll bool) (*watched, Change) {
	t.Helper()
	w := &watched{t: t, root: root, changes: make(chan Change)}
	user := w.path("home/.config/agents/hooks")
	candidates := []Candidate{{Source: "test", Dir: w.path("p")}}
	o := WatchOptions{
		Hooks: append(Places(candidates, w.path("home")), user),
		Load: func() (Table, []spec.Diagnostic) {
			project, _ := FindProject(candidates, w.path("home"), nil)
			return Load(Dirs{User: user, Project: project.Hooks}, os.Getenv("PATH"), Rules{})
		},
		Poll: poll,
	}
	return w, w.run(o)
}

// run watches until the test ends and returns what it finds first.
func (w *watched) run(o WatchOptions) Change {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		Watch(ctx, o, func(c Change) {
			select {
			case w.changes <- c:
			case <-ctx.Done():
			}
		})
	}()
	w.t.Cleanup(func() { cancel(); <-done })
	return w.until(func(Change) bool { return true })
}

const patience = 20 * time.Second

// until returns the first Change that has what is asked for.
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

func tableText(table Table) string {
	var lines []string
	for _, h := range byKey(table) {
		lines = append(lines, fmt.Sprintf("%s/%s %s %d", h.Scope, h.Folder, h.State, h.Priority))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

// summary is "+added -removed ~changed(files) kept".
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

// save writes as many editors do: another file, renamed.
func (w *watched) save(name, text string) {
	w.t.Helper()
	w.write(name+".tmp", text)
	w.rename(name+".tmp", name)
}

// sneak saves another text of the same length and with the old time.
func (w *watched) sneak(name string) {
	w.t.Helper()
	info, err := os.Stat(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(name+".tmp", strings.Repeat("x", int(info.Size())))
	if runtime.GOOS != "windows" { // there is no telling them apart
		err = errors.Join(os.Chmod(w.path(name+".tmp"), info.Mode()), os.Chtimes(w.path(name+".tmp"), info.ModTime(), info.ModTime()))
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.rename(name+".tmp", name)
}

func (w *watched) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(w.path(from), w.path(to)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
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
	return tree(t, "p/.agents/hooks/a/HOOK.md="+hookText("a"), "p/.agents/hooks/a/scripts/run=#!/bin/sh", "home/")
}

const hookA = "p/.agents/hooks/a/HOOK.md"

func TestWatchBeginsWithAllHooks(t *testing.T) {
	root := oneHook(t)
	plantAll(t, root, "home/.config/agents/hooks/u/HOOK.md="+hookText("u"))
	_, first := start(t, root, false)
	if got := summary(first); got != "+u +a" {
		t.Errorf("the first change is %q", got)
	}
}

func plantAll(t *testing.T, root string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := plant(root, path); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWatchSaves(t *testing.T) {
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll=%v", poll), func(t *testing.T) {
			w, _ := start(t, oneHook(t), poll)
			w.write(hookA, hookText("a", priority(1)))
			w.state("project/a active 1")
			w.save(hookA, hookText("a", priority(2)))
			if c := w.state("project/a active 2"); !slices.Equal(c.Hooks[0].Files, []string{"HOOK.md"}) {
				t.Errorf("changed files %q", c.Hooks[0].Files)
			}
			// The old file stays beside it for a while.
			w.rename(hookA, hookA+"~")
			w.write(hookA, hookText("a", priority(3)))
			w.state("project/a active 3")
			w.save("p/.agents/hooks/a/scripts/run", "#!/bin/sh\nexit 2")
			w.until(func(c Change) bool { return summary(c) == "~a(scripts/run)" })
			if err := os.Chmod(w.path("p/.agents/hooks/a/scripts/run"), 0o755); err != nil {
				t.Fatal(err)
			}
			if runtime.GOOS != "windows" {
				w.until(func(c Change) bool { return summary(c) == "~a(scripts/run)" })
			}
			w.sneak("p/.agents/hooks/a/scripts/run")
			w.until(func(c Change) bool { return summary(c) == "~a(scripts/run)" })
			w.remove("p/.agents/hooks/a")
			w.until(func(c Change) bool { return summary(c) == "-a" && len(c.Table) == 0 })
		})
	}
}

func TestWatchAnswersAtOnce(t *testing.T) {
	w, _ := start(t, oneHook(t), false)
	best := time.Hour
	for i := range 10 {
		began := time.Now()
		w.save(hookA, hookText("a", priority(i)))
		w.state(fmt.Sprintf("project/a active %d", i))
		best = min(best, time.Since(began))
	}
	if best > 200*time.Millisecond {
		t.Errorf("the fastest of ten answers took %v", best)
	}
}

func TestWatchBranches(t *testing.T) {
	if _, err := osexec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	root := tree(t, "home/", "p/README=x")
	git := func(args ...string) {
		t.Helper()
		cmd := osexec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"}, args...)...)
		cmd.Dir = filepath.Join(root, "p")
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-qm", "none")
	git("checkout", "-q", "-b", "hooks")
	var fifty, changed []string
	for i := range 50 {
		name := fmt.Sprintf("h%02d", i)
		plantAll(t, root, "p/.agents/hooks/"+name+"/HOOK.md="+hookText(name), "p/.agents/hooks/"+name+"/scripts/run.sh=exit 0")
		fifty = append(fifty, "project/"+name+" active 100")
		changed = append(changed, "project/"+name+" active 7")
	}
	git("add", ".")
	git("commit", "-qm", "fifty")
	git("checkout", "-q", "-b", "changed")
	for i := range 50 {
		name := fmt.Sprintf("h%02d", i)
		plantAll(t, root, "p/.agents/hooks/"+name+"/HOOK.md="+hookText(name, priority(7)))
	}
	git("commit", "-qam", "changed")
	git("checkout", "-q", "main")
	w, first := start(t, root, false)
	if len(first.Table) != 0 {
		t.Fatalf("hooks on main: %s", tableText(first.Table))
	}
	for range 2 {
		git("checkout", "-q", "hooks")
		w.state(fifty...)
		git("checkout", "-q", "changed")
		w.state(changed...)
		git("checkout", "-q", "main")
		w.state("")
	}
}

func TestWatchFoldersThatComeLater(t *testing.T) {
	w, first := start(t, tree(t, "p/.git/", "home/"), false)
	if len(first.Table) != 0 {
		t.Fatalf("hooks at first: %s", tableText(first.Table))
	}
	w.write(hookA, hookText("a"))
	w.state("project/a active 100")
	w.write("home/.config/agents/hooks/u/HOOK.md", hookText("u"))
	w.state("project/a active 100", "user/u active 100")
	w.write("home/.config/agents/hooks/v/HOOK.md", hookText("v"))
	w.state("project/a active 100", "user/u active 100", "user/v active 100")
	w.remove("home/.config")
	w.state("project/a active 100")
	w.write("home/.config/agents/hooks/u/HOOK.md", hookText("u"))
	w.state("project/a active 100", "user/u active 100")
}

func TestWatchNearerProject(t *testing.T) {
	root := tree(t, "home/", "p/x=y")
	plantAll(t, root, ".git/", ".agents/hooks/outer/HOOK.md="+hookText("outer"))
	w, _ := start(t, root, false)
	w.write(hookA, hookText("a"))
	w.state("project/a active 100")
	w.remove("p/.agents")
	w.state("project/outer active 100")
}

func TestWatchReplacedFolders(t *testing.T) {
	w, _ := start(t, oneHook(t), false)
	// A hook's folder.
	plantAll(t, w.root, "other/HOOK.md="+hookText("a", priority(1)))
	w.rename("p/.agents/hooks/a", "old")
	w.rename("other", "p/.agents/hooks/a")
	w.state("project/a active 1")
	w.write(hookA, hookText("a", priority(2)))
	w.state("project/a active 2")
	// All hooks.
	plantAll(t, w.root, "others/a/HOOK.md="+hookText("a", priority(3)))
	w.rename("p/.agents/hooks", "old-hooks")
	w.rename("others", "p/.agents/hooks")
	w.state("project/a active 3")
	w.write(hookA, hookText("a", priority(4)))
	w.state("project/a active 4")
	// The project, removed and made again.
	for i := range 3 {
		w.remove("p")
		w.state("")
		w.write(hookA, hookText("a", priority(5+i)))
		w.state(fmt.Sprintf("project/a active %d", 5+i))
	}
	w.write(hookA, hookText("a", priority(9)))
	w.state("project/a active 9")
	w.rename("p", "away")
	w.state("")
	w.rename("away", "p")
	w.state("project/a active 9")
}

func TestWatchRootReplacedAtOnce(t *testing.T) {
	w, _ := start(t, oneHook(t), false)
	for i := range 10 {
		w.remove("p")
		w.write(hookA, hookText("a", priority(i)))
		w.state(fmt.Sprintf("project/a active %d", i))
	}
}

func TestWatchLinks(t *testing.T) {
	root := tree(t, "home/", "p/.agents/hooks/",
		"one/HOOK.md="+hookText("a", priority(1)), "two/HOOK.md="+hookText("a", priority(2)),
		"text/b.md="+hookText("b", priority(1)), "p/.agents/hooks/b/HOOK.md->../../../../text/b.md",
		"p/.agents/hooks/a->../../../one", "scripts/shared.sh=exit 0", "p/.agents/hooks/b/scripts/run.sh->../../../../../scripts/shared.sh")
	w, _ := start(t, root, false)
	const b = "project/b active 1"
	w.save("one/HOOK.md", hookText("a", priority(11))) // where the link leads
	w.state("project/a active 11", b)
	w.link("../../../two", "p/.agents/hooks/swap")
	w.rename("p/.agents/hooks/swap", "p/.agents/hooks/a")
	w.state("project/a active 2", b)
	w.save("two/HOOK.md", hookText("a", priority(12)))
	w.state("project/a active 12", b)
	w.save("text/b.md", hookText("b", priority(3)))
	w.state("project/a active 12", "project/b active 3")
	w.save("scripts/shared.sh", "exit 1")
	w.until(func(c Change) bool { return summary(c) == "~b(scripts/run.sh)" })
	w.rename("p/.agents/hooks", "real")
	w.link("../../real", "p/.agents/hooks")
	w.write("real/c/HOOK.md", hookText("c"))
	// a and b lead nowhere from there.
	w.until(func(c Change) bool { return strings.Contains(tableText(c.Table), "project/c active 100") })
	w.write("real/c/HOOK.md", hookText("c", priority(4)))
	w.until(func(c Change) bool { return strings.Contains(tableText(c.Table), "project/c active 4") })
}

func TestWatchUnrelatedFiles(t *testing.T) {
	const many = 10_000
	w, _ := start(t, oneHook(t), false)
	for _, dir := range []string{"p", "p/.agents", "p/.agents/hooks", "p/.agents/hooks/a"} {
		for i := range many / 4 {
			if err := os.WriteFile(filepath.Join(w.path(dir), fmt.Sprintf("unrelated%d", i)), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.write("p/.agents/hooks/a/scripts/.run.swp", "an editor's")
	w.write("p/.agents/hooks/a/scripts/run~", "an editor's")
	w.save(hookA, hookText("a", priority(1)))
	if c := <-w.changes; summary(c) != "~a(HOOK.md)" || c.Hooks[0].After.Priority != 1 {
		t.Errorf("first change after unrelated ones: %q", summary(c))
	}
}

func TestWatchStream(t *testing.T) {
	w, _ := start(t, oneHook(t), false)
	stop := make(chan struct{})
	var streams sync.WaitGroup
	for _, name := range []string{"run", "one", "two"} { // one alone may pause
		path := w.path("p/.agents/hooks/a/scripts/" + name)
		streams.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					_ = os.WriteFile(path, []byte(fmt.Sprint("#!/bin/sh\n# ", i)), 0o644)
				}
			}
		})
	}
	defer streams.Wait()
	defer close(stop)
	w.save(hookA, hookText("a", priority(1)))
	w.state("project/a active 1") // although the stream goes on
}

func TestWatchSettlesUnderAStream(t *testing.T) {
	events := make(chan fsnotify.Event)
	dir := t.TempDir()
	w := &watcher{notices: notices{system: &fsnotify.Watcher{Events: events}, dirs: map[string]names{dir: nil}}}
	settled := make(chan bool)
	go func() { settled <- w.settle(t.Context()) }()
	for late := time.After(patience); ; {
		select {
		case events <- fsnotify.Event{Name: filepath.Join(dir, "x"), Op: fsnotify.Write}:
		case ok := <-settled:
			if !ok {
				t.Error("settle() = false")
			}
			return
		case <-late:
			t.Fatal("no end in sight")
		}
	}
}

func TestWatchBurst(t *testing.T) {
	const saves = 500
	w, _ := start(t, oneHook(t), false)
	began := time.Now()
	var burst sync.WaitGroup
	burst.Go(func() {
		for i := range saves {
			if err := errors.Join(os.WriteFile(w.path("new"), []byte(hookText("a", priority(i))), 0o644), os.Rename(w.path("new"), w.path(hookA))); err != nil {
				t.Error(err)
			}
		}
	})
	defer burst.Wait()
	found := 0
	w.until(func(c Change) bool {
		found++
		return tableText(c.Table) == fmt.Sprintf("project/a active %d", saves-1)
	})
	if most := 2 + int(time.Since(began)/quiet); found > most {
		t.Errorf("%d changes were told of %d saves, want %d at most", found, saves, most)
	}
}

func TestWatchMissedNotification(t *testing.T) {
	// What is above the project is not listened to, so nothing tells that it
	// is another one.
	root := tree(t, "x/mine/deep/p/.agents/hooks/a/HOOK.md="+hookText("a"), "x/other/deep/p/.agents/hooks/a/HOOK.md="+hookText("a", priority(1)))
	w := &watched{t: t, root: root, changes: make(chan Change), warned: true}
	hooks := w.path("x/mine/deep/p/.agents/hooks")
	w.run(WatchOptions{Hooks: []string{hooks}, Load: func() (Table, []spec.Diagnostic) {
		return Load(Dirs{Project: hooks}, "", Rules{})
	}})
	w.rename("x/mine", "x/gone")
	w.rename("x/other", "x/mine")
	c := w.until(func(c Change) bool { return tableText(c.Table) == "project/a active 1" })
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "did not notify") {
		t.Errorf("warnings %q", c.Warnings)
	}
	w.write("x/mine/deep/p/.agents/hooks/a/HOOK.md", hookText("a", priority(2)))
	w.state("project/a active 2")
}

func TestWatchFallsBackToPolling(t *testing.T) {
	w := &watcher{options: WatchOptions{Hooks: []string{tree(t, "p/.agents/hooks/") + "/p/.agents/hooks"}, Load: func() (Table, []spec.Diagnostic) { return Table{}, nil }}}
	if err := w.notices.open(); err != nil {
		t.Skip(err)
	}
	if err := w.notices.system.Close(); err != nil { // it takes no further directory
		t.Fatal(err)
	}
	c, news := w.update()
	if !news || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "looking for changes every 100ms") {
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

func TestWatchTellsOfDirectories(t *testing.T) {
	w, _ := start(t, oneHook(t), false)
	w.link("nowhere", "home/.config")
	w.write("p/.agents/hooks/empty/readme", "x")
	w.until(func(c Change) bool {
		return slices.ContainsFunc(c.Diagnostics, func(d spec.Diagnostic) bool { return d.Code == "empty" })
	})
	w.remove("p/.agents/hooks/empty")
	w.until(func(c Change) bool {
		return !slices.ContainsFunc(c.Diagnostics, func(d spec.Diagnostic) bool { return d.Code == "empty" })
	})
}

func TestWatchEnds(t *testing.T) {
	for _, poll := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		Watch(ctx, WatchOptions{Poll: poll, Load: func() (Table, []spec.Diagnostic) { return nil, nil }}, func(Change) { cancel(errors.New("enough")) })
	}
}
