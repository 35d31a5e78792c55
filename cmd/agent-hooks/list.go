package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type listFlags struct{ jsonFlag }

func (flags listFlags) execute(env *Env, _ []string) (int, error) {
	hooks := env.load(nil)
	env.warnHooks(hooks)
	rows := explain.List(hooks, env.Getenv("PATH"))
	from := env.sources(hooks, rows)
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	if err := env.printList(rows); err != nil {
		return 0, err
	}
	for _, line := range from {
		env.out(2, line)
	}
	env.noteReview(nil)
	if len(rows) > 0 && !env.called() {
		env.note("no agent calls these hooks yet: agent-hooks doctor")
	}
	return spec.ExitContinue, nil
}

func (env *Env) printList(listed []explain.Listed) error {
	if len(listed) == 0 {
		return env.noHooks()
	}
	const hook, scope, timeout, priority = 2, 3, 4, 6
	t := term.Table{
		Titles: []string{"EVENT", "ORDER", "HOOK", "SCOPE", "TIMEOUT", "MODE", "PRIORITY", "MATCHER"},
		Right:  []bool{timeout: true, priority: true}, Cut: true, Hide: []int{timeout, priority},
		Style: func(i, column int) string {
			switch r := listed[i]; {
			case column == hook && r.State == discovery.Active && r.Failure == "":
				return term.Bold
			case column == hook && r.State != discovery.Overridden && r.State != discovery.Disabled:
				return term.Red
			case column == hook, column == scope, column == 0 && i > 0 && r.Event == listed[i-1].Event:
				return term.Faint
			}
			return ""
		},
	}
	for _, r := range listed {
		timeout, mode, priority, order := "-", "-", "-", "-"
		if r.Timeout != nil {
			timeout, mode, priority = fmt.Sprintf("%d ms", *r.Timeout), r.Mode, strconv.Itoa(*r.Priority)
		}
		switch {
		case r.Answer != nil:
			timeout, mode = "-", cmp.Or(r.Answer.Decision, "answer")
		case r.Pure:
			mode = "pure"
		}
		if r.Order > 0 {
			order = strconv.Itoa(r.Order)
		}
		match := short(term.Printable(matcherText(r.Tool, r.Pattern, r.Match, r.Undecided != "")))
		t.Rows = append(t.Rows, []string{cmp.Or(string(r.Event), "?"), order, bothNames(r.Hook, r.Name), string(r.Scope), timeout, mode, priority, match})
		t.LastWidth = max(t.LastWidth, min(22, term.Width(match))) // so that most tables fit 80 columns
	}
	if err := env.printTable(t); err != nil {
		return err
	}
	var printed []string
	for _, r := range listed {
		for _, note := range listNotes(r) {
			if !slices.Contains(printed, note) { // a hook may have a row for each event
				printed = append(printed, note)
				env.out(2, term.Printable(note))
			}
		}
	}
	return nil
}

// bothNames returns the name of a hook's folder and the name in its HOOK.md, if
// that differs (D85).
func bothNames(folder, name string) string {
	if name == "" {
		return folder
	}
	return folder + " (" + term.Cell(name) + ")"
}

// listNotes returns why a hook does not run, or runs differently from its HOOK.md.
func listNotes(r explain.Listed) (notes []string) {
	note := func(format string, args ...any) {
		notes = append(notes, fmt.Sprintf("%s hook %s ", r.Scope, r.Hook)+fmt.Sprintf(format, args...))
	}
	if r.State != discovery.Active {
		note("is %s: %s", r.State, term.Cell(r.Cause))
	}
	if r.Failure != "" {
		note("fails: %s", term.Cell(r.Failure))
	}
	if len(r.Errors) > 0 {
		note("has %s: %s (agent-hooks validate)", term.Plural(len(r.Errors), "error"), term.Cell(r.Errors[0]))
	}
	if len(r.Configured) > 0 {
		note("is configured: %s", strings.Join(r.Configured, ", "))
	}
	if r.Observe {
		note("is only observed: it runs and is logged, without effect")
	}
	if r.Extension {
		note("runs on an extension event, which not every agent fires")
	}
	if r.Notice != "" {
		note("%s", r.Notice)
	}
	return notes
}

// matcherText describes a matcher. match is what its pattern is searched in; ""
// for the values.
func matcherText(tool, pattern, match string, passes bool) string {
	var parts []string
	if tool != "" {
		parts = append(parts, "tool "+tool)
	}
	if pattern != "" {
		if match != "" {
			match = " in " + match
		}
		if passes {
			match += " (undecided passes)"
		}
		parts = append(parts, "pattern "+pattern+match)
	}
	return cmp.Or(strings.Join(parts, ", "), "-")
}
