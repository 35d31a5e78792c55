// Package replay runs hooks on recorded events, and compares their verdicts
// with those that they gave when the events were recorded. It prints nothing.
package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Change is a verdict that differs from the recorded one.
type Change struct {
	Hook   string `json:"hook,omitempty"` // "": all hooks together
	Was    string `json:"was,omitempty"`  // "": there is no verdict to compare with
	Now    string `json:"now"`
	Reason string `json:"reason,omitempty"`

	// Before and After are the outcomes that Was and Now describe; "" if a hook did not exist,
	// or does not take part.
	Before, After agenthooks.Outcome `json:"-"`
}

// The values of Was and Now for hooks without a verdict.
const (
	noVerdict  = "none"
	isNew      = "new"
	isGone     = "gone"
	notReached = string(agenthooks.NotReached)
)

// Comparison is how the verdicts on a replayed event differ.
type Comparison struct {
	Changes    []Change
	New        []string // hooks that did not exist then
	Gone       []string // hooks that no longer exist
	NotReached bool     // the selected hook was not reached then
}

// Compare compares the verdicts with the recorded ones: the verdict of the hook named only or, if
// that is "", those of all hooks and the merged verdict.
func (r Result) Compare(only string) Comparison {
	var c Comparison
	was := r.Record.Hooks
	if only != "" {
		was = slices.DeleteFunc(slices.Clone(was), func(h record.Hook) bool { return h.Hook != only })
	}
	for _, now := range r.Report.Hooks {
		i := findRecorded(was, now)
		if i < 0 {
			c.New = append(c.New, now.Hook)
			if v := verdictNow(now); v != noVerdict && v != notReached {
				c.Changes = append(c.Changes, Change{now.Hook, isNew, v, reasonNow(now), "", now.Outcome})
			}
			continue
		}
		before, after := verdictThen(was[i]), verdictNow(now)
		switch {
		case before == notReached:
			c.NotReached = true
		case before != after && after != notReached:
			c.Changes = append(c.Changes, Change{now.Hook, before, after, reasonNow(now), agenthooks.Outcome(was[i].Outcome), now.Outcome})
		case before == after && len(r.Record.Altered) == 0 && was[i].Changes != "" && was[i].Changes != digest(now.Answer):
			c.Changes = append(c.Changes, Change{now.Hook, before, after + ", differently", reasonNow(now), agenthooks.Outcome(was[i].Outcome), now.Outcome})
		}
		was = slices.Delete(slices.Clone(was), i, i+1)
	}
	c.compareGone(was, r)
	if only == "" {
		before, after := DecisionThen(r.Record), DecisionNow(r.Report)
		if before != after {
			c.Changes = append(c.Changes, Change{Was: before, Now: after, Before: agenthooks.Outcome(before), After: agenthooks.Outcome(after)})
		}
	}
	return c
}

func digest(a protocol.Answer) string {
	return record.Digest(a.ModifiedInput, a.UpdatedOutput, a.ModifiedPrompt)
}

// compareGone compares the recorded verdicts of hooks that no longer take part.
func (c *Comparison) compareGone(was []record.Hook, r Result) {
	for _, h := range was {
		if h.Async {
			continue
		}
		now, why := "skipped", ""
		if !slices.Contains(r.Hooks, h.Hook) {
			now = isGone
			c.Gone = append(c.Gone, h.Hook)
			if r.ProjectGone {
				why = "with its project"
			}
		}
		if v := verdictThen(h); v != noVerdict && v != notReached {
			c.Changes = append(c.Changes, Change{h.Hook, v, now, why, agenthooks.Outcome(h.Outcome), ""})
		}
	}
}

// findRecorded returns the index of a hook among the recorded ones, preferably one of the same
// scope; -1 if there is none.
func findRecorded(was []record.Hook, now *agenthooks.HookReport) int {
	i := slices.IndexFunc(was, func(h record.Hook) bool { return h.Hook == now.Hook && h.Scope == now.Scope })
	if i >= 0 {
		return i
	}
	return slices.IndexFunc(was, func(h record.Hook) bool { return h.Hook == now.Hook })
}

// verdictThen describes a hook's recorded verdict. A hook that did not match counts as one
// without a decision.
func verdictThen(h record.Hook) string {
	return verdictText(h.Outcome, h.Decision, h.Modified)
}

func verdictNow(h *agenthooks.HookReport) string {
	return verdictText(string(h.Outcome), h.Effect(), h.Answer.ModifiedInput != nil)
}

func verdictText(outcome, decision string, modified bool) string {
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

// DecisionThen returns the merged decision of all hooks when r was recorded.
func DecisionThen(r *record.Record) string {
	if r.Blocked {
		return string(agenthooks.OutcomeDeny)
	}
	return cmp.Or(r.Decision, noVerdict)
}

// DecisionNow returns the merged decision of all hooks now.
func DecisionNow(report *agenthooks.Report) string {
	return DecisionThen(&record.Record{Blocked: report.Blocked, Decision: string(report.Answer.Decision)})
}

// reasonNow returns the reason for a hook's verdict.
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
		if h.Saw == "" {
			return "disabled"
		}
		return "disabled: " + h.Saw
	case h.Saw != "":
		return h.Saw
	}
	return string(h.Failed)
}

// Uncertain explains why the event differs from the one that the hooks saw; "" if it does not.
func Uncertain(r *record.Record, only string) string {
	if len(r.Altered) > 0 {
		var parts []string
		for _, a := range r.Altered[:min(len(r.Altered), 3)] {
			parts = append(parts, strings.TrimSpace(a.At+" "+howAltered(a)))
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

func howAltered(a record.Alteration) string {
	if a.How == "cut" || a.At == "" {
		return a.How
	}
	return "redacted (" + a.How + ")"
}

// Verdicts lists the hooks' verdicts on an event without recorded verdicts.
func Verdicts(report *agenthooks.Report) []Change {
	var all []Change
	for _, h := range report.Hooks {
		if v := verdictNow(h); v != noVerdict && v != notReached {
			all = append(all, Change{Hook: h.Hook, Now: v, Reason: reasonNow(h), After: h.Outcome})
		}
	}
	return all
}
