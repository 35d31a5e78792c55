package watch

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // most tests wait for notifications
	os.Exit(m.Run())
}

func TestWatchBeginsWithAllHooks(t *testing.T) {
	root := oneHook(t)
	plantAll(t, root, "home/.config/agents/hooks/u/HOOK.md="+hookText("u"))
	_, first := start(t, root, false)
	if got := summary(first); got != "+u +a" {
		t.Errorf("the first change is %q", got)
	}
}

func TestWatchSaves(t *testing.T) {
	t.Parallel()
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll=%v", poll), func(t *testing.T) {
			w, _ := start(t, oneHook(t), poll)
			w.write(hookA, hookText("a", priority(1)))
			w.state("project/a active 1")
			w.save(hookA, hookText("a", priority(2)))
			if c := w.state("project/a active 2"); !slices.Equal(c.Hooks[0].Files, []string{"HOOK.md"}) {
				t.Errorf("changed files %q", c.Hooks[0].Files)
			}
			// The old file stays next to it for a while.
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

// TestWatchLowerCase checks that a changed hook.md is reported with this name, even if HOOK.md
// is the same file.
func TestWatchLowerCase(t *testing.T) {
	const lower = "p/.agents/hooks/b/hook.md"
	root := oneHook(t)
	plantAll(t, root, lower+"="+hookText("b"))
	w, first := start(t, root, false)
	for _, h := range first.Hooks {
		if found := h.After.Validate(""); slices.ContainsFunc(found, func(d spec.Diagnostic) bool { return d.Code == "two-files" }) {
			t.Errorf("%s: one file appears as two: %v", h.After.Folder, found)
		}
	}
	for i, save := range []func(name, text string){w.write, w.save} {
		save(lower, hookText("b", priority(i)))
		if c := w.state("project/a active 100", fmt.Sprintf("project/b active %d", i)); summary(c) != "~b(hook.md)" {
			t.Errorf("changed: %s", summary(c))
		}
	}
}

// TestWatchBothNames checks that both HOOK.md and hook.md are watched if they are different
// names, even of one file.
func TestWatchBothNames(t *testing.T) {
	root := oneHook(t)
	upper, lower := root+"/"+hookA, root+"/p/.agents/hooks/a/hook.md"
	if err := os.Link(upper, lower); err != nil {
		t.Skipf("the second name cannot be created, for example because both are the same file: %v", err)
	}
	w, _ := start(t, root, false)
	w.write(hookA, hookText("a", priority(1)))
	w.until(func(c Change) bool { return summary(c) == "~a(HOOK.md)" })
	w.remove(hookA)
	w.until(func(c Change) bool { return summary(c) == "~a(HOOK.md,hook.md)" && c.Hooks[0].After.File == lower })
}

// TestWatchTests checks that the cases of a hook are watched, also in a folder that is created
// later.
func TestWatchTests(t *testing.T) {
	t.Parallel()
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll=%v", poll), func(t *testing.T) {
			w, _ := start(t, oneHook(t), poll)
			const one = "p/.agents/hooks/a/tests/one.yaml"
			changed := func(file string) func(Change) bool {
				return func(c Change) bool { return len(c.Hooks) == 1 && slices.Contains(c.Hooks[0].Files, file) }
			}
			for range 2 {
				w.write(one, "expect: {}")
				w.until(changed("tests/one.yaml"))
				w.save(one, "expect: {exit: 0}")
				w.until(changed("tests/one.yaml"))
				w.write("p/.agents/hooks/a/tests/two.json", "{}")
				w.until(changed("tests/two.json"))
				w.remove("p/.agents/hooks/a/tests")
				w.until(changed("tests/two.json"))
			}
		})
	}
}

func TestWatchAnswersAtOnce(t *testing.T) {
	const most = 200 * time.Millisecond
	w, _ := start(t, oneHook(t), false)
	best := time.Hour
	for i := 0; i < 100 && best > most; i++ { // the machine may be busy
		began := time.Now()
		w.save(hookA, hookText("a", priority(i)))
		w.state(fmt.Sprintf("project/a active %d", i))
		best = min(best, time.Since(began))
	}
	if best > most {
		t.Errorf("the fastest of a hundred answers took %v", best)
	}
}

func TestWatchReportsDirectories(t *testing.T) {
	t.Parallel()
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

// TestWatchWaitsForAnEmptyFolder checks that a folder whose HOOK.md has just been removed is
// reported only after a delay.
func TestWatchWaitsForAnEmptyFolder(t *testing.T) {
	t.Parallel()
	w, _ := start(t, oneHook(t), false)
	w.remove(hookA)
	if c := w.until(func(c Change) bool { return summary(c) == "-a" }); len(c.Diagnostics) > 0 {
		t.Errorf("reported at once: %v", c.Diagnostics)
	}
	if c := w.until(func(c Change) bool { return len(c.Diagnostics) > 0 }); c.Diagnostics[0].Code != "empty" || len(c.Hooks) > 0 {
		t.Errorf("reported later: %v, %s", c.Diagnostics, summary(c))
	}
	w.write(hookA, hookText("a"))
	if c := w.state("project/a active 100"); len(c.Diagnostics) > 0 {
		t.Errorf("still reported: %v", c.Diagnostics)
	}
}

// TestWatchEmptyFolderAtFirst checks that a folder without a HOOK.md is reported at the start.
func TestWatchEmptyFolderAtFirst(t *testing.T) {
	root := oneHook(t)
	plantAll(t, root, "p/.agents/hooks/b/readme=x")
	if _, first := start(t, root, false); len(first.Diagnostics) != 1 {
		t.Errorf("reported at the start: %v", first.Diagnostics)
	}
}

// TestWatchEnds checks that Hooks returns when its context ends.
func TestWatchEnds(t *testing.T) {
	for _, poll := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		Hooks(ctx, Options{Poll: poll, Load: func(func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) { return nil, nil }}, func(Change) { cancel(errors.New("enough")) })
	}
}
