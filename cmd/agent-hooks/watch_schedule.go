package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

// mostRunning is the maximum number of hooks that run at the same time, so that a slow one does
// not delay the others for long.
const mostRunning = 4

// wonder is the delay after which running hooks are shown on a terminal.
const wonder = 300 * time.Millisecond

// wonderLong is that delay for permanent output, such as in a pipe.
const wonderLong = 2 * time.Second

func (f watchFlags) schedule() *watch.Schedule {
	if f.inPlace { // where they could interfere
		return watch.NewSchedule(1)
	}
	return watch.NewSchedule(mostRunning)
}

// take reports changes and schedules the changed hooks. At the start, it only reports the
// existing hooks.
func (w *watching) take(c reloaded, first bool) {
	if first {
		w.tellFirst(c)
	}
	w.tellWarnings(c)
	for _, change := range c.Hooks {
		w.tellChange(change, w.validate(change), first)
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
		if w.concerns(change) && !onlyCases(files) {
			attempts = append(attempts, w.onEvent(hook, c.hooks))
		}
		if testable(hook) && (asked || exists(filepath.Join(hook.Dir, cases.Folder))) {
			attempts = append(attempts, w.onCases(hook, change.Kept, asked))
		}
		return attempts
	})
	if !added {
		w.tellOwn(change.After)
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

// onlyCases reports whether all files are of a hook's cases, which do not affect its run on the
// event.
func onlyCases(files []string) bool {
	return !slices.ContainsFunc(files, func(file string) bool { return !isOfCases(file) })
}

func isOfCases(file string) bool {
	return file == cases.Folder || strings.HasPrefix(file, cases.Folder+"/")
}

// next starts the hooks for which there is room.
func (w *watching) next(ctx context.Context) {
	idle := len(w.schedule.Running()) == 0
	started := w.schedule.Start(ctx)
	if idle && len(started) > 0 {
		w.slow = time.After(wonder)
	}
	if w.shows() || w.flags.json {
		return
	}
	for _, r := range started {
		time.AfterFunc(wonderLong, func() {
			select {
			case w.long <- r:
			case <-ctx.Done():
			}
		})
	}
}

func (w *watching) finish(r watch.Result) {
	if report := w.schedule.Finish(r); report != nil {
		report()
	}
	if len(w.schedule.Running()) == 0 {
		w.slow, w.overdue = nil, false
	}
}
