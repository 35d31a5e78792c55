package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/explain"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

func (env *Env) printList(listed []explain.Listed) error {
	if len(listed) == 0 {
		return env.print("no hooks\n")
	}
	const hook, scope, timeout, priority, matcher = 2, 3, 4, 6, 7
	t := term.Table{
		Titles: []string{"EVENT", "ORDER", "HOOK", "SCOPE", "TIMEOUT", "MODE", "PRIORITY", "MATCHER"},
		Right:  []bool{timeout: true, priority: true}, Long: true, Cut: true, Hide: []int{timeout, priority}, Least: len("MATCHER"),
		Style: func(i, column int) string {
			repeated := i > 0 && listed[i].Event == listed[i-1].Event
			switch {
			case column == hook:
				return listRow(listed[i]).style()
			case column == scope, column == 0 && repeated:
				return term.Faint
			}
			return ""
		},
	}
	t.Narrow = func(i int) (cells, below []string) {
		row, more := t.Rows[i], string(listed[i].Scope)
		if listed[i].Mode == "async" {
			more += ", async"
		}
		return append(row[:hook:hook], env.style(t.Style(i, hook), row[hook])), []string{strings.TrimSuffix(more+", "+row[matcher], ", -")}
	}
	for _, r := range listed {
		cells := listRow(r).cells()
		t.Rows = append(t.Rows, cells)
		t.Least = max(t.Least, min(28, term.Width(cells[matcher])))
	}
	if err := env.printTable(t); err != nil {
		return err
	}
	l := listNotes{env: env}
	for _, r := range listed {
		l.notes(listRow(r))
	}
	return env.print(l.text.String())
}

// listNotes are the notes below the table.
type listNotes struct {
	env   *Env
	text  strings.Builder
	noted []string // so far
}

// listRow is a row for people.
type listRow explain.Listed

func (r listRow) cells() []string {
	timeout, mode, priority := "-", "-", "-"
	if r.Timeout != nil {
		timeout, mode, priority = fmt.Sprintf("%d ms", *r.Timeout), r.modeText(), strconv.Itoa(*r.Priority)
	}
	return []string{r.event(), r.order(), r.Hook, string(r.Scope), timeout, mode, priority, term.Printable(matcherText(r.Tool, r.Pattern))}
}

// modeText returns the mode, and whether a sync hook is pure.
func (r listRow) modeText() string {
	if r.Pure {
		return "pure"
	}
	return r.Mode
}

func (r listRow) event() string { return cmp.Or(string(r.Event), "?") }

func (r listRow) order() string {
	if r.Order == 0 {
		return "-"
	}
	return strconv.Itoa(r.Order)
}

// style returns the style of the hook's name.
func (r listRow) style() string {
	switch {
	case r.State == discovery.Active && r.Failure == "":
		return term.Bold
	case r.State == discovery.Overridden, r.State == discovery.Disabled:
		return term.Faint
	}
	return term.Red
}

// notes prints below the table why a hook does not run, or runs differently from its HOOK.md.
func (l *listNotes) notes(r listRow) {
	note := func(format string, args ...any) {
		text := fmt.Sprintf("%s hook %s ", r.Scope, r.Hook) + fmt.Sprintf(format, args...)
		if !slices.Contains(l.noted, text) { // a hook may have a row for each event
			l.noted = append(l.noted, text)
			l.text.WriteString(l.env.paragraph(l.env.Stdout, 2, text))
		}
	}
	if r.State != discovery.Active {
		note("is %s: %s", r.State, term.Cell(r.Cause))
	}
	if r.Failure != "" {
		note("fails: %s", term.Cell(r.Failure))
	}
	if len(r.Errors) > 0 {
		more := ""
		if n := len(r.Errors); n > 1 {
			more = fmt.Sprintf(", and %d more", n-1)
		}
		note("has an error: %s%s (agent-hooks validate)", term.Cell(r.Errors[0]), more)
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
}

func matcherText(tool, pattern string) string {
	var parts []string
	if tool != "" {
		parts = append(parts, "tool "+tool)
	}
	if pattern != "" {
		parts = append(parts, "pattern "+pattern)
	}
	return cmp.Or(strings.Join(parts, ", "), "-")
}
