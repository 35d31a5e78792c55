package explain

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Hints adds the smallest change to each hook that does not run, and checks whether the others
// can be started. A named hook that blocks gets the exception with which it would not. path is the
// PATH variable.
func Hints(plan *agenthooks.Plan, rows []Row, named bool, path string) {
	subject := plan.Subject()
	values, total := advice.Values(subject.Text)
	for i := range rows {
		r := &rows[i]
		hook := r.Plan.Hook
		m := advice.Matcher{Tool: hook.Tool, Pattern: hook.Pattern, Subject: subject}
		if searched(hook) != "" {
			m.Subject.Values, r.Note = plan.Passages(hook)
			if r.Note == r.Plan.Warning {
				r.Note = "" // the reason says it
			}
			m.Subject.Text, m.Subject.InputUnknown = "", ""
		}
		if r.Verdict == Runs {
			r.Note = cmp.Or(r.Note, hook.ReadsTwice())
			if named && hook.Answer.Restricts() {
				r.Hint = plan.Exception(r.Plan, plan.Event)
			}
		}
		switch r.Failed {
		case agenthooks.ToolMatch:
			r.explainPart(m, "tool")
		case agenthooks.InputMatch:
			if r.Plan.Own != "" {
				r.Because = "matcher.pattern " + InQuotes(hook.Pattern) + " is found, but this session has made " + r.Plan.Own
				break
			}
			if len(hook.Unless) > 0 && m.Matches() {
				covers := slices.DeleteFunc(slices.Clone(hook.Unless), func(e string) bool {
					return !advice.Matcher{Tool: hook.Tool, Pattern: "^(?:" + e + ")$", Subject: m.Subject}.Matches()
				})
				r.Because = strings.Join(append([]string{"matcher.pattern " + InQuotes(hook.Pattern) + " is found, but unless excepts it"}, covers...), ": ")
				break
			}
			if searched(hook) != "" {
				const limit = 50
				var lines []advice.Value
				for _, l := range m.Subject.Values[:min(len(m.Subject.Values), limit)] {
					lines = append(lines, advice.Value{Text: l})
				}
				r.look(m, lines, len(m.Subject.Values))
			} else {
				r.look(m, values, total)
			}
			r.explainPart(m, "pattern")
		case agenthooks.Valid:
			if part := m.Broken(); part != "" {
				r.explainPart(m, part)
			}
		case agenthooks.Replaced:
			r.Hint = "`protect = [\"" + r.Hook + "\"]` under [hooks] in your hooks.toml keeps your hook; so does another name"
		case "":
			r.start(path)
		case agenthooks.Enabled:
			r.Hint = "remove that entry, and the hook runs again"
		}
	}
}

// start checks whether a hook that would run can be started.
func (r *Row) start(path string) {
	hook := r.Plan.Hook
	for _, d := range hook.Startable(path) {
		r.Verdict, r.Failed, r.Saw = Fails, agenthooks.Startable, d.Path
		r.Because = fmt.Sprintf("%s: %s (%s)", d.Path, d.Message, policy(hook))
		return
	}
	if entry, err := hook.Entry(path); err == nil && entry.Script != "" && entry.NotExecutable {
		starter := append([]string{filepath.Base(entry.Argv[0])}, entry.Argv[1:len(entry.Argv)-1]...)
		r.Because += "; started through " + strings.Join(starter, " ") + ", since scripts/" + filepath.Base(entry.Script) + " is not executable"
	}
}

// look sets the values in which the pattern was searched.
func (r *Row) look(m advice.Matcher, values []advice.Value, total int) {
	r.Values, r.Total = values, total
	if m.AboutJSON() {
		r.Values, r.Total = []advice.Value{{Text: m.Subject.Text, Bare: true}}, 1
	}
}

// explainPart finds the smallest change of a part of the matcher, tool or pattern.
func (r *Row) explainPart(m advice.Matcher, part string) {
	change, ok := m.Find(part)
	if !ok {
		r.unmatched(m, part)
		return
	}
	r.Change = &change
	r.Hint = "`" + part + ": " + term.CutTo(tree.YAML(change.To), maxExpression) + "` would match: " + change.Why
	if change.Left != "" {
		r.Hint += "; but then matcher." + change.Left + " is not found either"
	}
	if found := advice.Check(part, change.To); part == "pattern" && len(found) > 0 {
		r.Hint += "; besides, it " + found[0].Message()
	}
}

// unmatched adds a probable mistake in a part that no small change makes match. If the mistake may
// be the cause, it becomes the hint.
func (r *Row) unmatched(m advice.Matcher, part string) {
	found := advice.Check(part, m.Source(part))
	if len(found) == 0 || found[0].Code == advice.Everything && part == "pattern" && searched(r.Plan.Hook) != "" { // of what metadata.match lists
		return
	}
	message := "matcher." + part + " " + found[0].Message()
	if found[0].Code == advice.Unknown && found[0].To != "" {
		message = "matcher." + part + " " + found[0].What // the other tool's name has been tried
	}
	if part == "tool" {
		r.Hint = message
	} else {
		r.Besides = message
	}
}
