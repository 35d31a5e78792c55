package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestWatchUnrelatedFiles(t *testing.T) {
	t.Parallel()
	many := 1_000
	if os.Getenv("LONG_TESTS") != "" {
		many = 10_000
	}
	root := oneHook(t)
	plantAll(t, root, "p/.agents/hooks/a/node_modules/x=", "p/.agents/hooks/a/scripts/__pycache__/x=")
	w, _ := start(t, root, false)
	for _, dir := range []string{"p", "p/.agents", "p/.agents/hooks", "p/.agents/hooks/a/node_modules"} {
		for i := range many / 4 {
			if err := os.WriteFile(filepath.Join(w.path(dir), fmt.Sprintf("unrelated%d", i)), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.write("p/.agents/hooks/a/scripts/.run.swp", "an editor's")
	w.write("p/.agents/hooks/a/scripts/run~", "an editor's")
	w.write("p/.agents/hooks/a/scripts/sed8ChKUx", "of sed -i")
	w.write("p/.agents/hooks/a/scripts/XXD741LV", "of perl -i")
	w.write("p/.agents/hooks/a/.git/index", "git's")
	w.write("p/.agents/hooks/a/scripts/__pycache__/run.cpython.pyc", "Python's")
	w.save(hookA, hookText("a", priority(1)))
	if c := <-w.changes; summary(c) != "~a(HOOK.md)" || c.Hooks[0].After.Priority != 1 {
		t.Errorf("first change after unrelated ones: %q", summary(c))
	}
}

func TestWatchStream(t *testing.T) {
	w, _ := start(t, oneHook(t), false)
	stop := make(chan struct{})
	var streams sync.WaitGroup
	for _, name := range []string{"run", "one", "two"} { // a single one might pause
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
	w.state("project/a active 1") // while the stream continues
}

func TestWatchSettlesUnderAStream(t *testing.T) {
	w := &watcher{notices: notices{woken: make(chan struct{})}}
	settled := make(chan bool)
	go func() { settled <- w.settle(t.Context()) }()
	for late := time.After(patience); ; {
		select {
		case w.notices.woken <- struct{}{}:
		case ok := <-settled:
			if !ok {
				t.Error("settle() = false")
			}
			return
		case <-late:
			t.Fatal("the search does not end")
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
			if err := errors.Join(os.WriteFile(w.path("new"), []byte(hookText("a", priority(i))), 0o644), rename(w.path("new"), w.path(hookA))); err != nil {
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
		t.Errorf("%d changes were reported for %d saves, want %d at most", found, saves, most)
	}
}
