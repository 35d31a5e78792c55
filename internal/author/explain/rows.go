// Package explain puts into words why a hook runs on an event or does not, what it answered, and
// the smallest change with which it would run. It is used by why, serve and
// watch. It runs nothing and prints nothing.
package explain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/term"
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
	if row.Failure == nil {
		return matched(row)
	}
	why := row.Failure.Error()
	var broken *matcher.Error
	if d := hook.Wrong; errors.As(row.Failure, &broken) {
		why = fmt.Sprintf("invalid hook: %s %s: %v", broken.Part, InQuotes(broken.Source), broken.Err)
	} else if row.Failed == agenthooks.Valid && d != nil && d.Line > 0 { // an error in its HOOK.md
		why = fmt.Sprintf("invalid hook: %s:%d:%d: %s", d.Path, d.Line, d.Column, d.Message)
	}
	return fmt.Sprintf("%s (%s)", why, policy(hook))
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

// matched describes why a hook runs, and what then has effect.
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
	switch a := row.Hook.Answer; {
	case a == nil || row.Passed != "":
	case row.Unvouched != "":
		text += "; its allow does not count: " + row.Unvouched
	case a.Decision == "":
		text += "; it answers without a script"
	default:
		text += fmt.Sprintf("; it answers %s without a script", a.Decision)
	}
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

// Outcome returns the name of an outcome for messages.
func Outcome(o agenthooks.Outcome) string {
	if o == agenthooks.OutcomeNone {
		return "no opinion"
	}
	return string(o)
}

// Reason returns the reason for the outcome on one line; "" if there is none.
func Reason(h *agenthooks.HookReport) string {
	if h.Status == spec.ExitBlock && h.Cause == "" {
		return "" // the reason is on stderr
	}
	return cmp.Or(h.Cause, h.Answer.Reason)
}

// maxExpression is the maximum width of an expression in a reason, in columns: a guard's may have
// hundreds, and its HOOK.md shows them.
const maxExpression = 120

// InQuotes shortens an expression, and quotes it with quotes that do not occur in it.
func InQuotes(s string) string {
	s = Shown(strings.ReplaceAll(s, "\b", `\x08`)) // \b has another meaning in an expression
	s = term.CutTo(s, maxExpression)
	if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	return `"` + s + `"`
}

// Shown makes text from a hook or an event printable on one line, with tabs and newlines as
// escapes.
func Shown(s string) string { return term.Printable(strings.ReplaceAll(s, "\t", `\t`)) }

// Begin makes text printable on one line and shortens it to limit columns.
func Begin(text string, limit int) string {
	first := text[:min(len(text), 4*limit)] // the rest is not shown
	line := Shown(strings.ToValidUTF8(first, "\ufffd"))
	if len(first) < len(text) {
		line += " "
	}
	return term.CutTo(line, limit)
}

// Use is a path that a call uses, by its one name, and in which ways (D95).
type Use struct {
	Path   string
	Access manifest.Access
}

// Uses lists the paths that the call of a plan's event uses. note is the reason why there may be
// others; "" if there are none.
func Uses(plan *agenthooks.Plan) (uses []Use, note string) {
	for access := manifest.Read; access <= manifest.RemoveTree; access <<= 1 {
		var names []string
		names, note = plan.Passages(&discovery.Hook{Hook: manifest.Hook{Match: manifest.Paths, Access: access}})
		for _, name := range names {
			i := slices.IndexFunc(uses, func(u Use) bool { return u.Path == name })
			if i < 0 {
				i, uses = len(uses), append(uses, Use{Path: name})
			}
			uses[i].Access |= access
		}
	}
	return uses, note
}

// Invalid describes how run treats a hook whose HOOK.md is invalid (D5): run does not use the
// last valid version, which watch keeps.
func Invalid(kept *discovery.Hook) string {
	now := discovery.ReadHook(kept.Dir, kept.Scope)
	if !now.Trigger.Valid() {
		return "agents now run without this hook: its trigger cannot be read"
	}
	policy := now.OnFailure
	if !now.OnFailureSet && !kept.OnFailureSet {
		policy = kept.OnFailure // of hooks.toml
	}
	switch policy {
	case manifest.Deny:
		return fmt.Sprintf("agents are now blocked at every %s (on-failure: deny)", now.Trigger)
	case manifest.Ask:
		return fmt.Sprintf("agents now ask the user at every %s (on-failure: ask)", now.Trigger)
	}
	return fmt.Sprintf("agents now run without this hook: every %s is allowed, with a warning", now.Trigger)
}
