package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/history"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// mostCauses is the maximum number of causes of failures printed as text; --json prints all.
const mostCauses = 10

// statsText formats statistics for people: complete in a pipe; on a terminal with the columns
// that fit, or on several lines for each hook.
type statsText struct {
	env     *Env
	project string // the current project, which is not named in rows
	width   int    // columns of the terminal; 0: not a terminal
}

// printStats prints a table of the hooks, and below it the causes of failures.
func (env *Env) printStats(rows []*history.Hook, project string) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "no hooks")
		return err
	}
	s := statsText{env: env, project: project, width: env.width(env.Stdout)}
	lines := s.page(rows)
	if causes := s.causes(rows); len(causes) > 0 {
		lines = append(append(lines, "\nFailures and timeouts by cause:\n"), causes...)
	}
	lines = append(lines, s.observed(rows)...)
	_, err := io.WriteString(env.Stdout, strings.Join(lines, ""))
	return err
}

// observed returns lines on how often observed hooks would have denied (D76).
func (s statsText) observed(rows []*history.Hook) (lines []string) {
	for _, h := range rows {
		if h.WouldDeny > 0 {
			text := fmt.Sprintf("%s hook %s would deny: %d of %d runs, without effect because it was only observed", h.Scope, term.Cell(h.Hook), h.WouldDeny, h.Runs)
			lines = append(lines, s.env.paragraph(s.env.Stdout, 2, text))
		}
	}
	return lines
}

// The columns of a row.
const (
	hookColumn = iota
	runsColumn
	blocksColumn
	failuresColumn
	timeoutsColumn
	failOpensColumn
	p50Column
	p95Column
	maxColumn
	lastColumn
	scopeColumn
)

func statsTitles() []string {
	return []string{"HOOK", "RUNS", "BLOCKS", "FAILURES", "TIMEOUTS", "FAIL-OPENS", "P50 MS", "P95 MS", "MAX MS", "LAST FIRED", "SCOPE"}
}

func shortStatsTitles() []string {
	return []string{"HOOK", "RUNS", "BLOCK", "FAIL", "LATE", "OPEN", "P50", "P95", "MAX", "LAST FIRED", "SCOPE"}
}

// page formats the hooks, as a table if the important columns fit.
func (s statsText) page(rows []*history.Hook) []string {
	cells := make([][]string, len(rows))
	for i, h := range rows {
		cells[i] = statsCells(h, s.project)
	}
	least := leastColumns(cells)
	for _, layout := range []struct {
		titles []string
		cells  [][]string
		order  []int // of columns that may be hidden
	}{
		{statsTitles(), cells, nil},
		{shortStatsTitles(), cells, least},
		{shortStatsTitles(), daysAlone(cells), least},
	} {
		if table := s.table(layout.titles, layout.cells); table.GiveUp(layout.order, len("project")) {
			return s.lines(table, layout.titles, layout.cells)
		}
	}
	return s.narrow(cells)
}

func (s statsText) table(titles []string, cells [][]string) *term.Columns {
	table := term.ColumnsOn(s.width)
	table.Right = make([]bool, scopeColumn)
	for i := runsColumn; i <= maxColumn; i++ {
		table.Right[i] = true
	}
	table.Fit(titles)
	for _, row := range cells {
		table.Fit(row)
	}
	return &table
}

func (s statsText) lines(table *term.Columns, titles []string, cells [][]string) []string {
	lines := []string{table.Line(titles, func(_ int, cell string) string { return s.paint(term.Faint, cell) })}
	for _, row := range cells {
		lines = append(lines, table.Line(row, s.painter(row)))
	}
	return lines
}

// daysAlone returns the cells without the time of day of the last run.
func daysAlone(cells [][]string) [][]string {
	short := make([][]string, len(cells))
	for i, row := range cells {
		short[i] = slices.Clone(row)
		short[i][lastColumn], _, _ = strings.Cut(row[lastColumn], " ")
	}
	return short
}

// leastColumns returns the columns that may be hidden: those that are zero in all rows, then
// the times. Columns about guards that did not work are always shown.
func leastColumns(cells [][]string) []int {
	var order []int
	for _, i := range []int{timeoutsColumn, failOpensColumn, failuresColumn, blocksColumn} {
		if !slices.ContainsFunc(cells, func(row []string) bool { return row[i] != "0" }) {
			order = append(order, i)
		}
	}
	return append(order, maxColumn, p50Column, p95Column)
}

func (s statsText) paint(style, text string) string { return s.env.paint(s.env.Stdout, style, text) }

// painter dims empty values and highlights failures.
func (s statsText) painter(row []string) func(int, string) string {
	return func(column int, cell string) string {
		switch {
		case column == hookColumn:
			return s.paint(term.Bold, cell)
		case cell == "0" || cell == "-" || cell == "never" || column == scopeColumn:
			return s.paint(term.Faint, cell)
		case failuresColumn <= column && column <= failOpensColumn:
			return s.paint(term.Yellow, cell)
		}
		return cell
	}
}

func statsCells(h *history.Hook, project string) []string {
	last := "never"
	if h.LastFired != nil {
		last = h.LastFired.Local().Format("2006-01-02 15:04")
	}
	return []string{
		term.Cell(h.Hook), strconv.Itoa(h.Runs), strconv.Itoa(h.Blocks), strconv.Itoa(h.Failures), strconv.Itoa(h.Timeouts), strconv.Itoa(h.FailOpens),
		msCell(h.P50), msCell(h.P95), msCell(h.Max), last, scopeCell(h, project),
	}
}

// scopeCell names the project of a hook if it is not the current one, and marks hooks that no
// longer exist; for other projects, a missing folder of hooks.
func scopeCell(h *history.Hook, project string) string {
	switch {
	case h.Scope == string(discovery.ProjectScope) && h.Project != project:
		cell := "project " + term.Cell(h.Project)
		if info, err := os.Stat(filepath.Join(h.Project, ".agents", "hooks")); err != nil || !info.IsDir() {
			cell += ", gone"
		}
		return cell
	case !h.Exists:
		return term.Cell(h.Scope) + ", gone"
	}
	return h.Scope
}

func msCell(ms *float64) string {
	if ms == nil {
		return "-"
	}
	return msText(*ms)
}

// narrow formats each hook on several lines.
func (s statsText) narrow(cells [][]string) []string {
	var lines []string
	add := func(text, style string) {
		lines = append(lines, s.env.paragraph(s.env.Stdout, 4, s.paint(style, text)))
	}
	for _, c := range cells {
		head := s.paint(term.Bold, c[hookColumn]) + " (" + c[scopeColumn] + ")"
		if c[lastColumn] == "never" {
			add(head+": never fired", "")
			continue
		}
		add(head, "")
		add("  runs "+c[runsColumn]+", blocks "+c[blocksColumn]+", last fired "+c[lastColumn], "")
		if c[failuresColumn] != "0" || c[timeoutsColumn] != "0" {
			add("  failures "+c[failuresColumn]+", timeouts "+c[timeoutsColumn]+", fail-opens "+c[failOpensColumn], term.Yellow)
		}
		if c[maxColumn] != "-" {
			add("  p50 "+c[p50Column]+" ms, p95 "+c[p95Column]+" ms, max "+c[maxColumn]+" ms", "")
		}
	}
	return lines
}

type causeCount struct {
	hook, cause string
	count       int
}

// causes lists the causes of failures, most frequent first.
func (s statsText) causes(rows []*history.Hook) []string {
	var all []causeCount
	for _, h := range rows {
		for cause, n := range h.Causes {
			all = append(all, causeCount{h.Hook, cause, n})
		}
	}
	slices.SortFunc(all, func(a, b causeCount) int {
		return cmp.Or(b.count-a.count, strings.Compare(a.hook, b.hook), strings.Compare(a.cause, b.cause))
	})
	shown := all[:min(len(all), mostCauses)]
	table := term.Columns{Right: []bool{true}, Most: s.width}
	cells := make([][]string, len(shown))
	for i, c := range shown {
		cells[i] = []string{strconv.Itoa(c.count), term.Cell(c.hook), term.Cell(c.cause)}
		table.Fit(cells[i])
	}
	var lines []string
	for _, row := range cells {
		lines = append(lines, table.Wrapped(row, term.Unpainted))
	}
	if more := len(all) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more, which --json shows\n", more))
	}
	return lines
}
