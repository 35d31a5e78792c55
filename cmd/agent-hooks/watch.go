package main

import (
	"cmp"
	"context"
	"flag"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

const watchAbout = `The next change of a hook's files starts its next run. A file that changes during a run starts another one a little later. If it changes during that run and the next one, too, it is taken as the result of the hook's own runs: watch reports it, and starts no other run.`

type watchFlags struct {
	projectFlags
	poll, json, inPlace bool
}

func (f *watchFlags) declare(fs *flag.FlagSet) {
	f.projectFlags.declare(fs)
	fs.BoolVar(&f.json, "json", false, "print one JSON object per line")
	fs.BoolVar(&f.inPlace, "in-place", false, "run hooks on EVENT in its directories and with your HOME instead of empty ones; hooks may change files there")
	fs.BoolVar(&f.poll, "poll", false, "poll for changes, for file systems without notifications")
}

// execute is `agent-hooks watch [EVENT < ctx.json]`: it reports each change in the hooks,
// and runs a changed hook on the event and its test cases, until it is stopped or the reader
// has closed stdout.
func (flags watchFlags) execute(env *Env, args []string) (int, error) {
	w := &watching{env: env, flags: flags}
	w.schedule = w.newSchedule()
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
	schedule *watch.Schedule
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
	if len(args) == 0 && w.flags.inPlace {
		return usagef("agent-hooks watch --in-place EVENT < ctx.json", "watch: --in-place is for an event; test cases always run in empty directories")
	}
	if len(args) == 0 {
		return nil
	}
	name, err := eventArgument("watch", args[0])
	if err != nil {
		return err
	}
	event, warnings, err := w.env.eventInput(context.Background(), "watch", name)
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
		case r := <-w.schedule.Results():
			if report := w.schedule.Finish(r); report != nil {
				report()
			}
		case <-w.schedule.Due():
		}
		w.schedule.Start(ctx)
	}
}

// changes watches the hooks until ctx ends.
func (w *watching) changes(ctx context.Context) <-chan reloaded {
	changes := make(chan reloaded)
	var last reloaded
	load := func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		o := w.env.options(w.flags.projectFlags, w.event)
		o.Keep = keep
		hooks := agenthooks.Load(o)
		last = reloaded{hooks: hooks}
		return hooks.Table, hooks.Diagnostics
	}
	go watch.Hooks(ctx, watch.Options{Hooks: w.env.options(w.flags.projectFlags, w.event).Places(), Load: load, Poll: w.flags.poll}, func(c watch.Change) {
		last.Change = c
		select {
		case changes <- last:
		case <-ctx.Done():
		}
	})
	return changes
}
