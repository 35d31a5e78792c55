package main

import (
	"fmt"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/record"
)

// hookChange is a verdict that is another one than it was.
type hookChange struct {
	Hook   string `json:"hook,omitempty"` // "": all hooks together
	Was    string `json:"was,omitempty"`  // "": there is no verdict to compare with
	Now    string `json:"now"`
	Reason string `json:"reason,omitempty"`
}

// The verdicts that are none.
const (
	noVerdict  = "none"
	isNew      = "new"
	isGone     = "gone"
	notReached = string(agenthooks.NotReached)
)

// compared is what a replayed event shows.
type compared struct {
	changes    []hookChange
	fresh      []string // hooks that were not there
	gone       []string // hooks that are not there any more
	notReached bool     // the hook that is asked for was not reached then
}

// compare returns how the verdicts differ from the recorded ones.
func (r replayed) compare(only string) compared {
	var c compared
	was := r.record.Hooks
	if only != "" {
		was = slices.DeleteFunc(slices.Clone(was), func(h record.Hook) bool { return h.Hook != only })
	}
	for _, now := range r.report.Hooks {
		i := findRecorded(was, now)
		if i < 0 {
			c.fresh = append(c.fresh, now.Hook)
			if v := verdictNow(now); v != noVerdict && v != notReached {
				c.changes = append(c.changes, hookChange{now.Hook, isNew, v, reasonNow(now)})
			}
			continue
		}
		before, after := verdictThen(was[i]), verdictNow(now)
		was = slices.Delete(slices.Clone(was), i, i+1)
		switch {
		case before == notReached:
			c.notReached = true
		case before != after && after != notReached:
			c.changes = append(c.changes, hookChange{now.Hook, before, after, reasonNow(now)})
		}
	}
	c.compareGone(was, r)
	if only == "" {
		before, after := decisionOf(r.record), decisionNow(r.report)
		if before != after {
			c.changes = append(c.changes, hookChange{Was: before, Now: after})
		}
	}
	return c
}

// compareGone looks at what was recorded of hooks that no longer take part.
func (c *compared) compareGone(was []record.Hook, r replayed) {
	for _, h := range was {
		if h.Async {
			continue
		}
		now, why := "passed over", ""
		if !slices.Contains(r.hooks, h.Hook) {
			now = isGone
			c.gone = append(c.gone, h.Hook)
			if r.projectGone {
				why = "with its project"
			}
		}
		if v := verdictThen(h); v != noVerdict && v != notReached {
			c.changes = append(c.changes, hookChange{h.Hook, v, now, why})
		}
	}
}

// findRecorded returns the place of a hook among the recorded ones, best that
// of its scope; -1 if there is none.
func findRecorded(was []record.Hook, now *agenthooks.HookReport) int {
	i := slices.IndexFunc(was, func(h record.Hook) bool { return h.Hook == now.Hook && h.Scope == now.Scope })
	if i >= 0 {
		return i
	}
	return slices.IndexFunc(was, func(h record.Hook) bool { return h.Hook == now.Hook })
}

// verdictThen spells what a hook said when it was recorded. One that it did
// not concern said as little as one without an opinion.
func verdictThen(h record.Hook) string {
	return spellVerdict(h.Outcome, h.Decision, h.Modified)
}

func verdictNow(h *agenthooks.HookReport) string {
	return spellVerdict(string(h.Outcome), h.Effect(), h.Answer.ModifiedInput != nil)
}

func spellVerdict(outcome, decision string, modified bool) string {
	text := outcome
	switch agenthooks.Outcome(outcome) {
	case agenthooks.NotConcerned, agenthooks.OutcomeNone, agenthooks.Started:
		text = noVerdict
	case agenthooks.Failed, agenthooks.TimedOut:
		text += map[string]string{"allow": ", operation allowed", "deny": ", blocked", "ask": ", the user asked"}[decision]
	}
	switch {
	case modified && text == noVerdict:
		return "changed input"
	case modified:
		return text + ", changed input"
	}
	return text
}

func decisionNow(report *agenthooks.Report) string {
	return decisionOf(&record.Record{Blocked: report.Blocked, Decision: string(report.Answer.Decision)})
}

// reasonNow is why a hook says what it says.
func reasonNow(h *agenthooks.HookReport) string {
	switch {
	case h.Cause != "":
		return h.Cause
	case h.Outcome != agenthooks.NotConcerned:
		return h.Answer.Reason
	case h.Failed == agenthooks.ToolMatch:
		return "matcher.tool does not match"
	case h.Failed == agenthooks.InputMatch:
		return "matcher.pattern does not match"
	case h.Failed == agenthooks.Enabled:
		return strings.TrimSuffix("disabled: "+h.Saw, ": ")
	case h.Saw != "":
		return h.Saw
	}
	return string(h.Failed)
}

// uncertain says why the event is not quite the one that the hooks saw; "" if
// it is.
func uncertain(r *record.Record, only string) string {
	if len(r.Altered) > 0 {
		var parts []string
		for _, a := range r.Altered[:min(len(r.Altered), 3)] {
			parts = append(parts, strings.TrimSpace(a.At+" "+howAltered(a.How)))
		}
		if more := len(r.Altered) - len(parts); more > 0 {
			parts = append(parts, fmt.Sprintf("%d more", more))
		}
		return "the record is not the whole event: " + strings.Join(parts, ", ")
	}
	if only != "" && slices.ContainsFunc(r.Hooks, func(h record.Hook) bool { return h.Modified && h.Hook != only }) {
		return "another hook had changed the input"
	}
	return ""
}

func howAltered(how string) string {
	if how == "cut" || strings.HasSuffix(how, " more") {
		return how
	}
	return "redacted (" + how + ")"
}

// verdictsNow lists what hooks say of an event that has no recorded verdicts.
func verdictsNow(report *agenthooks.Report) []hookChange {
	var all []hookChange
	for _, h := range report.Hooks {
		if v := verdictNow(h); v != noVerdict && v != notReached {
			all = append(all, hookChange{Hook: h.Hook, Now: v, Reason: reasonNow(h)})
		}
	}
	return all
}
