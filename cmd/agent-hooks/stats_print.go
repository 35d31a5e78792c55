package main

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// mostCauses is how many causes of failures are shown to people; --json has
// all.
const mostCauses = 10

// printStats prints a table of the hooks, and below it why they failed.
func (env *Env) printStats(rows []*hookStats, project string) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "no hooks")
		return err
	}
	out := bufio.NewWriter(env.Stdout)
	most := terminalWidth(env.Stdout)
	for _, line := range statsPage(rows, project, most) {
		fmt.Fprint(out, line)
	}
	if causes := causesPage(rows, most); len(causes) > 0 {
		fmt.Fprint(out, "\nFailures by cause:\n")
		for _, line := range causes {
			fmt.Fprint(out, line)
		}
	}
	return out.Flush()
}

// statsPage lays the hooks out: as a table, or as some lines each if the
// terminal is too narrow for it.
func statsPage(rows []*hookStats, project string, most int) []string {
	titles := []string{"HOOK", "RUNS", "BLOCKS", "FAILURES", "TIMEOUTS", "FAIL-OPENS", "P50", "P95", "MAX MS", "LAST FIRED", "SCOPE"}
	table := columns{right: []bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true, 8: true}}
	table.fit(titles)
	cells := make([][]string, len(rows))
	for i, h := range rows {
		cells[i] = statsCells(h, project)
		table.fit(cells[i])
	}
	fixed := len("project")
	for _, n := range table.widths {
		fixed += n + columnGap
	}
	if most > 0 && fixed > most {
		return narrowStats(cells, most)
	}
	table.most = most
	lines := []string{table.line(titles, unpainted)}
	for _, row := range cells {
		lines = append(lines, table.line(row, unpainted))
	}
	return lines
}

func statsCells(h *hookStats, project string) []string {
	last := "never"
	if h.LastFired != nil {
		last = h.LastFired.Local().Format("2006-01-02 15:04")
	}
	return []string{
		cellText(h.Hook), strconv.Itoa(h.Runs), strconv.Itoa(h.Blocks), strconv.Itoa(h.Failures), strconv.Itoa(h.Timeouts), strconv.Itoa(h.FailOpens),
		msCell(h.P50), msCell(h.P95), msCell(h.Max), last, scopeCell(h, project),
	}
}

// scopeCell names the project of a hook if it is another one.
func scopeCell(h *hookStats, project string) string {
	switch {
	case h.Scope != string(discovery.ProjectScope):
		return cellText(h.Scope)
	case h.Project != project:
		return "project " + cellText(h.Project)
	case !h.Exists:
		return "project, gone"
	}
	return h.Scope
}

func msCell(ms *float64) string {
	if ms == nil {
		return "-"
	}
	return msText(*ms)
}

func narrowStats(cells [][]string, most int) []string {
	plain := columns{most: most}
	var lines []string
	add := func(text string) { lines = append(lines, plain.line([]string{text}, unpainted)) }
	for _, c := range cells {
		add(c[0] + " (" + c[10] + ")")
		if c[9] == "never" {
			add("  never fired")
			continue
		}
		add("  runs " + c[1] + ", blocks " + c[2] + ", last fired " + c[9])
		if c[3] != "0" || c[4] != "0" {
			add("  failures " + c[3] + ", timeouts " + c[4] + ", fail-opens " + c[5])
		}
		if c[8] != "-" {
			add("  p50 " + c[6] + " ms, p95 " + c[7] + " ms, max " + c[8] + " ms")
		}
	}
	return lines
}

type causeCount struct {
	hook, cause string
	count       int
}

// causesPage lays out why hooks failed, the most frequent first.
func causesPage(rows []*hookStats, most int) []string {
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
	table := columns{right: []bool{true}, most: most}
	cells := make([][]string, len(shown))
	for i, c := range shown {
		cells[i] = []string{strconv.Itoa(c.count), cellText(c.hook), cellText(c.cause)}
		table.fit(cells[i])
	}
	var lines []string
	for _, row := range cells {
		lines = append(lines, table.line(row, unpainted))
	}
	if more := len(all) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more, which --json shows\n", more))
	}
	return lines
}
