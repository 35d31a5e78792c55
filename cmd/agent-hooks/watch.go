package main

import (
	"context"
	"flag"
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
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

const watchAbout = `Each save of HOOK.md, of a script or of a test case starts a new run, and ends one that is still running. Another file that changes during a run starts one more run. Other files that change during that one, for example because the hook writes them, are reported and start no run.`

type watchFlags struct{ poll bool }

func (f *watchFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.poll, "poll", false, "poll for changes, for file systems without notifications")
}

// execute is `agent-hooks watch [EVENT < ctx.json]`: it reports each change in the hooks,
// and runs a changed hook on the event and its test cases, until it is stopped or the reader
// has closed stdout.
func (flags watchFlags) execute(env *Env, args []string) (int, error) {
	w := &watching{env: env, flags: flags, schedule: suite.NewSchedule(maxRunning)}
	w.schedule.Slow = func(h *discovery.Hook) { w.say("%s %s is running", w.clock(), w.env.style(term.Bold, h.Shown())) }
	if len(args) > 0 {
		name, err := eventArgument("watch", args[0])
		if err != nil {
			return 0, err
		}
		event, warnings, err := env.eventInput(context.Background(), "watch", name, callFlags{})
		env.warnAll(warnings)
		if err != nil {
			return 0, err
		}
		event.Input() // before several goroutines use it
		w.event = event
	}
	return spec.ExitContinue, env.untilEnd(func(ctx context.Context) error {
		ctx, w.stop = context.WithCancel(ctx)
		defer w.stop()
		changes := w.changes(ctx)
		for first := true; ctx.Err() == nil; {
			select {
			case <-ctx.Done():
			case c := <-changes:
				w.take(c, first)
				first = false
			case news := <-w.schedule.News():
				news()
			}
			w.schedule.Start(ctx)
		}
		w.schedule.Wait() // for the hooks' processes
		if term.IsTerminal(env.Stdout) {
			env.print("\n") // below the ^C
		}
		return w.failure
	})
}

// watching is the state of one watch.
type watching struct {
	env   *Env
	flags watchFlags
	event *protocol.Event // nil: no event
	stop  func()

	failure  error    // of printing, which ended it
	warnings []string // the current warnings about the hooks as a whole
	schedule *suite.Schedule
}

// reloaded is a change with the hooks after it.
type reloaded struct {
	watch.Change
	hooks *agenthooks.Hooks
}

// changes watches the hooks until ctx ends.
func (w *watching) changes(ctx context.Context) <-chan reloaded {
	changes := make(chan reloaded)
	var last reloaded
	load := func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		o := w.env.options(w.event)
		o.Keep = keep
		hooks := agenthooks.Load(o)
		last = reloaded{hooks: hooks}
		return hooks.Table, hooks.Diagnostics
	}
	go watch.Hooks(ctx, watch.Options{Hooks: w.env.options(w.event).HooksDirs(), Load: load, Poll: w.flags.poll}, func(c watch.Change) {
		last.Change = c
		select {
		case changes <- last:
		case <-ctx.Done():
		}
	})
	return changes
}

// maxRunning is the maximum number of hooks that run at the same time, so that a slow one does
// not delay the others for long.
const maxRunning = 4

// take reports changes and schedules the changed hooks. At the start, it only reports the
// existing hooks.
func (w *watching) take(c reloaded, first bool) {
	if first {
		w.printFirst(c)
	}
	w.printWarnings(c)
	for _, change := range c.Hooks {
		w.printChange(change, first)
		switch {
		case first:
		case change.After == nil:
			w.schedule.Drop(change)
		case !w.schedule.Add(change, func(files []string) []suite.Attempt { return w.attempts(c, change, files) }):
			w.say("  changed by its own runs, so it does not run again before the next change")
		}
	}
}

// attempts returns what runs after files of a hook have changed: the hook on the event, if the event is
// its trigger or was before, and its test cases.
func (w *watching) attempts(c reloaded, change watch.HookChange, files []string) (attempts []suite.Attempt) {
	hook, asked := change.After, slices.ContainsFunc(files, isOfCases)
	// The files of its cases do not affect a hook's run on the event.
	others := slices.ContainsFunc(files, func(file string) bool { return !isOfCases(file) })
	if others && w.event != nil && (hook.Trigger == w.event.Type || change.Before != nil && change.Before.Trigger == w.event.Type) {
		attempts = append(attempts, func(ctx context.Context) func() {
			r, err := trial.RunElsewhere(ctx, w.env.Environ, w.env.home(), hook, w.event, c.hooks.Project.Root)
			if err != nil {
				return func() { w.printWarning(fmt.Sprintf("%s cannot run on the event: %v", hook.Shown(), err)) }
			}
			return func() { w.printResult(r) }
		})
	}
	_, err := os.Lstat(filepath.Join(hook.Dir, cases.Folder))
	testable := hook.State != discovery.Invalid && hook.State != discovery.Refused && hook.State != discovery.Untrusted
	if testable && (asked || err == nil) {
		attempts = append(attempts, w.onCases(hook, change.Kept, asked))
	}
	return attempts
}

func isOfCases(file string) bool {
	return file == cases.Folder || strings.HasPrefix(file, cases.Folder+"/")
}

// onCases runs a hook's test cases that exist when it begins, like the test command. If asked
// is set, it also reports that there are none. A kept hook is tested in its last valid version,
// regardless of its current HOOK.md.
func (w *watching) onCases(hook *discovery.Hook, kept, asked bool) suite.Attempt {
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
			case len(s.Problems) > 0: // errors in the hook itself have been reported
				w.say("%s %s cannot be tested%s", w.clock(), w.name(s.Hook), map[bool]string{true: ", since it has errors"}[ofFolder == 0])
				for _, d := range s.Problems[:ofFolder] {
					w.print(w.env.diagnosticText(w.env.Stdout, 2, d))
				}
			case asked || len(s.Cases) > 0:
				w.printCases(s, took)
			}
		}
	}
}
