package main

import (
	"fmt"
	"path/filepath"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/lint"
	"github.com/agent-hooks/agent-hooks/internal/nearest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// explain adds to each hook that does not run what little would have to
// change, and looks whether the others can be started. Another trigger is
// proposed only for a hook that was asked about.
func (env *Env) explain(plan *agenthooks.Plan, rows []planRow, asked bool) {
	subject := plan.Subject()
	values := nearest.Values(subject.Text)
	for i := range rows {
		r := &rows[i]
		hook := r.row.Hook
		m := nearest.Matcher{Tool: hook.Tool, Pattern: hook.Pattern, Subject: subject}
		switch r.Failed {
		case agenthooks.ToolMatch, agenthooks.InputMatch:
			r.explainMatcher(m, values)
		case agenthooks.Trigger:
			if asked && hook.State == discovery.Active {
				r.explainTrigger(plan.Event.Type, m)
			}
		case agenthooks.Replaced:
			r.Hint = "`protect = [\"" + r.Hook + "\"]` under [hooks] in your hooks.toml keeps your hook; so does another name"
		case "":
			r.start(env.Getenv("PATH"))
		case agenthooks.Enabled:
			r.Hint = "take it out there, and the hook runs again"
		}
	}
}

// start looks whether a hook that is to run can be started.
func (r *planRow) start(path string) {
	hook := r.row.Hook
	for _, d := range hook.Startable(path) {
		r.Verdict, r.Failed, r.Saw = fails, agenthooks.Startable, d.Path
		r.Because = fmt.Sprintf("%s: %s (on-failure: %s)", d.Path, d.Message, hook.OnFailure)
		return
	}
	if entry, err := hook.Entry(path); err == nil && entry.NotExecutable {
		r.Because += "; started through " + starter(entry) + ", since scripts/" + filepath.Base(entry.Script) + " is not executable"
	}
}

// starter names the program that is given the script, with its arguments.
func starter(e discovery.Entry) string {
	return strings.Join(append([]string{filepath.Base(e.Argv[0])}, e.Argv[1:len(e.Argv)-1]...), " ")
}

// mostTold is how much of a value is told to programs, in bytes.
const mostTold = 200

// explainMatcher looks for the change of the matcher, and the value that came
// closest to its pattern.
func (r *planRow) explainMatcher(m nearest.Matcher, values []nearest.Value) {
	part := string(r.Failed)
	if r.Failed == agenthooks.InputMatch {
		r.values = values
		if closest, ok := m.Closest(values); ok {
			r.closest = &closest
			told := closest
			told.Value = around(closest.Value, closest.Begin, closest.End, mostTold)
			r.Closest = &told
		}
	}
	change, ok := m.Find(part)
	if !ok {
		r.Hint = slipHint(part, m)
		return
	}
	r.Change = &change
	r.Hint = "`" + part + ": " + yamlText(change.To) + "` would match: " + change.Why
	if change.Left != "" {
		r.Hint += "; but then matcher." + change.Left + " is not found either"
	}
}

// slipHint says what is odd about a part of the matcher that no small change
// mends.
func slipHint(part string, m nearest.Matcher) string {
	check, source := lint.Pattern, m.Pattern
	if part == "tool" {
		check, source = lint.Tool, m.Tool
	}
	for _, f := range check(source) {
		if f.Code == lint.Unknown || f.Code == lint.Never {
			return "matcher." + part + " " + f.Message
		}
	}
	return ""
}

// explainTrigger proposes the event as the trigger, if it is of the same kind
// and the hook would then match.
func (r *planRow) explainTrigger(event spec.Event, m nearest.Matcher) {
	this, _ := spec.Info(event)
	other, _ := spec.Info(r.row.Hook.Trigger)
	if this.Category != other.Category || event.IsTool() && !m.Matches() {
		return
	}
	change := nearest.Change{Part: "trigger", Kind: "event", To: string(event), Why: "it is of the same kind"}
	if event.IsTool() {
		change.Why = "the event has the same tool and input"
	}
	r.Change = &change
	r.Hint = "`trigger: " + change.To + "` would match: " + change.Why
}

// yamlText spells an expression as it may stand in a HOOK.md: as it is where
// YAML takes that for a string.
func yamlText(s string) string {
	const special = "-?:,[]{}#&*!|>'\"%@`~=<+.0123456789 "
	words := " true false null yes no on off y n "
	plain := s != "" && !strings.ContainsAny(s[:1], special) && !strings.ContainsAny(s[len(s)-1:], " :") &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.Contains(words, " "+strings.ToLower(s)+" ") && printable(s) == s
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// inQuotes quotes an expression as it is, with quotes that do not stand in it.
func inQuotes(s string) string {
	if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	return `"` + s + `"`
}
