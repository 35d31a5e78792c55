package replay

import (
	"cmp"
	"maps"
	"slices"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Summary counts the results of a replay.
type Summary struct {
	From     string         `json:"from"` // the file or directory
	Events   int            `json:"events"`
	Done     int            `json:"done"` // fewer if it was stopped
	Skipped  int            `json:"skipped"`
	Duration float64        `json:"duration_ms"`
	Async    []string       `json:"async_hooks"` // skipped
	Shown    []Event        `json:"verdicts"`
	Counts   map[string]int `json:"counts"` // of events, by the merged decision

	sets map[string]map[string]bool // of names

	Known bool `json:"-"` // some project has the selected hook
	Ran   bool `json:"-"` // some hook ran
}

// Event is a reported event.
type Event struct {
	File    string         `json:"file"`
	Event   spec.EventType `json:"event,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	Text    string         `json:"text,omitempty"`
	Skipped string         `json:"skipped,omitempty"`
	Hooks   []Verdict      `json:"hooks,omitempty"`
}

// Verdict is what a hook did on an event.
type Verdict struct {
	Hook    string             `json:"hook"`
	Verdict string             `json:"verdict"`
	Reason  string             `json:"reason,omitempty"`
	Outcome agenthooks.Outcome `json:"-"`
}

// NoVerdict is the verdict of a hook without a decision, and the decision without a hook's.
const NoVerdict = "none"

// Add counts a result. hook is the selected hook, "" for all. It returns the warnings that are
// new, and the event to report, nil if there is nothing to report.
func (s *Summary) Add(result Result, hook string) (warnings []string, shown *Event) {
	s.Done++
	for _, name := range result.Async {
		s.added("async", name)
	}
	for _, w := range result.Warnings {
		if !s.added("warnings", w) {
			warnings = append(warnings, w)
		}
	}
	s.Known = s.Known || slices.Contains(result.Hooks, hook)
	s.Ran = s.Ran || result.Report != nil && slices.ContainsFunc(result.Report.Hooks, func(h *agenthooks.HookReport) bool { return h.Runs > 0 })
	e := Event{File: result.File, Event: result.Trigger, Skipped: result.Skipped}
	e.Tool, e.Text = Describe(result.Event)
	if result.Skipped != "" {
		s.Skipped++
	} else {
		if s.Counts == nil {
			s.Counts = map[string]int{}
		}
		s.Counts[decision(result.Report)]++
		if e.Hooks = verdicts(result.Report); len(e.Hooks) == 0 {
			return warnings, nil
		}
	}
	s.Shown = append(s.Shown, e)
	return warnings, &e
}

// decision returns the merged decision of all hooks.
func decision(report *agenthooks.Report) string {
	if report.Blocked {
		return string(agenthooks.OutcomeDeny)
	}
	return cmp.Or(string(report.Answer.Decision), NoVerdict)
}

// verdicts lists the hooks' verdicts on an event.
func verdicts(report *agenthooks.Report) []Verdict {
	var all []Verdict
	for _, h := range report.Hooks {
		if v := verdictText(h); v != NoVerdict && h.Outcome != agenthooks.NotReached {
			reason := h.Cause
			if reason == "" {
				reason = h.Answer.Reason
			}
			all = append(all, Verdict{h.Hook, v, reason, h.Outcome})
		}
	}
	return all
}

func verdictText(h *agenthooks.HookReport) string {
	text := string(h.Outcome)
	switch h.Outcome {
	case agenthooks.NotConcerned, agenthooks.OutcomeNone, agenthooks.Started:
		text = NoVerdict
	case agenthooks.Failed, agenthooks.TimedOut:
		text += map[string]string{"allow": ", operation allowed", "deny": ", blocked", "ask": ", the user asked"}[h.Effect()]
	}
	switch {
	case h.Answer.ModifiedInput != nil && text == NoVerdict:
		return "changed input"
	case h.Answer.ModifiedInput != nil:
		return text + ", changed input"
	}
	return text
}

// End completes the summary after the last result.
func (s *Summary) End() { s.Async = slices.Sorted(maps.Keys(s.sets["async"])) }

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
