package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/spec"
)

// explain adds the smallest change to each hook that does not run, and checks whether the
// others can be started. It proposes another trigger only for a named hook.
func (env *Env) explain(plan *agenthooks.Plan, rows []planRow, asked bool) {
	subject := plan.Subject()
	values, total := advice.Values(subject.Text)
	for i := range rows {
		r := &rows[i]
		hook := r.row.Hook
		m := advice.Matcher{Tool: hook.Tool, Pattern: hook.Pattern, Subject: subject}
		switch r.Failed {
		case agenthooks.ToolMatch:
			r.explainPart(m, "tool")
		case agenthooks.InputMatch:
			r.look(m, values, total)
			r.explainPart(m, "pattern")
		case agenthooks.Valid:
			if part := m.Broken(); part != "" {
				r.explainPart(m, part)
			}
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

// start checks whether a hook that would run can be started.
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

// starter returns the program that runs the script, with its arguments.
func starter(e discovery.Entry) string {
	return strings.Join(append([]string{filepath.Base(e.Argv[0])}, e.Argv[1:len(e.Argv)-1]...), " ")
}

// mostTold is the maximum size of a value in JSON output, in bytes.
const mostTold = 200

// look finds the value closest to the pattern.
func (r *planRow) look(m advice.Matcher, values []advice.Value, total int) {
	r.values, r.total = values, total
	if m.AboutJSON() {
		r.values, r.total = []advice.Value{{Text: m.Subject.Text, Bare: true}}, 1
	}
	if closest, ok := m.Closest(r.values); ok {
		r.closest = &closest
		told := closest
		told.Value = around(closest.Value, closest.Begin, closest.End, mostTold)
		r.Closest = &told
	}
}

// explainPart finds the smallest change of a part of the matcher, tool or pattern.
func (r *planRow) explainPart(m advice.Matcher, part string) {
	change, ok := m.Find(part)
	if !ok {
		r.Hint, r.Besides = r.inTheWay(m, part), besides(m, part)
		return
	}
	r.Change = &change
	r.Hint = "`" + part + ": " + yamlText(change.To) + "` would match: " + change.Why
	if change.Left != "" {
		r.Hint += "; but then matcher." + change.Left + " is not found either"
	}
	if odd := stays(oddities(part, m.Source(part)), oddities(part, change.To)); odd != "" && part == "pattern" {
		r.Hint += "; besides, it " + odd
	}
}

// inTheWay explains why a part of the matcher does not match if no small change helps.
func (r *planRow) inTheWay(m advice.Matcher, part string) string {
	if odd := oddities(part, m.Source(part)); len(odd) > 0 && (part == "tool" || neverMatches(m.Pattern)) {
		return "matcher." + part + " " + odd[0]
	}
	if part == "tool" {
		return ""
	}
	if why, ok := m.Unreached(); ok {
		return why
	}
	if at, ok := m.Uncovered(r.values); ok {
		return uncovered(m.Pattern, at)
	}
	if key, before, ok := m.Inside(r.values); ok {
		before = around(before, len(before), len(before), 60)
		return fmt.Sprintf("without its anchors it is found in %s, inside a word: `%s` stands before it", cmp.Or(shown(key), "the input's JSON text"), before)
	}
	return ""
}

// besides returns a probable mistake in a pattern that did not match for another reason.
func besides(m advice.Matcher, part string) string {
	odd := oddities(part, m.Source(part))
	if part == "tool" || len(odd) == 0 || neverMatches(m.Pattern) {
		return ""
	}
	return "matcher.pattern " + odd[0]
}

func neverMatches(pattern string) bool { return advice.CanNeverMatch(advice.Check("pattern", pattern)) }

// uncovered describes the part of a value that a pattern does not match.
func uncovered(pattern string, at advice.Uncovered) string {
	const most = 60
	rest := "`" + around(at.Rest, 0, 0, most) + "`"
	if at.Taken == "" {
		return fmt.Sprintf("%s has to take a value from its beginning; it takes nothing of %s, where %s stands", inQuotes(pattern), shown(at.Key), rest)
	}
	taken := around(at.Taken, len(at.Taken), len(at.Taken), most)
	return fmt.Sprintf("%s has to take all of a value; of %s it takes `%s`, and %s stands in the way", inQuotes(pattern), shown(at.Key), taken, rest)
}

// oddities returns the findings about a part of the matcher. It omits other tool names that a
// finding proposes, because matching names have already been tried.
func oddities(part, source string) (messages []string) {
	for _, f := range advice.Check(part, source) {
		if f.Other != "" {
			f.Fix = ""
		}
		messages = append(messages, f.Message())
	}
	return messages
}

// stays returns the first of the oddities that remain after a change; "" if there are none.
func stays(before, after []string) string {
	for _, message := range before {
		if slices.Contains(after, message) {
			return message
		}
	}
	return ""
}

// explainTrigger proposes the event as the trigger if it is of the same kind and the hook would
// then match.
func (r *planRow) explainTrigger(event spec.EventType, m advice.Matcher) {
	this, _ := spec.Info(event)
	other, _ := spec.Info(r.row.Hook.Trigger)
	if this.Category != other.Category || event.IsTool() && !m.Matches() {
		return
	}
	change := advice.Change{Part: "trigger", Kind: "event", To: string(event), Why: "it is of the same kind"}
	if event.IsTool() {
		change.Why = "the event has the same tool and input"
	}
	r.Change = &change
	r.Hint = "`trigger: " + change.To + "` would match: " + change.Why
}

// yamlText formats an expression for a HOOK.md, without quotes if YAML reads it as a string.
func yamlText(s string) string {
	const special = "-?:,[]{}#&*!|>'\"%@`~=<+.0123456789 "
	words := " true false null yes no on off y n "
	if shown(s) != s {
		return strconv.Quote(s)
	}
	plain := s != "" && !strings.ContainsAny(s[:1], special) && !strings.ContainsAny(s[len(s)-1:], " :") &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") && !strings.Contains(words, " "+strings.ToLower(s)+" ")
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// inQuotes quotes an expression with quotes that do not occur in it.
func inQuotes(s string) string {
	s = shown(strings.ReplaceAll(s, "\b", `\x08`)) // \b has another meaning in an expression
	if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	return `"` + s + `"`
}
