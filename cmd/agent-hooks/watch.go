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
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

const watchAbout = `Each save of HOOK.md, of a script or of a test case starts a new run, and ends one that is still running. Another file that changes during a run starts one more run. Other files that change during that one, for example because the hook writes them, are reported and start no run. Nothing of a hook that appears later, such as one that git brings, is run: it is checked, and runs after Enter on a terminal, or if --new names it.`

type watchFlags struct {
	poll  bool
	named []string
}

func (f *watchFlags) declare(fs *flag.FlagSet) {
	fs.Func("new", "run the hook `NAME`, too, if it appears later; several may be given", func(name string) error {
		f.named = append(f.named, name)
		return nil
	})
	fs.BoolVar(&f.poll, "poll", false, "poll for changes, for file systems without notifications")
}

// execute is `agent-hooks watch [EVENT < ctx.json]`: it reports each change in the hooks,
// and runs a changed hook on the event and its test cases, until it is stopped or the reader
// has closed stdout.
func (flags watchFlags) execute(env *Env, args []string) (int, error) {
	w := &watching{env: env, flags: flags, schedule: suite.NewSchedule(maxRunning), known: map[string]bool{}, waiting: map[string]reloadedHook{}}
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
		changes, confirmed := w.changes(ctx), w.confirmed(ctx)
		for first := true; ctx.Err() == nil; {
			select {
			case <-ctx.Done():
			case c := <-changes:
				w.take(c, first)
				first = false
			case <-confirmed:
				w.confirm()
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

	known   map[string]bool         // folders of the hooks that may run (D135)
	waiting map[string]reloadedHook // the last changes of the others, by folder
}

// reloadedHook is the change of one hook.
type reloadedHook struct {
	reloaded
	hook watch.HookChange
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
		dir := change.Hook().Dir
		switch {
		case first:
			w.known[dir] = true
		case change.After == nil:
			w.schedule.Drop(change)
			delete(w.waiting, dir)
		case w.known[dir] || slices.Contains(w.flags.named, change.After.Folder):
			w.known[dir] = true
			w.add(c, change)
		default:
			w.waiting[dir] = reloadedHook{c, change}
			w.sayNew(change.After)
		}
	}
}

// add schedules what runs after a change.
func (w *watching) add(c reloaded, change watch.HookChange) {
	if !w.schedule.Add(change, func(files []string) []suite.Attempt { return w.attempts(c, change, files) }) {
		w.say("  changed by its own runs, so it does not run again before the next change")
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

// say prints a message, wrapped on a terminal.
func (w *watching) say(format string, args ...any) {
	w.print(w.env.paragraph(w.env.Stdout, 4, fmt.Sprintf(format, args...)))
}

// print prints lines. If that fails, the watch ends.
func (w *watching) print(lines string) {
	if err := w.env.print(lines); err != nil {
		w.failure = cmp.Or(w.failure, err)
		w.stop()
	}
}

// clock returns the time of a message.
func (w *watching) clock() string { return w.env.style(term.Faint, time.Now().Format("15:04:05")) }

func (w *watching) printFirst(c reloaded) {
	w.say("%s watching %s", w.clock(), term.Plural(len(c.Hooks), "hook"))
	for _, dir := range w.env.options(w.event).HooksDirs() {
		w.say("  in %s", term.Visible(dir))
	}
	if w.flags.poll {
		w.say("  checking for changes every %v (--poll)", watch.PollEvery)
	}
	if w.event == nil {
		return
	}
	w.say("%s a hook on %s runs on the event when it changes (%d now)", w.clock(), w.event.Type, len(c.Table[w.event.Type]))
	w.say("  in an empty directory, with an empty HOME")
}

// printWarnings prints each warning about the hooks as a whole, such as about a hooks.toml,
// once, and again when it is fixed.
func (w *watching) printWarnings(c reloaded) {
	for _, warning := range c.Warnings {
		w.printWarning(warning)
	}
	current := slices.Clone(c.hooks.Warnings)
	for _, d := range c.Diagnostics {
		current = append(current, d.String())
	}
	for _, warning := range w.warnings {
		if !slices.Contains(current, warning) {
			w.printText("fixed", term.Green, warning)
		}
	}
	for _, warning := range current {
		if !slices.Contains(w.warnings, warning) {
			w.printWarning(warning)
		}
	}
	w.warnings = current
}

func (w *watching) printWarning(text string) { w.printText("warning", term.Yellow, text) }

func (w *watching) printText(kind, style, text string) {
	w.say("%s %s %s", w.clock(), w.env.style(style, kind+":"), term.Visible(text))
}

// fullName returns the name of a hook, including its scope.
func (w *watching) fullName(h *discovery.Hook) string {
	return fmt.Sprintf("%s hook %s", h.Scope, w.name(h))
}

// name returns the name of a hook, and the name in its HOOK.md if that differs.
func (w *watching) name(h *discovery.Hook) string {
	name := w.env.style(term.Bold, h.Shown())
	if other := h.OtherName(); other != "" {
		name += " (" + term.Visible(other) + ")"
	}
	return name
}

func (w *watching) changeText(c watch.HookChange) string {
	name := w.fullName(c.Hook())
	switch {
	case c.Before == nil:
		return name + " added"
	case c.After == nil:
		return name + " removed"
	case len(c.Files) == 0:
		return fmt.Sprintf("%s changed, its files did not", name)
	}
	files := slices.DeleteFunc(slices.Clone(c.Files), func(folder string) bool {
		below := func(f string) bool { return strings.HasPrefix(f, folder+"/") }
		return folder == "." || slices.ContainsFunc(c.Files, below)
	})
	if len(files) == 0 {
		files = []string{"its folder"}
	}
	const limit = 8
	more := ""
	if len(files) > limit {
		files, more = files[:limit], fmt.Sprintf(" and %d more", len(files)-limit)
	}
	return fmt.Sprintf("%s changed: %s%s", name, term.Visible(strings.Join(files, ", ")), more)
}

// printChange prints a change and its errors; at the start, only the errors.
func (w *watching) printChange(c watch.HookChange, first bool) {
	if !first {
		w.say("%s %s", w.clock(), w.changeText(c))
	}
	if c.After == nil {
		return
	}
	wrong := c.After.Validate(w.env.Getenv("PATH"))
	for _, d := range wrong {
		w.print(w.env.diagnosticText(w.env.Stdout, 2, d))
	}
	if c.Kept || c.Dropped {
		w.say("  %s; %s%s", w.env.style(term.Red, "invalid"), explain.Invalid(c.After), map[bool]string{true: "; below, its last good version runs"}[c.Kept])
	}
	notice := c.After.News()
	switch {
	case c.After.State != discovery.Active:
		w.say("  %s is %s: %s", w.fullName(c.After), c.After.State, term.Visible(c.After.Cause))
	case c.Kept:
	case notice != "" && first:
		w.say("  %s: %s", w.fullName(c.After), term.Visible(notice))
	case notice != "":
		w.say("  %s", term.Visible(notice))
	case c.Before != nil && c.Before.State == discovery.Disabled:
		w.say("  it is no longer disabled (%s)", term.Visible(c.Before.Cause))
	case len(wrong) == 0 && !first:
		w.say("  %s", w.env.style(term.Green, "no problems"))
	}
}

// printResult prints the result of a trial.
func (w *watching) printResult(r trial.Result) {
	hook := r.Row.Hook
	if r.Report == nil {
		w.say("%s %s does not run on the event: %s", w.clock(), w.name(hook), term.Visible(explain.Because(r.Row)))
		return
	}
	h := r.Hook()
	style := term.Green
	switch h.Outcome {
	case agenthooks.OutcomeDeny, agenthooks.Failed, agenthooks.TimedOut:
		style = term.Red
	case agenthooks.OutcomeAsk:
		style = term.Yellow
	}
	text := w.env.style(style, explain.Outcome(h.Outcome))
	if h.Runs > 0 {
		text += fmt.Sprintf(" in %.0f ms, exit status %d", float64(h.Duration)/float64(time.Millisecond), h.Status)
	}
	if reason := explain.Reason(h); reason != "" {
		text += ": " + term.Visible(reason)
	}
	w.say("%s %s: %s", w.clock(), w.name(hook), text)
	for _, out := range [][2]string{{"stdout", h.Stdout}, {"stderr", h.Stderr}} {
		head := "  " + w.env.style(term.Faint, out[0]+":") + " "
		for _, line := range term.Lines(out[1], 50) {
			w.print(w.env.paragraph(w.env.Stdout, term.Width(head), head+line))
		}
	}
	for _, warning := range r.Report.Warnings {
		w.say("  %s %s", w.env.style(term.Yellow, "warning:"), term.Visible(warning))
	}
}

// printCases prints the results of a hook's test cases.
func (w *watching) printCases(s *suite.Suite, took time.Duration) {
	if len(s.Cases) == 0 {
		w.say("%s %s: it has no test cases", w.clock(), w.name(s.Hook))
		return
	}
	text, note, failed := w.env.style(term.Green, "pass"), "", 0
	for _, r := range s.Results {
		if r.Status != cases.Passed {
			failed++
		}
	}
	if failed > 0 {
		text = w.env.style(term.Red, fmt.Sprintf("%d FAIL", failed))
	}
	if s.Hook.State == discovery.Disabled || s.Hook.State == discovery.Overridden {
		note = fmt.Sprintf("; it is %s, its cases still run", s.Hook.State)
	}
	w.say("%s %s: %s: %s, in %.0f ms%s", w.clock(), w.name(s.Hook), term.Plural(len(s.Cases), "case"), text, suite.Milliseconds(took), note)
	p := newTestText(w.env)
	p.table(s)
	for _, r := range s.Results {
		p.Result(s, r)
	}
	p.SuiteEnd(s)
}
