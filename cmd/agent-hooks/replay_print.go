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
	head := []string{term.Cell(e.File), string(e.Event)}
	if e.Tool != "" {
		head = append(head, term.Cell(e.Tool))
	}
	text := line.Line(append(head, term.Cell(e.Text)), func(i int, cell string) string {
		if i == 0 {
			return r.env.style(term.Bold, cell)
		}
		return cell
	})
	for _, v := range e.Hooks {
		about := term.Cell(v.Hook)
		if v.Reason != "" {
			about += ": " + term.Cell(v.Reason)
		}
		text += r.env.paragraph(r.env.Stdout, 4, "  "+r.env.style(outcomeStyle(v.Outcome), v.Verdict)+"  "+about)
	}
	return r.env.print(text)
}

// summary prints the summary of the replay.
func (r *replaying) summary() error {
	s := &r.sum
	if err := r.unknownHook(); err != nil {
		return err
	}
	s.From, s.Events = r.from, len(r.events)
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
		r.env.note("hooks ran in empty directories; --in-place runs them in those of the events, for hooks that read files")
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
	if len(s.Async) > 0 {
		lines = append(lines, "not run, since they are async: "+term.Cell(strings.Join(s.Async, ", ")))
	}
	return lines
}

// summaryCounts returns the number of events of each kind, as text.
func summaryCounts(s *replay.Summary) (parts []string) {
	for _, v := range slices.Sorted(maps.Keys(s.Counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", s.Counts[v], v))
	}
	if s.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", s.Skipped))
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
	if r.flags.hook == "" || r.sum.Known || r.sum.Done == r.sum.Skipped {
		return nil
	}
	return noHook(r.flags.hook, "", r.hooks)
}

// noHook returns the error that --hook names no hook.
func noHook(name, where string, hooks *agenthooks.Hooks) error {
	hint := near.Hint("agent-hooks list shows the hooks", "--hook %s", name, replay.Names(hooks.Table))
	return usagef(hint, "replay: there is no hook %q%s", name, where)
}
