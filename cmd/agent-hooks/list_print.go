package main

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// listText lays out the trigger table for people: whole in a pipe; on a
// terminal with the columns that it has room for.
type listText struct {
	env   *Env
	width int // columns of the terminal; 0: it is none
	text  strings.Builder
}

func (env *Env) printList(rows []listRow) error {
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

// enoughMatcher is how much of a matcher must be seen, in columns.
const enoughMatcher = 28

// table writes the rows as one table, if there is room for what matters.
func (l *listText) table(rows []listRow) bool {
	const hook, scope, timeout, priority, matcher = 2, 3, 4, 6, 7
	titles := []string{"EVENT", "ORDER", "HOOK", "SCOPE", "TIMEOUT", "MODE", "PRIORITY", "MATCHER"}
	table := columnsOn(l.width)
	table.right = []bool{timeout: true, priority: true}
	table.fit(titles)
	least := len(titles[matcher])
	for _, r := range rows {
		cells := r.cells()
		table.fit(cells)
		least = max(least, min(enoughMatcher, displayWidth(cells[matcher])))
	}
	if !table.giveUp([]int{timeout, priority}, least) {
		return false
	}
	l.text.WriteString(table.line(titles, func(_ int, cell string) string { return l.paint(faint, cell) }))
	for i, r := range rows {
		styles := [matcher + 1]string{hook: r.style(), scope: faint}
		if i > 0 && r.Event == rows[i-1].Event {
			styles[0] = faint
		}
		l.text.WriteString(table.line(r.cells(), l.painter(styles[:])))
	}
	return true
}

func (r listRow) cells() []string {
	timeout, mode, priority := "-", "-", "-"
	if r.Timeout != nil {
		timeout, mode, priority = fmt.Sprintf("%d ms", *r.Timeout), r.modeText(), strconv.Itoa(*r.Priority)
	}
	return []string{r.event(), r.order(), r.Hook, string(r.Scope), timeout, mode, priority, printable(matcherText(r))}
}

// modeText is the mode, and whether a sync hook is pure.
func (r listRow) modeText() string {
	if r.Pure {
		return "pure"
	}
	return r.Mode
}

// groups writes the rows below their events: on one line each or, if a name
// leaves too little room for that, on two.
func (l *listText) groups(rows []listRow) {
	const hook, scope, matcher = 1, 2, 3
	table := columnsOn(l.width)
	table.right = []bool{true}
	least := 0
	for _, r := range rows {
		cells := r.groupCells()
		table.fit(cells)
		least = max(least, min(enoughMatcher, displayWidth(cells[matcher])))
	}
	oneLine := table.giveUp(nil, least)
	for i, r := range rows {
		if i == 0 || r.Event != rows[i-1].Event {
			l.text.WriteString(r.groupTitle() + "\n")
		}
		cells := r.groupCells()
		paint := l.painter([]string{hook: r.style(), scope: faint, matcher: ""})
		if oneLine {
			l.text.WriteString(table.line(cells, paint))
			continue
		}
		indent := strings.Repeat(" ", table.widths[0]+columnGap)
		first, second := columns{widths: table.widths[:1], right: table.right, most: l.width}, columns{most: l.width}
		l.text.WriteString(first.wrapped(cells[:2], paint))
		l.text.WriteString(second.line([]string{indent + strings.TrimSuffix(cells[2]+", "+cells[3], ", -")}, unpainted))
	}
}

// groupTitle is the line above the hooks of an event.
func (r listRow) groupTitle() string {
	return cmp.Or(string(r.Event), "? (the trigger cannot be read)")
}

// groupCells are those of a row that stands below its event.
func (r listRow) groupCells() []string {
	matcher := printable(matcherText(r))
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

// style is how the hook's name is painted.
func (r listRow) style() string {
	switch {
	case r.State == discovery.Active && r.Failure == "":
		return bold
	case r.State == discovery.Overridden, r.State == discovery.Disabled:
		return faint
	}
	return red
}

func (l *listText) paint(style, text string) string { return l.env.paint(l.env.Stdout, style, text) }

// painter paints the cells of each column in its style.
func (l *listText) painter(styles []string) func(int, string) string {
	return func(column int, cell string) string { return l.paint(styles[column], cell) }
}

// notes tells below the table why a hook does not run, or runs otherwise than
// it says.
func (l *listText) notes(r listRow) {
	note := func(format string, args ...any) {
		text := fmt.Sprintf("%s hook %s ", r.Scope, r.Hook) + fmt.Sprintf(format, args...)
		l.text.WriteString(l.env.paragraph(l.env.Stdout, 2, text))
	}
	if r.State != discovery.Active {
		note("is %s: %s", r.State, cellText(r.Cause))
	}
	if r.Failure != "" {
		note("fails: %s", cellText(r.Failure))
	}
	if len(r.Errors) > 0 {
		more := ""
		if n := len(r.Errors); n > 1 {
			more = fmt.Sprintf(", and %d more", n-1)
		}
		note("has an error: %s%s (agent-hooks validate)", cellText(r.Errors[0]), more)
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

func matcherText(r listRow) string {
	var parts []string
	if r.Tool != "" {
		parts = append(parts, "tool "+r.Tool)
	}
	if r.Pattern != "" {
		parts = append(parts, "pattern "+r.Pattern)
	}
	return cmp.Or(strings.Join(parts, ", "), "-")
}
