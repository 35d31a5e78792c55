package replay

import (
	"maps"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Summary counts the results of a replay.
type Summary struct {
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
	Shown     []Event        `json:"changes"`
	Verdicts  map[string]int `json:"verdicts,omitempty"` // of the events without a recorded one

	sets map[string]map[string]bool // of names

	Known bool `json:"-"` // some project has the selected hook
	Ran   bool `json:"-"` // some hook ran
}

// Event is a reported event.
type Event struct {
	File      string         `json:"file"`
	Time      *time.Time     `json:"time,omitempty"`
	Event     spec.EventType `json:"event,omitempty"`
	Tool      string         `json:"tool,omitempty"`
	Text      string         `json:"text,omitempty"`
	Project   string         `json:"project,omitempty"`
	Skipped   string         `json:"skipped,omitempty"`
	Uncertain string         `json:"uncertain,omitempty"`
	Hooks     []Change       `json:"hooks,omitempty"`
}

// Add counts a result. hook is the selected hook, "" for all. It returns the warnings that are
// new, and the event to report, nil if there is nothing to report.
func (s *Summary) Add(result Result, hook string) (warnings []string, shown *Event) {
	s.Done++
	s.addNames("async", result.Async...)
	for _, w := range result.Warnings {
		if !s.added("warnings", w) {
			warnings = append(warnings, w)
		}
	}
	s.Known = s.Known || slices.Contains(result.Hooks, hook)
	s.Ran = s.Ran || result.Report != nil && slices.ContainsFunc(result.Report.Hooks, func(h *agenthooks.HookReport) bool { return h.Runs > 0 })
	e := Event{File: result.File, Event: result.Trigger, Skipped: result.Skipped}
	e.Tool, e.Text = Describe(result.Event)
	switch {
	case result.Skipped != "":
		s.Skipped++
	case result.Record == nil:
		s.addVerdicts(&e, result)
		if len(e.Hooks) == 0 {
			return warnings, nil
		}
	default:
		e.Time, e.Project = &result.Record.Time, result.Record.Project
		s.addChanges(&e, result, hook)
		if len(e.Hooks) == 0 {
			return warnings, nil
		}
	}
	s.Shown = append(s.Shown, e)
	return warnings, &e
}

// addVerdicts counts an event without recorded verdicts.
func (s *Summary) addVerdicts(e *Event, result Result) {
	s.NoVerdict++
	if s.Verdicts == nil {
		s.Verdicts = map[string]int{}
	}
	s.Verdicts[DecisionNow(result.Report)]++
	e.Hooks = Verdicts(result.Report)
}

// addChanges counts an event with recorded verdicts.
func (s *Summary) addChanges(e *Event, result Result, hook string) {
	c := result.Compare(hook)
	s.addNames("new", c.New...)
	s.addNames("gone", c.Gone...)
	s.addNames("there", result.Hooks...)
	if !result.ProjectGone { // which has been reported
		for _, name := range c.Gone {
			s.added("gone from "+name, result.Record.Project)
		}
	}
	switch {
	case len(c.Changes) == 0 && c.NotReached && hook != "":
		s.NoVerdict++
		return
	case len(c.Changes) == 0:
		s.Unchanged++
		return
	}
	e.Hooks = c.Changes
	if e.Uncertain = Uncertain(result.Record, hook); e.Uncertain != "" {
		s.Uncertain++
	} else {
		s.Changed++
	}
}

// End completes the summary after the last result.
func (s *Summary) End() {
	s.New, s.Gone, s.Async = s.set("new"), s.gone(), s.set("async")
}

// WasThere reports whether a hook of that name was recorded.
func (s *Summary) WasThere(name string) bool { return s.sets["gone"][name] }

// added adds a word to a set, and reports whether the set contained it.
func (s *Summary) added(set, word string) bool {
	if s.sets == nil {
		s.sets = map[string]map[string]bool{}
	}
	if s.sets[set] == nil {
		s.sets[set] = map[string]bool{}
	}
	there := s.sets[set][word]
	s.sets[set][word] = true
	return there
}

func (s *Summary) addNames(set string, names ...string) {
	for _, name := range names {
		s.added(set, name)
	}
}

// gone lists the hooks that no longer exist in an existing project.
func (s *Summary) gone() []string {
	return slices.DeleteFunc(s.set("gone"), func(name string) bool { return len(s.set("gone from "+name)) == 0 })
}

// GoneText returns the names in Gone. If another project still has a hook of a name, it adds the
// projects that no longer have it.
func (s *Summary) GoneText() (names []string) {
	for _, name := range s.Gone {
		if s.sets["there"][name] {
			name += " (from " + strings.Join(slices.Sorted(maps.Keys(s.sets["gone from "+name])), ", ") + ")"
		}
		names = append(names, name)
	}
	return names
}

func (s *Summary) set(name string) []string { return slices.Sorted(maps.Keys(s.sets[name])) }
