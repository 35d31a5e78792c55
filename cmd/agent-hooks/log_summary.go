package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

const logAbout = "With --summary, one row for each hook. On a narrow terminal, columns that contain only zeros, the durations and the last run are omitted."

func summaryColumns() [][]string {
	return [][]string{
		{"  RUNS", "number of runs"},
		{"  BLOCK", "runs that blocked: the hook's decision, or on-failure: deny"},
		{"  FAIL", "failed runs except LATE: no start, a crash, an exit status other than 0 and 2, a bad answer"},
		{"  LATE", "timeouts: runs stopped because they took too long"},
		{"  OPEN", "fail-opens: FAIL and LATE after which the operation continued"},
		{"  P50", "median duration in ms; P95: 95th percentile; MAX: longest"},
		{"  LAST FIRED", "last run, even if it was before --since"},
		{"  SCOPE", "user, project, or gone if the hook no longer exists"},
	}
}

// summarize is `agent-hooks log --summary`: it counts the runs of each hook.
func (env *Env) summarize(flags logFlags, filter *runlog.Filter) error {
	hooks := env.hooks()
	all := runlog.Statistics{}
	found, err := env.countLog(filter, all)
	if err != nil {
		return err
	}
	if !found {
		env.note("%s", env.noLog(env.state()))
	}
	if err := checkName(filter, hooks.Table); err != nil {
		return err
	}
	all.AddExisting(hooks.Table, hooks.Project.Root, flags.hook)
	rows := all.Rows()
	if flags.json {
		return env.printJSON(rows)
	}
	if err := env.printSummary(rows, hooks.Project.Root); err != nil {
		return err
	}
	env.noteSlow(hooks, rows)
	return nil
}

// noteSlow names the hooks that start slowly, and what to write instead.
func (env *Env) noteSlow(hooks *agenthooks.Hooks, rows []*runlog.Hook) {
	for _, h := range suite.All(hooks.Table) {
		entry, err := h.Entry(env.Getenv("PATH"))
		if err != nil || entry.Script == "" {
			continue
		}
		name, text := entry.Program()
		instead := "a constant answer (metadata.answer) needs no process"
		if strings.HasPrefix(name, "python") && !strings.Contains(strings.SplitN(text, "\n", 2)[0], " -I -S") {
			instead = "begin it with #!/usr/bin/env -S python3 -I -S if it imports no packages"
		}
		i := slices.IndexFunc(rows, func(r *runlog.Hook) bool {
			return r.Hook == h.Shown() && r.Scope == string(h.Scope) && (r.Project == "" || r.Project == hooks.Project.Root)
		})
		starts := entry.Starts(h.Dir, env.Environ)
		shim := slices.IndexFunc(starts, func(s discovery.Start) bool { // of a version manager: pyenv, asdf, mise, rbenv, Volta
			dir := filepath.ToSlash(filepath.Dir(s.Interpreter))
			return strings.HasSuffix(dir, "/shims") || strings.HasSuffix(dir, "/.volta/bin")
		})
		switch {
		case shim >= 0:
			path := starts[shim].Interpreter
			env.note("hook %s starts through %s, which searches for the program each time and takes longer than it; name the program itself in the #! line", h.Shown(), env.tilde(path))
		case i >= 0 && rows[i].StartsSlowly():
			env.note("hook %s takes more than %d ms to start; %s", h.Shown(), runlog.SlowStart, instead)
		}
	}
}

// countLog counts the entries of the log, and reports whether there is one.
func (env *Env) countLog(filter *runlog.Filter, all runlog.Statistics) (bool, error) {
	dir := env.state()
	r := runlog.NewReader(dir)
	defer r.Close()
	err := r.Read(func(_ []byte, e runlog.Entry) error {
		selected := filter.Selects(e)
		if filter.Concerns(e) {
			all.Count(e, selected)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		env.warnSkipped(dir, r.Skipped()+r.Unfinished())
	}
	return err == nil, err
}

// printSummary prints a table of the hooks, and below it the reasons of blocks and the causes of failures.
func (env *Env) printSummary(rows []*runlog.Hook, project string) error {
	if len(rows) == 0 {
		return env.noHooks()
	}
	width := env.width(env.Stdout)
	text := env.summaryTable(rows, project, width)
	if reasons := env.causes(rows, width, func(h *runlog.Hook) map[string]int { return h.Reasons }); reasons != "" {
		text += "\nBlocks and questions by reason:\n" + reasons
	}
	if causes := env.causes(rows, width, func(h *runlog.Hook) map[string]int { return h.Causes }); causes != "" {
		text += "\nFailures and timeouts by cause:\n" + causes
	}
	for _, h := range rows {
		if h.WouldDeny > 0 { // observed (D76)
			text += env.paragraph(env.Stdout, 2, fmt.Sprintf("%s hook %s would deny: %d of %d runs, without effect because it was only observed", h.Scope, term.Cell(h.Hook), h.WouldDeny, h.Runs))
		}
	}
	return env.print(text)
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

// summaryTable formats the hooks: complete in a pipe; on a terminal with the columns that fit.
func (env *Env) summaryTable(rows []*runlog.Hook, project string, width int) string {
	t := term.Table{
		Titles: []string{"HOOK", "RUNS", "BLOCK", "FAIL", "LATE", "OPEN", "P50", "P95", "MAX", "LAST FIRED", "SCOPE"},
		Right:  make([]bool, scopeColumn), LastWidth: len("project"),
	}
	for i := runsColumn; i <= maxColumn; i++ {
		t.Right[i] = true
	}
	ms := func(n *float64) string {
		switch {
		case n == nil:
			return "-"
		case *n < 100:
			return fmt.Sprintf("%.1f", *n)
		}
		return fmt.Sprintf("%.0f", *n)
	}
	for _, h := range rows {
		last, scope := "never", term.Cell(h.Scope)
		if h.LastFired != nil {
			last = h.LastFired.Local().Format("2006-01-02 15:04")
		}
		if h.Scope == string(discovery.ProjectScope) && h.Project != project {
			scope += " " + term.Cell(h.Project)
		}
		if !h.Exists {
			scope += ", gone"
		}
		t.Rows = append(t.Rows, []string{
			term.Cell(h.Hook), strconv.Itoa(h.Runs), strconv.Itoa(h.Blocks), strconv.Itoa(h.Failures), strconv.Itoa(h.Timeouts), strconv.Itoa(h.FailOpens),
			ms(h.P50), ms(h.P95), ms(h.Max), last, scope,
		})
	}
	t.Style = func(row, column int) string {
		switch cell := t.Rows[row][column]; {
		case column == hookColumn:
			return term.Bold
		case cell == "0" || cell == "-" || cell == "never" || column == scopeColumn:
			return term.Faint
		case failuresColumn <= column && column <= failOpensColumn:
			return term.Yellow
		}
		return ""
	}
	// Columns that are zero in all rows are hidden first, then the times. Columns about guards that
	// did not work are always shown.
	for _, i := range []int{timeoutsColumn, failOpensColumn, failuresColumn, blocksColumn} {
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "0" }) {
			t.Hide = append(t.Hide, i)
		}
	}
	t.Hide = append(t.Hide, maxColumn, p50Column, p95Column, lastColumn)
	return t.Text(width, env.style)
}

// causes lists texts about the hooks, such as causes of failures, most frequent first.
func (env *Env) causes(rows []*runlog.Hook, width int, of func(*runlog.Hook) map[string]int) string {
	const limit = 10 // --json has all
	type cause struct {
		hook, text string
		count      int
	}
	var all []cause
	for _, h := range rows {
		for text, n := range of(h) {
			all = append(all, cause{h.Hook, text, n})
		}
	}
	slices.SortFunc(all, func(a, b cause) int {
		return cmp.Or(b.count-a.count, strings.Compare(a.hook, b.hook), strings.Compare(a.text, b.text))
	})
	t := term.Table{Right: []bool{true}}
	for _, c := range all[:min(len(all), limit)] {
		t.Rows = append(t.Rows, []string{strconv.Itoa(c.count), term.Cell(c.hook), term.Cell(c.text)})
	}
	text := t.Text(width, env.style)
	if more := len(all) - limit; more > 0 {
		text += fmt.Sprintf("and %d more, which --json shows\n", more)
	}
	return text
}
