package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/replay"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// replaySum is the summary of a replay.
type replaySum struct {
	Directory string         `json:"directory"`
	Events    int            `json:"events"`
	Done      int            `json:"done"` // fewer if it was stopped
	Unchanged int            `json:"unchanged"`
	Changed   int            `json:"changed"`
	Uncertain int            `json:"uncertain"`  // changed, possibly because the record is incomplete
	NoVerdict int            `json:"no_verdict"` // events without a recorded verdict
	Skipped   int            `json:"skipped"`
	Duration  float64        `json:"duration_ms"`
	New       []string       `json:"new_hooks"`
	Gone      []string       `json:"gone_hooks"`
	Async     []string       `json:"async_hooks"` // skipped
	Shown     []shownEvent   `json:"changes"`
	Verdicts  map[string]int `json:"verdicts,omitempty"` // of the events without a recorded one

	sets  map[string]map[string]bool // of names
	known bool                       // some project has the selected hook
	ran   bool                       // some hook ran
}

// shownEvent is a reported event.
type shownEvent struct {
	File      string          `json:"file"`
	Time      *time.Time      `json:"time,omitempty"`
	Event     spec.EventType  `json:"event,omitempty"`
	Tool      string          `json:"tool,omitempty"`
	Text      string          `json:"text,omitempty"`
	Project   string          `json:"project,omitempty"`
	Skipped   string          `json:"skipped,omitempty"`
	Uncertain string          `json:"uncertain,omitempty"`
	Hooks     []replay.Change `json:"hooks,omitempty"`
}

// take counts a result, and reports it if it is relevant.
func (r *replaying) take(result replayed) error {
	s := &r.sum
	s.Done++
	r.addNames("async", result.async...)
	for _, w := range result.warnings {
		if !r.added("warnings", w) {
			r.clearProgress()
			r.env.warn("%s", w)
		}
	}
	s.known = s.known || slices.Contains(result.hooks, r.flags.hook)
	s.ran = s.ran || result.report != nil && slices.ContainsFunc(result.report.Hooks, func(h *agenthooks.HookReport) bool { return h.Runs > 0 })
	e := shownEvent{File: result.file, Event: result.trigger, Tool: result.tool, Text: result.text, Skipped: result.skipped}
	switch {
	case result.skipped != "":
		s.Skipped++
		r.clearProgress()
		r.env.warn("%s is skipped: %s", result.file, result.skipped)
		s.Shown = append(s.Shown, e)
		return nil
	case result.record == nil:
		return r.takeVerdicts(e, result)
	}
	e.Time, e.Project = &result.record.Time, result.record.Project
	return r.takeChanges(e, result)
}

func (r *replaying) takeVerdicts(e shownEvent, result replayed) error {
	s := &r.sum
	s.NoVerdict++
	if s.Verdicts == nil {
		s.Verdicts = map[string]int{}
	}
	s.Verdicts[replay.DecisionNow(result.report)]++
	if e.Hooks = replay.Verdicts(result.report); len(e.Hooks) == 0 {
		return nil
	}
	return r.show(e)
}

func (r *replaying) takeChanges(e shownEvent, result replayed) error {
	s := &r.sum
	c := replay.Replayed{Record: result.record, Report: result.report, Hooks: result.hooks, ProjectGone: result.projectGone}.Compare(r.flags.hook)
	r.addNames("new", c.New...)
	r.addNames("gone", c.Gone...)
	r.addNames("there", result.hooks...)
	if !result.projectGone { // which has been reported
		for _, name := range c.Gone {
			r.added("gone from "+name, result.record.Project)
		}
	}
	switch {
	case len(c.Changes) == 0 && c.NotReached && r.flags.hook != "":
		s.NoVerdict++
		return nil
	case len(c.Changes) == 0:
		s.Unchanged++
		return nil
	}
	e.Hooks = c.Changes
	if e.Uncertain = replay.Uncertain(result.record, r.flags.hook); e.Uncertain != "" {
		s.Uncertain++
	} else {
		s.Changed++
	}
	return r.show(e)
}

// added adds a word to a set, and reports whether the set contained it.
func (r *replaying) added(set, word string) bool {
	if r.sum.sets == nil {
		r.sum.sets = map[string]map[string]bool{}
	}
	if r.sum.sets[set] == nil {
		r.sum.sets[set] = map[string]bool{}
	}
	there := r.sum.sets[set][word]
	r.sum.sets[set][word] = true
	return there
}

func (r *replaying) addNames(set string, names ...string) {
	for _, name := range names {
		r.added(set, name)
	}
}

// gone lists the hooks that no longer exist in an existing project.
func (r *replaying) gone() []string {
	return slices.DeleteFunc(r.set("gone"), func(name string) bool { return len(r.set("gone from "+name)) == 0 })
}

// goneText names these hooks, with the projects from which they are gone if another project
// still has them.
func (s *replaySum) goneText() (names []string) {
	for _, name := range s.Gone {
		if s.sets["there"][name] {
			name += " (from " + strings.Join(slices.Sorted(maps.Keys(s.sets["gone from "+name])), ", ") + ")"
		}
		names = append(names, name)
	}
	return names
}

func (r *replaying) set(name string) []string { return slices.Sorted(maps.Keys(r.sum.sets[name])) }

// show prints an event and the hooks' verdicts on it.
func (r *replaying) show(e shownEvent) error {
	r.sum.Shown = append(r.sum.Shown, e)
	if r.flags.json {
		return nil
	}
	r.clearProgress()
	line := term.Columns{Most: r.env.width(r.env.Stdout)}
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
			return r.env.paint(r.env.Stdout, term.Bold, cell)
		}
		return cell
	})
	for _, c := range e.Hooks {
		text += r.env.paragraph(r.env.Stdout, 4, "  "+r.env.paint(r.env.Stdout, changeStyle(c), arrowText(c))+"  "+aboutText(c))
	}
	if e.Uncertain != "" {
		text += r.env.paragraph(r.env.Stdout, 4, "  uncertain: "+term.Cell(e.Uncertain))
	}
	_, err := fmt.Fprint(r.env.Stdout, text)
	return err
}

// arrowText formats a change: the old and the new verdict.
func arrowText(c replay.Change) string {
	if c.Was == "" {
		return c.Now
	}
	return c.Was + " → " + c.Now
}

// aboutText returns whose verdict it is, and the reason.
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
	s.New, s.Gone, s.Async = r.set("new"), r.gone(), r.set("async")
	if r.flags.json {
		if s.Shown == nil {
			s.Shown = []shownEvent{}
		}
		return r.env.printJSON(s)
	}
	for _, line := range s.lines() {
		if _, err := fmt.Fprint(r.env.Stdout, r.env.paragraph(r.env.Stdout, 2, line)); err != nil {
			return err
		}
	}
	if len(s.Shown) > s.Skipped && s.ran && !r.flags.inPlace {
		r.env.note("hooks ran in empty directories; for one that looks at files, --in-place runs it in the recorded ones")
	}
	return nil
}

func (s *replaySum) lines() []string {
	first := fmt.Sprintf("%s in %s", plural(s.Done, "event"), tookText(s.Duration))
	if s.Done < s.Events {
		first = fmt.Sprintf("stopped after %d of %s", s.Done, plural(s.Events, "event"))
	}
	if counts := s.counts(); len(counts) > 0 {
		first += ": " + strings.Join(counts, ", ")
	}
	lines := []string{first}
	for _, l := range []struct {
		what  string
		names []string
	}{{"new since then", s.New}, {"gone since then", s.goneText()}, {"not run, since they are async", s.Async}} {
		if len(l.names) > 0 {
			lines = append(lines, l.what+": "+term.Cell(strings.Join(l.names, ", ")))
		}
	}
	return lines
}

// counts returns the number of events of each kind, as text.
func (s *replaySum) counts() []string {
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
	if name == "" || r.sum.known || r.sum.Done == r.sum.Skipped {
		return nil
	}
	if slices.Contains(r.set("gone"), name) {
		return usagef("agent-hooks list shows the hooks", "replay: the hook %q was recorded and is gone", name)
	}
	hint := "agent-hooks list shows the hooks"
	if near, ok := spec.Nearest(name, namesOf(r.hooks.Table)); ok {
		hint = fmt.Sprintf("did you mean --hook %s?", term.Cell(near))
	}
	return usagef(hint, "replay: there is no hook %q", name)
}
