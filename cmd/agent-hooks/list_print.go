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

// listText formats the trigger table for people: complete in a pipe; on a terminal with the
// columns that fit.
type listText struct {
	env   *Env
	width int // columns of the terminal; 0: not a terminal
	text  strings.Builder
	noted []string // the notes so far
}

func (env *Env) printList(listed []explain.Listed) error {
	var rows []listRow
	for _, r := range listed {
		rows = append(rows, listRow(r))
	}
	l := listText{env: env, width: env.width(env.Stdout)}
	switch {
	case len(rows) == 0:
		l.text.WriteString("no hooks\n")
	case !l.table(rows):
		l.groups(rows)
	}
	for _, r := range rows {
		l.notes(r)
	}
	_, err := fmt.Fprint(env.Stdout, l.text.String())
	return err
}

// enoughMatcher is the minimum width of the matcher column.
const enoughMatcher = 28

// table writes the rows as one table, if the important columns fit.
func (l *listText) table(rows []listRow) bool {
	const hook, scope, timeout, priority, matcher = 2, 3, 4, 6, 7
	titles := []string{"EVENT", "ORDER", "HOOK", "SCOPE", "TIMEOUT", "MODE", "PRIORITY", "MATCHER"}
	table := term.ColumnsOn(l.width)
	table.Right = []bool{timeout: true, priority: true}
	table.Fit(titles)
	least := len(titles[matcher])
	for _, r := range rows {
		cells := r.cells()
		table.Fit(cells)
		least = max(least, min(enoughMatcher, term.Width(cells[matcher])))
	}
	if !table.GiveUp([]int{timeout, priority}, least) {
		return false
	}
	l.text.WriteString(table.Line(titles, func(_ int, cell string) string { return l.paint(term.Faint, cell) }))
	for i, r := range rows {
		styles := [matcher + 1]string{hook: r.style(), scope: term.Faint}
		if i > 0 && r.Event == rows[i-1].Event {
			styles[0] = term.Faint
		}
		l.text.WriteString(table.Line(r.cells(), l.painter(styles[:])))
	}
	return true
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

// groups writes the rows below their events: on one line each, or on two if a name is too long.
func (l *listText) groups(rows []listRow) {
	const hook, scope, matcher = 1, 2, 3
	table := term.ColumnsOn(l.width)
	table.Right = []bool{true}
	least := 0
	for _, r := range rows {
		cells := r.groupCells()
		table.Fit(cells)
		least = max(least, min(enoughMatcher, term.Width(cells[matcher])))
	}
	oneLine := table.GiveUp(nil, least)
	for i, r := range rows {
		if i == 0 || r.Event != rows[i-1].Event {
			l.text.WriteString(r.groupTitle() + "\n")
		}
		cells := r.groupCells()
		paint := l.painter([]string{hook: r.style(), scope: term.Faint, matcher: ""})
		if oneLine {
			l.text.WriteString(table.Line(cells, paint))
			continue
		}
		indent := strings.Repeat(" ", table.Widths[0]+term.ColumnGap)
		first, second := term.Columns{Widths: table.Widths[:1], Right: table.Right, Most: l.width}, term.Columns{Most: l.width}
		l.text.WriteString(first.Wrapped(cells[:2], paint))
		l.text.WriteString(second.Line([]string{indent + strings.TrimSuffix(cells[2]+", "+cells[3], ", -")}, term.Unpainted))
	}
}

// groupTitle returns the line above the hooks of an event.
func (r listRow) groupTitle() string {
	return cmp.Or(string(r.Event), "? (the trigger cannot be read)")
}

// groupCells returns the cells of a row below its event.
func (r listRow) groupCells() []string {
	matcher := term.Printable(matcherText(r.Tool, r.Pattern))
	if r.Mode == "async" {
		matcher = strings.TrimSuffix("async, "+matcher, ", -")
	}
	return []string{"  " + r.order(), r.Hook, string(r.Scope), matcher}
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

func (l *listText) paint(style, text string) string { return l.env.paint(l.env.Stdout, style, text) }

// painter paints the cells of each column in its style.
func (l *listText) painter(styles []string) func(int, string) string {
	return func(column int, cell string) string { return l.paint(styles[column], cell) }
}

// notes prints below the table why a hook does not run, or runs differently from its HOOK.md.
func (l *listText) notes(r listRow) {
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
