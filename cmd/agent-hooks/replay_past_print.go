package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/internal/author/past"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

const replayAbout = `With --from, replay reads the transcripts that Claude Code, Codex, Gemini CLI, Qwen Code and Kimi Code keep on this machine, and runs the hooks on each tool call in them, as if it were made now: nothing is logged, and nothing is written except the page of --html. Constant answers run, and hooks with pure: true, those of a project if you have reviewed them. Others are named; --all-hooks runs installed ones in empty directories. --project DIR selects the calls in that directory. Links, globs and files are those of today.

With --with, only the constant answers in DIR run, because nobody has reviewed the others. The calls that they change are listed, the newly allowed ones first.

Each line of the report has the ID of its last call. --save ID shows that call as a test case of the hook, with the hook's decision as the expectation, and writes it into the hook's folder if you agree.

Without --from, replay runs the hooks on events and shows their verdicts: on the event in FILE or in each of its lines, on those in the *.json files of DIR, or on those that run has recorded because your hooks.toml has enabled = true under [record].`

// maxPastGroups is the number of groups printed for each hook; --html and --json have more.
const maxPastGroups = 10

// printPast prints the report in the requested forms.
func (env *Env) printPast(flags replayFlags, s *past.Summary) error {
	if flags.html != "" {
		path := env.absolute(flags.html)
		if err := atomicfile.Write(path, []byte(pageMark+pastPage(s, flags.saveCommand(s))), 0o600); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
		env.note("wrote %s", term.Printable(path))
	}
	if flags.json {
		return env.printJSON(s)
	}
	if err := env.out(2, pastTotals(s)); err != nil {
		return err
	}
	for _, line := range pastProblems(s) {
		if err := env.out(4, "  "+line); err != nil {
			return err
		}
	}
	if s.Compare != nil {
		if err := env.printCompare(s.Compare); err != nil {
			return err
		}
	}
	if err := env.printPastHooks(s); err != nil {
		return err
	}
	if len(s.NotRun) > 0 {
		if err := env.print("\n"); err != nil {
			return err
		}
	}
	for _, n := range s.NotRun {
		if err := env.out(4, notRunText(n)); err != nil {
			return err
		}
	}
	if len(s.Hooks) == 0 && len(s.NotRun) == 0 {
		if err := env.out(2, "There is no hook for pre-tool-call."); err != nil {
			return err
		}
	}
	if command := flags.saveCommand(s); command != "" {
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
			parts = append(parts, agent.Find(a.Agent).Title)
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
		text += " of " + strings.Join(parts, ", ") + ", " + day(oldest) + " to " + day(newest)
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
			lines = append(lines, fmt.Sprintf("%s: %s: %s", agent.Find(a.Agent).Title, what, grouped(n)))
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

// printPastHooks prints a table of the hooks, and below it the calls on which each had an effect.
func (env *Env) printPastHooks(s *past.Summary) error {
	if len(s.Hooks) == 0 {
		return nil
	}
	titles, rows := pastTable(s)
	last := len(titles) - 1 // which a table does not align
	width := len(titles[last])
	for _, cells := range rows {
		width = max(width, len(cells[last]))
	}
	for _, cells := range rows {
		cells[last] = strings.Repeat(" ", width-len(cells[last])) + cells[last]
	}
	table := term.Table{Titles: titles, Rows: rows, Right: []bool{false, true, true, true, true, true, true, true}}
	if err := env.print("\n"); err != nil {
		return err
	}
	if err := env.printTable(table); err != nil {
		return err
	}
	for _, h := range s.Hooks {
		if err := env.printGroups(pastName(h), h.Groups, h.Others); err != nil {
			return err
		}
	}
	return nil
}

// pastTable returns the table of the hooks. Columns for rare effects are left out if they are empty.
func pastTable(s *past.Summary) (titles []string, rows [][]string) {
	titles = []string{"HOOK", "CALLS", "SESSIONS", "DENIED", "ASKED", "CHANGED"}
	has := func(count func(*past.Hook) int) bool {
		return slices.ContainsFunc(s.Hooks, func(h *past.Hook) bool { return count(h) > 0 })
	}
	allowed := has(func(h *past.Hook) int { return h.Allowed })
	failed := has(func(h *past.Hook) int { return h.Failed })
	if allowed {
		titles = append(titles, "ALLOWED")
	}
	if failed {
		titles = append(titles, "FAILED")
	}
	for _, h := range s.Hooks {
		counts := []int{h.Calls, h.Sessions, h.Denied, h.Asked, h.Changed}
		if allowed {
			counts = append(counts, h.Allowed)
		}
		if failed {
			counts = append(counts, h.Failed)
		}
		cells := []string{pastName(h)}
		for _, n := range counts {
			cells = append(cells, grouped(n))
		}
		rows = append(rows, cells)
	}
	return titles, rows
}

// pastName returns the name of a hook; one that is not installed has a mark.
func pastName(h *past.Hook) string {
	if h.With {
		return term.Cell(h.Hook) + " (new)"
	}
	return term.Cell(h.Hook)
}

// printGroups prints the most frequent groups.
func (env *Env) printGroups(title string, groups []*past.Group, others int) error {
	if len(groups) == 0 {
		return nil
	}
	if err := env.print("\n" + env.style(term.Bold, title) + "\n"); err != nil {
		return err
	}
	if err := env.printGroupTable(groups[:min(len(groups), maxPastGroups)]); err != nil {
		return err
	}
	if len(groups) > maxPastGroups || others > 0 {
		for _, l := range groups[min(len(groups), maxPastGroups):] {
			others += l.Count
		}
		return env.out(4, fmt.Sprintf("  … and %s in other lines: --html FILE shows more", thousands(others, "call")))
	}
	return nil
}

// printGroupTable prints groups: the effect, how often, when last, that call's ID, the tool, and the command or path.
func (env *Env) printGroupTable(groups []*past.Group) error {
	table := term.Table{
		Right: []bool{false, true}, Cut: true,
		Style: func(row, column int) string {
			if column == 0 {
				return effectStyle(groups[row].Effect)
			}
			return ""
		},
	}
	for _, l := range groups {
		table.Rows = append(table.Rows, []string{"  " + effectText(l), grouped(l.Count) + " ×", day(l.Last), l.Call, term.Cell(l.Tool), term.Cell(l.Text)})
	}
	return env.printTable(table)
}

func effectText(l *past.Group) string {
	if l.Was == "" {
		return l.Effect
	}
	return l.Was + " → " + l.Effect
}

func effectStyle(effect string) string {
	switch effect {
	case "denied", "failed":
		return term.Red
	case "asked", "changed":
		return term.Yellow
	}
	return term.Green
}

func (env *Env) printCompare(c *past.Compare) error {
	if err := env.print("\n" + env.style(term.Bold, compareText(c)) + "\n"); err != nil {
		return err
	}
	return env.printGroupTable(c.Newly[:min(len(c.Newly), 2*maxPastGroups)])
}

func compareText(c *past.Compare) string {
	text := fmt.Sprintf("with the new hooks: %s newly allowed, %s newly denied or asked, ", grouped(c.Allowed), grouped(c.Denied))
	if c.Rewritten > 0 {
		text += grouped(c.Rewritten) + " with another input, "
	}
	return text + grouped(c.Unchanged) + " unchanged"
}

func notRunText(n *past.NotRun) string {
	text := fmt.Sprintf("not run: %s, which matches %s: %s", term.Cell(n.Hook), thousands(n.Calls, "call"), n.Why)
	if n.Calls == 0 {
		text = fmt.Sprintf("not run: %s: %s", term.Cell(n.Hook), n.Why)
	}
	return text + " (" + term.Cell(filepath.Dir(n.File)) + ")"
}
