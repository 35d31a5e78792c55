package main

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

type watchFlags struct {
	projectFlags
	poll, json, inPlace bool
}

func (f *watchFlags) declare(fs *flag.FlagSet) {
	f.projectFlags.declare(fs)
	fs.BoolVar(&f.json, "json", false, "print one JSON object on each line")
	fs.BoolVar(&f.inPlace, "in-place", false, "run hooks on EVENT in its own directories and with your HOME, where they may change files; without it, in empty ones")
	fs.BoolVar(&f.poll, "poll", false, "look for changes from time to time, where the file system does not notify of them")
}

// watchCommand is `agent-hooks watch [EVENT < ctx.json]`: it tells of each
// change in the hooks, and runs a changed hook on the event and its test cases,
// until it is stopped or nobody reads it any more.
func watchCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[watchFlags]("watch", args)
	if err != nil {
		return 0, err
	}
	w := &watching{env: env, flags: flags, ran: map[string]*span{}, again: map[string]bool{}, running: map[string]*attempt{}}
	if err := w.readEvent(args); err != nil {
		return 0, err
	}
	ctx, signals := catchSignals(context.Background())
	defer signals.release()
	ctx, w.stop = context.WithCancel(ctx)
	defer w.stop()
	go whenUnread(env.Stdout, w.stop)
	w.loop(ctx)
	if isTerminal(env.Stdout) {
		fmt.Fprintln(env.Stdout) // below the ^C
	}
	signals.dieIfCaught()
	return spec.ExitContinue, nil
}

// watching is the state of one watch.
type watching struct {
	env   *Env
	flags watchFlags
	event *protocol.Event // nil: none is given
	stop  func()

	told    []string            // the warnings about the hooks as a whole that stand
	waiting []*attempt          // in the order in which they run
	running map[string]*attempt // by the hooks' keys
	again   map[string]bool     // hooks that ran again after they had changed as they ran, by their keys
	ran     map[string]*span    // when each hook last ran, by its key
	results chan result
	slow    <-chan time.Time // when what runs has taken long; nil: nothing runs, or it has
	overdue bool             // it has
	shown   string           // the line that tells what runs; "": there is none
}

// reloaded is a change, and the hooks that go with it.
type reloaded struct {
	discovery.Change
	hooks    *agenthooks.Hooks
	warnings []string
}

func (w *watching) readEvent(args []string) error {
	if len(args) == 0 && w.flags.inPlace {
		return usagef("agent-hooks watch --in-place EVENT < ctx.json", "watch: --in-place is for an event; test cases always run in empty directories")
	}
	if len(args) == 0 {
		return nil
	}
	if len(args) > 1 {
		return noArguments("watch", args[1:])
	}
	name, err := eventArgument("watch", args[0])
	if err != nil {
		return err
	}
	event, warnings, err := w.env.eventInput(context.Background(), "watch", name)
	for _, warning := range warnings {
		w.env.warn("%s", warning)
	}
	if event != nil {
		event.Input() // before several goroutines use it
	}
	w.event = event
	return err
}

// onEventText says how many of all hooks are on the event that watch is given.
func onEventText(n, all int, event spec.Event) string {
	const one, each = "when it changes, it runs on the event", "each that changes runs on the event"
	switch {
	case n == 0:
		return fmt.Sprintf("none of them on %s yet", event)
	case n == 1 && all == 1:
		return fmt.Sprintf("it is on %s; %s", event, one)
	case n == 1:
		return fmt.Sprintf("1 of them on %s; %s", event, one)
	case n == all:
		return fmt.Sprintf("all of them on %s; %s", event, each)
	}
	return fmt.Sprintf("%d of them on %s; %s", n, event, each)
}

func (w *watching) loop(ctx context.Context) {
	w.results = make(chan result)
	changes := w.changes(ctx)
	for first := true; ; {
		select {
		case <-ctx.Done():
			for range w.running {
				<-w.results // its processes have ended
			}
			w.erase()
			return
		case c := <-changes:
			w.tell(c, first)
			if !first {
				w.schedule(c)
			}
			first = false
		case r := <-w.results:
			w.finish(r)
		case <-w.slow:
			w.slow, w.overdue = nil, true
		}
		w.next(ctx)
		w.tellRunning()
	}
}

// changes watches the hooks until ctx ends.
func (w *watching) changes(ctx context.Context) <-chan reloaded {
	changes := make(chan reloaded)
	var last reloaded
	load := func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic) {
		where := w.flags.projectFlags
		where.keep = keep
		hooks, warnings := w.env.load(where, w.event)
		last = reloaded{hooks: hooks.Hooks, warnings: append(warnings, hooks.Warnings...)}
		return hooks.Table, hooks.Diagnostics
	}
	go discovery.Watch(ctx, discovery.WatchOptions{Hooks: w.directories(), Load: load, Poll: w.flags.poll}, func(c discovery.Change) {
		last.Change = c
		select {
		case changes <- last:
		case <-ctx.Done():
		}
	})
	return changes
}

// directories are those that load looks into, or may once they are made.
func (w *watching) directories() []string {
	project := w.flags.project
	if project != "" && !filepath.IsAbs(project) {
		project = filepath.Join(w.env.Dir, project)
	}
	dirs := discovery.Places(agenthooks.Roots(project, w.env.Getenv, w.event, w.env.Dir), w.env.home())
	if user, _ := discovery.UserHooks(w.env.Getenv, runtime.GOOS); user != "" {
		dirs = append(dirs, user)
	}
	return dirs
}

// schedule lets the changed hooks run, and stops what runs in an older
// version.
func (w *watching) schedule(c reloaded) {
	for _, change := range c.Hooks {
		hook := change.Hook()
		key := keyOf(hook)
		itself := w.itself(key, change)
		if itself && w.again[key] {
			w.tellItself(hook)
			continue
		}
		w.again[key] = itself
		w.waiting = slices.DeleteFunc(w.waiting, func(t *attempt) bool { return t.key == key })
		if t := w.running[key]; t != nil {
			t.cancel()
			t.outdated = true
		}
		if change.After == nil {
			continue
		}
		ran := &span{}
		add := func(t *attempt) {
			t.ran = ran
			w.waiting = append(w.waiting, t)
		}
		if w.event != nil && hook.Trigger == w.event.Type && !onlyTests(change) {
			add(w.onEvent(key, hook, c.hooks))
		}
		if hook.State != discovery.Invalid && hook.State != discovery.Refused && hook.State != discovery.Untrusted {
			add(w.onCases(key, hook, slices.ContainsFunc(change.Files, ofCases)))
		}
	}
}

// onlyTests reports whether nothing but the hook's cases has changed, of which
// the event knows nothing.
func onlyTests(change discovery.HookChange) bool {
	return len(change.Files) > 0 && !slices.ContainsFunc(change.Files, func(file string) bool { return !ofCases(file) })
}

func ofCases(file string) bool {
	return file == cases.Folder || strings.HasPrefix(file, cases.Folder+"/")
}

// itself reports whether the hook has changed nothing but what it may have
// written while it ran. It is run once more, since a save at that time looks
// the same; to run it again each time would never end.
func (w *watching) itself(key string, change discovery.HookChange) bool {
	last, ok := w.ran[key]
	if !ok || change.After == nil || len(change.Files) == 0 {
		return false
	}
	dir := change.After.Dir
	return !slices.ContainsFunc(change.Files, func(file string) bool {
		return isAuthored(file) || !last.covers(filepath.Join(dir, filepath.FromSlash(file)))
	})
}

// isAuthored reports whether file is one that no hook writes itself.
func isAuthored(file string) bool {
	authored := []string{".", "HOOK.md", "hook.md", "scripts", "scripts/run", "scripts/run.sh", "scripts/run.py"}
	return slices.Contains(authored, file) || ofCases(file)
}

// span is the time in which a hook has run, on the event and in its cases: from
// the first start to the last end, up to now if it still runs.
type span struct{ began, ended time.Time }

func keyOf(h *discovery.Hook) string { return string(h.Scope) + "/" + h.Folder }
