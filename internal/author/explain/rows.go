package explain

import (
	"errors"
	"fmt"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Row explains one row of a plan.
type Row struct {
	Hook    string               `json:"hook"`           // the name of its folder
	Name    string               `json:"name,omitempty"` // the name in its HOOK.md, if it differs
	Scope   string               `json:"scope"`
	File    string               `json:"file"`
	Verdict Verdict              `json:"verdict"`
	Failed  agenthooks.Condition `json:"failed_condition,omitempty"`
	Saw     string               `json:"saw,omitempty"`
	Because string               `json:"because"`
	// The smallest change, if there is a simple one.
	Hint   string         `json:"hint,omitempty"`
	Change *advice.Change `json:"change,omitempty"`
	// Besides is a probable mistake in the pattern that is not the cause.
	Besides string `json:"besides,omitempty"`
	// Note is about what the pattern is searched in, such as why it cannot be read, or about the
	// script.
	Note string `json:"note,omitempty"`
	// Errors are those in the HOOK.md of a hook that runs nevertheless.
	Errors []string `json:"errors,omitempty"`

	Plan   *agenthooks.Row `json:"-"` // the explained row
	Values []advice.Value  `json:"-"` // the first values of the event, if the pattern failed
	Total  int             `json:"-"` // the number of all values
}

// Verdict is the decision on a hook for an event.
type Verdict string

// The verdicts.
const (
	Runs    Verdict = "runs"
	Skipped Verdict = "skipped"
	Fails   Verdict = "fails"
)

// Rows explains the rows of a plan and others, only those of one hook if only is not "".
func Rows(plan *agenthooks.Plan, others []*agenthooks.Row, only string) []Row {
	rows := []Row{}
	for _, row := range append(plan.Rows[:len(plan.Rows):len(plan.Rows)], others...) {
		name := row.Hook.Shown()
		if only != "" && only != name && only != row.Hook.Folder {
			continue
		}
		r := Row{Hook: name, Name: row.Hook.OtherName(), Scope: string(row.Hook.Scope), File: row.Hook.File, Verdict: Skipped, Failed: row.Failed, Saw: row.Saw,
			Because: Because(row), Errors: Errors(row.Hook), Plan: row}
		switch {
		case row.Runs:
			r.Verdict = Runs
		case row.Failure != nil:
			r.Verdict = Fails
		}
		rows = append(rows, r)
	}
	return rows
}

// Because returns the reason for a row's verdict: the condition, and the value that was seen.
func Because(row *agenthooks.Row) string {
	hook := row.Hook
	switch row.Failed {
	case agenthooks.Trigger:
		if hook.Trigger == "" {
			return "its trigger cannot be read: " + hook.TriggerCause()
		}
		return fmt.Sprintf("its trigger is %s, not %s", hook.Trigger, row.Saw)
	case agenthooks.Enabled:
		return "disabled: " + row.Saw
	case agenthooks.Replaced, agenthooks.Trusted:
		return row.Saw
	case agenthooks.Operation:
		return fmt.Sprintf("its native-event is %v; this is %s", hook.Metadata["native-event"], row.Saw)
	case agenthooks.ToolMatch:
		return fmt.Sprintf("matcher.tool %s is not found in %s", InQuotes(hook.Tool), row.Saw)
	case agenthooks.InputMatch:
		return fmt.Sprintf("matcher.pattern %s is not found in %s%s", InQuotes(hook.Pattern), searched(hook), row.Saw)
	case agenthooks.WhenMatch:
		return "metadata.when is not found in " + row.Saw
	}
	if row.Failure != nil {
		return fmt.Sprintf("%s (%s)", failure(row), policy(hook))
	}
	return matched(row)
}

// failure returns why a hook cannot run, with the position of an error in its HOOK.md.
func failure(row *agenthooks.Row) string {
	var broken *matcher.Error
	if errors.As(row.Failure, &broken) {
		return fmt.Sprintf("invalid hook: %s %s: %v", broken.Part, InQuotes(broken.Source), broken.Err)
	}
	if d := row.Hook.Wrong; row.Failed == agenthooks.Valid && d != nil && d.Line > 0 {
		return fmt.Sprintf("invalid hook: %s:%d:%d: %s", d.Path, d.Line, d.Column, d.Message)
	}
	return row.Failure.Error()
}

// policy describes the effect of a failure.
func policy(h *discovery.Hook) string {
	if p := h.Policy(); p != h.OnFailure {
		return fmt.Sprintf("metadata.answer: %s", p)
	}
	return fmt.Sprintf("on-failure: %s", h.OnFailure)
}

// searched names what a hook's pattern is searched in, if not in the values.
func searched(h *discovery.Hook) string {
	switch h.Match {
	case manifest.Commands, manifest.Pipelines, manifest.Paths:
		return "the " + string(h.Match) + " "
	}
	return ""
}

// answers describes a constant answer.
func answers(row *agenthooks.Row) string {
	a := row.Hook.Answer
	switch {
	case a == nil:
		return ""
	case row.Passed != "":
		return ""
	case row.Unvouched != "":
		return "; its allow does not count: " + row.Unvouched
	case a.Decision == "":
		return "; it answers without a script"
	}
	return fmt.Sprintf("; it answers %s without a script", a.Decision)
}

func matched(row *agenthooks.Row) string {
	var parts []string
	if row.Hook.Tool != "" {
		parts = append(parts, "matcher.tool "+InQuotes(row.Hook.Tool))
	}
	if row.Hook.Pattern != "" {
		parts = append(parts, "matcher.pattern "+InQuotes(row.Hook.Pattern))
	}
	text := "it has no matcher"
	if len(parts) > 0 {
		text = strings.Join(parts, " and ") + " matched"
	}
	if row.Found != "" && searched(row.Hook) != "" {
		text += " in `" + row.Found + "`"
	}
	if row.Hook.Async {
		text += "; async, so it cannot block"
	}
	switch {
	case !row.Hook.Trigger.IsTool():
		text = "its trigger is the event"
	case row.Passed != "":
		text = "whether matcher.pattern " + InQuotes(row.Hook.Pattern) + " matches cannot be decided, so it passes (metadata.undecided): " + row.Passed
	case row.Warning != "":
		verb := " match"
		if len(parts) == 1 {
			verb = " matches"
		}
		text = "whether " + strings.Join(parts, " and ") + verb + " cannot be decided, so it runs: " + row.Warning
	}
	text += answers(row)
	if row.Guessed != "" {
		text += " (" + row.Guessed + ")"
	}
	if notice := row.Hook.News(); notice != "" {
		text += "; " + notice
	}
	if row.Hook.Observe {
		text += "; it is only observed: it decides and changes nothing"
	}
	return text
}

// Errors returns the errors in the HOOK.md of a hook that runs nevertheless, and
// another hook with its name.
func Errors(h *discovery.Hook) []string {
	var texts []string
	for _, d := range h.Diagnostics {
		if (d.Severity == spec.Error || d.Code == "name-same") && h.State == discovery.Active {
			texts = append(texts, d.String())
		}
	}
	return texts
}
