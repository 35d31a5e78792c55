package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/replay"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// take counts a result, and reports it if it is relevant.
func (r *replaying) take(result replay.Result) error {
	warnings, shown := r.sum.Add(result, r.flags.hook)
	for _, w := range warnings {
		r.line.erase()
		r.env.warn("%s", w)
	}
	switch {
	case shown == nil:
		return nil
	case shown.Skipped != "":
		r.line.erase()
		r.env.warn("%s is skipped: %s", result.File, result.Skipped)
		return nil
	}
	return r.show(*shown)
}

// show prints an event and the hooks' verdicts on it.
func (r *replaying) show(e replay.Event) error {
	if r.flags.json {
		return nil
	}
	r.line.erase()
	line := term.Columns{Width: r.env.width(r.env.Stdout)}
	when := term.Cell(e.File)
	if e.Time != nil {
		when = e.Time.Local().Format(time.DateTime)
	}
	head := []string{when, string(e.Event)}
	if e.Tool != "" {
		head = append(head, term.Cell(e.Tool))
	}
	text := line.Line(append(head, term.Cell(e.Text)), func(i int, cell string) string {
		if i == 0 {
			return r.env.style(term.Bold, cell)
		}
		return cell
	})
	for _, c := range e.Hooks {
		text += r.env.paragraph(r.env.Stdout, 4, "  "+r.env.style(changeStyle(c), arrowText(c))+"  "+aboutText(c))
	}
	if e.Uncertain != "" {
		text += r.env.paragraph(r.env.Stdout, 4, "  uncertain: "+term.Cell(e.Uncertain))
	}
	return r.env.print(text)
}

// arrowText formats a change: the old and the new verdict.
func arrowText(c replay.Change) string {
	if c.Was == "" {
		return c.Now
	}
	return c.Was + " → " + c.Now
}

// aboutText returns the hook of a verdict, and the reason.
func aboutText(c replay.Change) string {
	name := "all hooks together"
	if c.Hook != "" {
		name = term.Cell(c.Hook)
	}
	if c.Reason == "" {
		return name
	}
	return name + ": " + term.Cell(c.Reason)
}

func changeStyle(c replay.Change) string {
	guarded := c.Before == agenthooks.OutcomeDeny || c.Before == agenthooks.OutcomeAsk
	if style := outcomeStyle(c.After); style != term.Green || !guarded {
		return style
	}
	return term.Yellow // a guard that no longer decides
}

// summary prints the summary of the replay.
func (r *replaying) summary() error {
	s := &r.sum
	if err := r.unknownHook(); err != nil {
		return err
	}
	s.Directory, s.Events = r.dir, len(r.names)
	s.Duration = float64(time.Since(r.began).Round(time.Millisecond)) / float64(time.Millisecond)
	s.End()
	if r.flags.json {
		if s.Shown == nil {
			s.Shown = []replay.Event{}
		}
		return r.env.printJSON(s)
	}
	for _, line := range summaryLines(s) {
		if err := r.env.out(2, line); err != nil {
			return err
		}
	}
	if len(s.Shown) > s.Skipped && s.Ran && !r.flags.inPlace {
		r.env.note("hooks ran in empty directories; --in-place runs them in the recorded ones, for hooks that read files")
	}
	return nil
}

func summaryLines(s *replay.Summary) []string {
	first := fmt.Sprintf("%s in %s", term.Plural(s.Done, "event"), tookText(s.Duration))
	if s.Done < s.Events {
		first = fmt.Sprintf("stopped after %d of %s", s.Done, term.Plural(s.Events, "event"))
	}
	if counts := summaryCounts(s); len(counts) > 0 {
		first += ": " + strings.Join(counts, ", ")
	}
	lines := []string{first}
	for _, l := range []struct {
		what  string
		names []string
	}{{"new since then", s.New}, {"gone since then", s.GoneText()}, {"not run, since they are async", s.Async}} {
		if len(l.names) > 0 {
			lines = append(lines, l.what+": "+term.Cell(strings.Join(l.names, ", ")))
		}
	}
	return lines
}

// summaryCounts returns the number of events of each kind, as text.
func summaryCounts(s *replay.Summary) []string {
	var parts []string
	count := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	if s.Unchanged+s.Changed+s.Uncertain > 0 {
		parts = append(parts, fmt.Sprintf("%d unchanged", s.Unchanged), fmt.Sprintf("%d changed", s.Changed))
	}
	count(s.Uncertain, "uncertain")
	count(s.NoVerdict, "without a verdict to compare with")
	count(s.Skipped, "skipped")
	for _, v := range slices.Sorted(maps.Keys(s.Verdicts)) {
		count(s.Verdicts[v], v+" now")
	}
	return parts
}

func tookText(ms float64) string {
	if ms < 1000 {
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.1f s", ms/1000)
}

// unknownHook returns an error if no project has the selected hook.
func (r *replaying) unknownHook() error {
	name := r.flags.hook
	if name == "" || r.sum.Known || r.sum.Done == r.sum.Skipped {
		return nil
	}
	const hint = "agent-hooks list shows the hooks"
	if r.sum.WasThere(name) {
		return usagef(hint, "replay: the hook %q was recorded and is gone", name)
	}
	return usagef(near.Hint(hint, "--hook %s", name, replay.Names(r.hooks.Table)), "replay: there is no hook %q", name)
}
