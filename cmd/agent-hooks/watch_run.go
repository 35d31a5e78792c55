package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

// maxRunning is the maximum number of hooks that run at the same time, so that a slow one does
// not delay the others for long.
const maxRunning = 4

// newSchedule returns the schedule of the hooks' runs, which reports slow ones.
func (w *watching) newSchedule() *watch.Schedule {
	limit := maxRunning
	if w.flags.inPlace { // concurrent hooks could change the same files
		limit = 1
	}
	s := watch.NewSchedule(limit)
	if !w.flags.json {
		s.Slow = func(h *discovery.Hook) { w.say("%s %s is running", w.clock(), w.env.style(term.Bold, h.Shown())) }
	}
	return s
}

// take reports changes and schedules the changed hooks. At the start, it only reports the
// existing hooks.
func (w *watching) take(c reloaded, first bool) {
	if first {
		w.printFirst(c)
	}
	w.printWarnings(c)
	for _, change := range c.Hooks {
		w.printChange(change, w.validate(change), first)
		if !first {
			w.add(c, change)
		}
	}
}

// validate returns the diagnostics of a changed hook.
func (w *watching) validate(change watch.HookChange) []spec.Diagnostic {
	if change.After == nil {
		return nil
	}
	return change.After.Validate(w.env.Getenv("PATH"))
}

// add schedules a changed hook.
func (w *watching) add(c reloaded, change watch.HookChange) {
	if change.After == nil {
		w.schedule.Drop(change)
		return
	}
	added := w.schedule.Add(change, func(files []string) (attempts []watch.Attempt) {
		hook, asked := change.After, slices.ContainsFunc(files, isOfCases)
		// The files of its cases do not affect a hook's run on the event.
		others := slices.ContainsFunc(files, func(file string) bool { return !isOfCases(file) })
		if w.concerns(change) && others {
			attempts = append(attempts, w.onEvent(hook, c.hooks))
		}
		if testable(hook) && (asked || exists(filepath.Join(hook.Dir, cases.Folder))) {
			attempts = append(attempts, w.onCases(hook, change.Kept, asked))
		}
		return attempts
	})
	if !added {
		w.printOwn(change.After)
	}
}

// concerns reports whether the event of watch is the trigger of the changed hook, or was
// before.
func (w *watching) concerns(change watch.HookChange) bool {
	if w.event == nil {
		return false
	}
	return change.After.Trigger == w.event.Type || change.Before != nil && change.Before.Trigger == w.event.Type
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func testable(h *discovery.Hook) bool {
	return h.State != discovery.Invalid && h.State != discovery.Refused && h.State != discovery.Untrusted
}

func isOfCases(file string) bool {
	return file == cases.Folder || strings.HasPrefix(file, cases.Folder+"/")
}

// onEvent runs a hook on the given event.
func (w *watching) onEvent(hook *discovery.Hook, hooks *agenthooks.Hooks) watch.Attempt {
	return func(ctx context.Context) func() {
		if w.flags.inPlace {
			r := trial.Run(ctx, hooks, hook, w.event)
			return func() { w.printResult(r) }
		}
		r, err := trial.RunElsewhere(ctx, w.env.Environ, w.env.home(), hook, w.event, hooks.Project.Root)
		if err != nil {
			return func() { w.printWarning(fmt.Sprintf("%s cannot run on the event: %v", hook.Shown(), err)) }
		}
		return func() { w.printResult(r) }
	}
}

// onCases runs a hook's test cases that exist when it begins, like the test command. If asked
// is set, it also reports that there are none. A kept hook is tested in its last valid version,
// regardless of its current HOOK.md.
func (w *watching) onCases(hook *discovery.Hook, kept, asked bool) watch.Attempt {
	return func(ctx context.Context) func() {
		began := time.Now()
		s := &suite.Suite{Hook: hook, All: true}
		s.Cases, s.Problems = cases.Read(hook)
		ofFolder := len(s.Problems)
		s.Check(w.env.Getenv("PATH"), w.env.relative)
		if kept {
			s.Problems = slices.DeleteFunc(s.Problems, func(d spec.Diagnostic) bool { return d.Path == hook.File })
		}
		if len(s.Problems) == 0 {
			s.Results = slices.Collect(cases.RunAll(ctx, s.Cases, w.env.Environ, runtime.GOMAXPROCS(0)))
			s.Remarks = cases.Notes(s.Hook, s.Results)
		}
		took := time.Since(began)
		return func() {
			switch {
			case w.flags.json && (asked || len(s.Cases) > 0 || len(s.Problems) > 0):
				w.emitCases(s)
			case len(s.Problems) > 0:
				w.printUntested(s, s.Problems[:ofFolder])
			case asked || len(s.Cases) > 0:
				w.printCases(s, took)
			}
		}
	}
}
