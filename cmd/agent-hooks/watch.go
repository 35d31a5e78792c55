package main

import (
	"cmp"
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
	if err := w.readEvent(args); err != nil {
		return 0, err
	}
	return spec.ExitContinue, env.untilEnd(func(ctx context.Context) error {
		ctx, w.stop = context.WithCancel(ctx)
		defer w.stop()
		w.loop(ctx)
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

	failure error // the error that ended it

	warnings []string // the current warnings about the hooks as a whole
	schedule *suite.Schedule
}

// fail ends the watch, because nothing can be printed.
func (w *watching) fail(err error) {
	w.failure = cmp.Or(w.failure, err)
	w.stop()
}

// reloaded is a change with the hooks after it.
type reloaded struct {
	watch.Change
	hooks *agenthooks.Hooks
}

func (w *watching) readEvent(args []string) error {
	if len(args) == 0 {
		return nil
	}
	name, err := eventArgument("watch", args[0])
	if err != nil {
		return err
	}
	event, warnings, err := w.env.eventInput(context.Background(), "watch", name, callFlags{})
	w.env.warnAll(warnings)
	if event != nil {
		event.Input() // before several goroutines use it
	}
	w.event = event
	return err
}

func (w *watching) loop(ctx context.Context) {
	changes := w.changes(ctx)
	for first := true; ; {
		select {
		case <-ctx.Done():
			w.schedule.Wait() // for the hooks' processes
			return
		case c := <-changes:
			w.take(c, first)
			first = false
		case news := <-w.schedule.News():
			news()
		}
		w.schedule.Start(ctx)
	}
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
		var wrong []spec.Diagnostic
		if change.After != nil {
			wrong = change.After.Validate(w.env.Getenv("PATH"))
		}
		w.printChange(change, wrong, first)
		if !first {
			w.add(c, change)
		}
	}
}

// add schedules a changed hook.
func (w *watching) add(c reloaded, change watch.HookChange) {
	if change.After == nil {
		w.schedule.Drop(change)
		return
	}
	added := w.schedule.Add(change, func(files []string) (attempts []suite.Attempt) {
		hook, asked := change.After, slices.ContainsFunc(files, isOfCases)
		// The files of its cases do not affect a hook's run on the event.
		others := slices.ContainsFunc(files, func(file string) bool { return !isOfCases(file) })
		// The event is the hook's trigger, or was before.
		concerned := w.event != nil && (hook.Trigger == w.event.Type || change.Before != nil && change.Before.Trigger == w.event.Type)
		if concerned && others {
			attempts = append(attempts, w.onEvent(hook, c.hooks))
		}
		testable := hook.State != discovery.Invalid && hook.State != discovery.Refused && hook.State != discovery.Untrusted
		if testable && (asked || exists(filepath.Join(hook.Dir, cases.Folder))) {
			attempts = append(attempts, w.onCases(hook, change.Kept, asked))
		}
		return attempts
	})
	if !added {
		w.say("  changed by its own runs, so it does not run again before the next change")
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isOfCases(file string) bool {
	return file == cases.Folder || strings.HasPrefix(file, cases.Folder+"/")
}

// onEvent runs a hook on the given event.
func (w *watching) onEvent(hook *discovery.Hook, hooks *agenthooks.Hooks) suite.Attempt {
	return func(ctx context.Context) func() {
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
			case len(s.Problems) > 0:
				w.printUntested(s, s.Problems[:ofFolder])
			case asked || len(s.Cases) > 0:
				w.printCases(s, took)
			}
		}
	}
}
