package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

const replayAbout = `replay reads the transcripts that Claude Code, Codex, Gemini CLI, Qwen Code and Kimi Code keep on this machine, and runs the hooks on each tool call in them, as if it were made now: nothing is logged, and nothing is written except the page of --html. Constant answers run, and hooks with pure: true, those of a project if you have reviewed them. Others are named; --all-hooks runs installed ones in empty directories. --project DIR selects the calls in that directory. Links, globs and files are those of today.
With --with, only the constant answers in DIR run, because nobody has reviewed the others. The calls that they change are listed, the newly allowed ones first.
Each line of the report has the ID of its last call. --save ID shows that call as a test case of the hook, with the hook's decision as the expectation, and writes it into the hook's folder if you agree.
For other agents, FILE has one event of the format in each line, such as a hook that keeps its stdin writes; those that name another event than pre-tool-call are left out.`

// maxPastGroups is the number of groups printed for each hook; --html and --json have more.
const maxPastGroups = 10

// printPast prints the report in the requested forms.
func (env *Env) printPast(flags replayFlags, s *past.Summary) error {
	command := flags.saveCommand(s)
	if flags.html != "" {
		path := env.absolute(flags.html)
		if err := state.Write(path, []byte(pageMark+env.pastPage(s, command)), 0o600); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		env.note("wrote %s", env.tilde(path))
	}
	report := pastReport(s)
	report.Text = func() error { return env.printPastText(s, command) }
	return flags.write(env, report)
}

// printPastText prints the report for people, and the command that makes a test case of its first call.
func (env *Env) printPastText(s *past.Summary, command string) error {
	var b strings.Builder
	add := func(indent int, text string) { b.WriteString(env.paragraph(env.Stdout, indent, text)) }
	add(2, pastTotals(s))
	for _, line := range pastProblems(s) {
		add(4, "  "+line)
	}
	if s.Compare != nil {
		b.WriteString(env.compared(s.Compare))
	}
	if len(s.Hooks) > 0 {
		titles, rows, idle := pastTable(s)
		t := term.Table{Titles: append(titles, ""), Right: []bool{false, true, true, true, true, true, true, true}} // the last column is not aligned
		for _, cells := range rows {
			t.Rows = append(t.Rows, append(cells, ""))
		}
		b.WriteString("\n")
		if len(rows) > 0 {
			b.WriteString(t.Text(env.width(env.Stdout), env.style))
		}
		if idle != "" {
			add(2, idle)
		}
	}
	for _, h := range s.Hooks {
		if len(h.Groups) == 0 {
			continue
		}
		shown, others := h.Groups[:min(len(h.Groups), maxPastGroups)], h.Others
		b.WriteString("\n" + env.style(term.Bold, pastName(h)) + "\n" + env.groupTable(shown))
		for _, g := range h.Groups[len(shown):] {
			others += g.Count
		}
		if others > 0 {
			add(4, fmt.Sprintf("  … and %s in other lines: --html FILE shows more", thousands(others, "call")))
		}
	}
	for i, n := range s.NotRun {
		if i == 0 {
			b.WriteString("\n")
		}
		add(4, term.Printable("not run: "+notRunText(n)))
	}
	if len(s.Hooks) == 0 && len(s.NotRun) == 0 {
		add(2, "There is no hook for pre-tool-call.")
	}
	if err := env.print(b.String()); err != nil {
		return err
	}
	if command != "" {
		env.note("%s makes a test case of that call", command)
	}
	env.note("links, globs and files are those of today; each hook ran alone on each call")
	return nil
}

// pastTotals returns the first sentence of the report.
func pastTotals(s *past.Summary) string {
	var parts []string
	var oldest, newest time.Time
	for _, a := range s.Agents {
		if a.Calls > 0 {
			parts = append(parts, a.Title)
		}
		if a.Oldest != nil && (oldest.IsZero() || a.Oldest.Before(oldest)) {
			oldest = *a.Oldest
		}
		if a.Newest != nil && a.Newest.After(newest) {
			newest = *a.Newest
		}
	}
	text := fmt.Sprintf("%s in %s", thousands(s.Calls, "call"), thousands(s.Sessions, "session"))
	if len(parts) > 0 {
		text += " of " + strings.Join(parts, ", ") + ", " + day(oldest)
		if day(newest) != day(oldest) {
			text += " to " + day(newest)
		}
	}
	if s.Stopped {
		text += fmt.Sprintf("; stopped after %d %% of the transcripts", s.Done*100/max(1, s.Bytes))
	}
	return text
}

func day(t time.Time) string { return t.Local().Format(time.DateOnly) }

// thousands formats a count with its noun: 12,431 calls.
func thousands(n int, noun string) string {
	_, noun, _ = strings.Cut(term.Plural(n, noun), " ")
	return grouped(n) + " " + noun
}

// grouped formats a number with a comma between groups of three digits.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// pastProblems returns what the report does not contain, one line each.
func pastProblems(s *past.Summary) (lines []string) {
	count := func(a *past.Agent, what string, n int) {
		if n > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s: %s", a.Title, what, grouped(n)))
		}
	}
	for _, a := range s.Agents {
		for _, why := range slices.Sorted(maps.Keys(a.Incomplete)) {
			count(a, "incomplete calls, "+why, a.Incomplete[why])
		}
		count(a, "calls that no hook sees", a.Unseen)
		count(a, "copies of calls, counted once", a.Repeated)
		count(a, "broken lines, skipped", a.Broken)
		count(a, "lines above 16 MiB, skipped", a.TooLong)
		for _, why := range slices.Sorted(maps.Keys(a.Skipped)) {
			count(a, "files skipped, "+why, a.Skipped[why])
		}
	}
	if s.Gone > 0 {
		lines = append(lines, "directories that are gone, where only your own hooks ran: "+grouped(s.Gone))
	}
	return lines
}

// pastTable returns the table of the hooks that matched a call, and a line with the others. Columns for
// rare effects are left out if they are empty.
func pastTable(s *past.Summary) (titles []string, rows [][]string, idle string) {
	titles = []string{"HOOK"}
	var hooks []*past.Hook
	var others []string
	for _, h := range s.Hooks {
		if h.Calls == 0 {
			others = append(others, pastName(h))
			continue
		}
		hooks = append(hooks, h)
		rows = append(rows, []string{pastName(h)})
	}
	if len(others) > 0 {
		idle = term.Plural(len(others), "other hook") + " matched no call: " + strings.Join(others, ", ")
	}
	for _, column := range []struct {
		title string
		rare  bool
		count func(*past.Hook) int
	}{
		{"CALLS", false, func(h *past.Hook) int { return h.Calls }},
		{"SESSIONS", false, func(h *past.Hook) int { return h.Sessions }},
		{"DENIED", false, func(h *past.Hook) int { return h.Denied }},
		{"ASKED", false, func(h *past.Hook) int { return h.Asked }},
		{"CHANGED", false, func(h *past.Hook) int { return h.Changed }},
		{"ALLOWED", true, func(h *past.Hook) int { return h.Allowed }},
		{"FAILED", true, func(h *past.Hook) int { return h.Failed }},
	} {
		if column.rare && !slices.ContainsFunc(hooks, func(h *past.Hook) bool { return column.count(h) > 0 }) {
			continue
		}
		titles = append(titles, column.title)
		for i, h := range hooks {
			rows[i] = append(rows[i], grouped(column.count(h)))
		}
	}
	return titles, rows, idle
}

// pastName returns the name of a hook; one that is not installed has a mark.
func pastName(h *past.Hook) string {
	if h.With {
		return term.Cell(h.Hook) + " (new)"
	}
	return term.Cell(h.Hook)
}

// groupTable formats groups: the effect, how often, when last, that call's ID, the tool, and the command or path.
func (env *Env) groupTable(groups []*past.Group) string {
	t := term.Table{Right: []bool{false, true}, Cut: true, Style: func(row, column int) string {
		switch effect := groups[row].Effect; {
		case column > 0:
			return ""
		case effect == "denied" || effect == "failed":
			return term.Red
		case effect == "asked" || effect == "changed":
			return term.Yellow
		}
		return term.Green
	}}
	for _, g := range groups {
		t.Rows = append(t.Rows, []string{"  " + effectText(g), grouped(g.Count) + " ×", day(g.Last), g.Call, term.Cell(g.Tool), term.Cell(g.Text)})
	}
	return t.Text(env.width(env.Stdout), env.style)
}

func effectText(l *past.Group) string {
	if l.Was == "" {
		return l.Effect
	}
	return l.Was + " → " + l.Effect
}

func (env *Env) compared(c *past.Compare) string {
	lines := term.Hang(compareText(c), 2, env.width(env.Stdout))
	return "\n" + env.style(term.Bold, strings.Join(lines, "\n")) + "\n" + env.groupTable(c.Newly[:min(len(c.Newly), 2*maxPastGroups)])
}

func compareText(c *past.Compare) string {
	text := fmt.Sprintf("with the new hooks: %s newly allowed, %s newly denied or asked, ", grouped(c.Allowed), grouped(c.Denied))
	if c.Rewritten > 0 {
		text += grouped(c.Rewritten) + " with another input, "
	}
	return text + grouped(c.Unchanged) + " unchanged"
}

func notRunText(n *past.NotRun) string {
	text := fmt.Sprintf("%s, which matches %s: %s", term.Cell(n.Hook), thousands(n.Calls, "call"), n.Why)
	if n.Calls == 0 {
		text = fmt.Sprintf("%s: %s", term.Cell(n.Hook), n.Why)
	}
	return text + " (" + term.Cell(filepath.Dir(n.File)) + ")"
}
