package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

const whyAbout = `Runs nothing. The event is JSON on stdin, or a tool call that --command, --path and --tool describe; EVENT is then optional.

    agent-hooks why --command 'git push --force'
    agent-hooks why no-secrets --tool Read --path .env
`

type whyFlags struct {
	jsonFlag
	callFlags
}

func (f *whyFlags) declare(fs *flag.FlagSet) {
	f.jsonFlag.declare(fs)
	f.callFlags.declare(fs)
}

// execute is `agent-hooks why [HOOK] EVENT`: it runs nothing.
func (flags whyFlags) execute(env *Env, args []string) (int, error) {
	hook, word := "", ""
	switch {
	case len(args) == 2:
		hook, word = args[0], args[1]
	case len(args) == 1 && flags.given() && !spec.EventType(args[0]).Valid():
		hook = args[0]
	case len(args) == 1:
		word = args[0]
	case len(args) > 2 || !flags.given():
		return 0, usagef("agent-hooks why --command TEXT, or agent-hooks why [HOOK] EVENT < ctx.json", "why: no event given")
	}
	event, err := flags.event("why", word)
	if err != nil {
		return 0, env.orHook(err, hook, word)
	}
	input, warnings, err := env.eventInput(context.Background(), "why", event, flags.callFlags)
	if err != nil {
		return 0, err
	}
	hooks := env.load(input)
	plan := hooks.Plan(input)
	env.warnAll(append(warnings, plan.Warnings...))
	for _, note := range plan.Cleaned() {
		env.note("%s", note)
	}
	rows := explain.Rows(plan, plan.Others(), hook)
	if hook != "" && len(rows) == 0 {
		var names []string
		for _, row := range append(plan.Rows, plan.Others()...) {
			names = append(names, row.Hook.Shown())
		}
		unknown := usagef(shown.Hint("agent-hooks list shows the hooks", "%q", hook, names), "there is no hook %q", hook)
		return 0, cmp.Or(env.finder("why", env.load(nil)).Misplaced(hook), unknown)
	}
	explain.Hints(plan, rows, hook != "", env.Getenv("PATH"))
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	if err := env.printPlan(rows); err != nil {
		return 0, err
	}
	if len(rows) == 0 && event == spec.PreToolCall {
		if err := env.printExamples(hooks, input); err != nil {
			return 0, err
		}
	}
	if len(rows) > 10 && env.width(env.Stdout) > 0 { // they are probably no longer on the terminal
		var run []string
		for _, r := range rows {
			if r.Verdict == explain.Runs {
				run = append(run, r.Hook)
			}
		}
		env.note("of %d hooks, these run: %s", len(rows), cmp.Or(strings.Join(run, ", "), "none"))
	}
	env.noteReview(func(folder string) bool {
		return slices.ContainsFunc(plan.Rows, func(row *agenthooks.Row) bool { return row.Runs && row.Hook.Folder == folder })
	})
	if hook != "" && !slices.ContainsFunc(rows, func(r explain.Row) bool { return r.Plan.Hook.Match == manifest.Paths }) {
		return spec.ExitContinue, nil
	}
	return spec.ExitContinue, env.printUses(explain.Uses(plan))
}

// printUses prints what the call does with each path.
func (env *Env) printUses(uses []explain.Use, note string) error {
	const limit = 20
	t := term.Table{Cut: true}
	for _, u := range uses[:min(len(uses), limit)] {
		t.Rows = append(t.Rows, []string{"path", explain.Shown(u.Path), u.Access.String()})
	}
	text := t.Text(env.width(env.Stdout), env.style)
	if more := len(uses) - limit; more > 0 {
		text += "and " + term.Plural(more, "more path") + "\n"
	}
	if len(uses) > 0 && note != "" {
		env.note("there may be other paths: %s", note)
	}
	return env.print(text)
}

// orHook returns a better error than err, the error that word is not an event: if hook is not "",
// an error that suggests the intended event; if word is a hook, an error that the event is
// missing.
func (env *Env) orHook(err error, hook, word string) error {
	if near, ok := shown.NearEvent(word); ok && hook != "" {
		return usagef(fmt.Sprintf("did you mean `agent-hooks why %s %s`?", shellWord(hook), near), "why: unknown event %q", word)
	}
	if hook != "" {
		return err
	}
	hooks := env.load(nil)
	for _, h := range suite.All(hooks.Table) {
		if h.Shown() == word {
			return usagef(fmt.Sprintf("agent-hooks why %[1]s --command TEXT, or agent-hooks why %[1]s %[2]s < ctx.json", word, cmp.Or(h.Trigger, "EVENT")), "why: no event given after the hook %q", word)
		}
	}
	return cmp.Or(env.finder("why", hooks).Misplaced(word), err)
}

// planText prints the rows of a plan for people: one line per hook, with the reason if it fits,
// and proposed changes below.
type planText struct {
	env     *Env
	columns term.Columns
	width   int // columns of the terminal; 0: not a terminal
	text    strings.Builder
}

func (env *Env) printPlan(rows []explain.Row) error {
	if len(rows) == 0 {
		return env.noHooks()
	}
	p := planText{env: env, width: env.width(env.Stdout)}
	for _, r := range rows {
		cells := cells(r, "")
		if p.width > 0 && term.Width(cells[1]) > p.width/2 {
			cells[1] = "" // already highlighted
		}
		p.columns.Fit(cells)
	}
	for _, r := range rows {
		p.row(r)
	}
	return env.print(p.text.String())
}

func cells(r explain.Row, reason string) []string {
	return []string{string(r.Verdict), bothNames(r.Hook, r.Name), r.Scope, reason}
}

func (p *planText) row(r explain.Row) {
	reason, values := explain.Shown(p.env.homely(strings.ReplaceAll(r.Because, "\n", " "))), []string(nil)
	if r.Failed == agenthooks.InputMatch && len(r.Values) > 0 {
		reason = "matcher.pattern " + explain.InQuotes(r.Plan.Hook.Pattern) + " is not found in"
		if match := r.Plan.Hook.Match; match != "" {
			reason += " the " + string(match)
		}
		const limit = 3
		for _, v := range r.Values[:min(len(r.Values), limit)] {
			values = append(values, p.value(v))
		}
		if more := r.Total - len(values); more > 0 {
			values = append(values, "or "+term.Plural(more, "more value"))
		}
	}
	styles := [...]string{map[explain.Verdict]string{explain.Runs: term.Green, explain.Skipped: term.Faint, explain.Fails: term.Red}[r.Verdict], term.Bold, term.Faint, ""}
	painted := func(column int, cell string) string { return p.env.style(styles[column], cell) }
	line := strings.TrimSpace(reason + " " + strings.Join(values, ", "))
	if p.width > 0 && term.Width(p.columns.Line(cells(r, line), term.Unpainted))-1 > p.width {
		head := strings.TrimSuffix(p.columns.Line(cells(r, ""), painted), "\n")
		p.text.WriteString(p.env.paragraph(p.env.Stdout, p.columns.Widths[0]+term.ColumnGap, head))
		p.below("", reason)
		for _, v := range values {
			p.below("", "  "+v)
		}
	} else {
		p.text.WriteString(p.columns.Line(cells(r, line), painted))
	}
	hint, paste, _ := strings.Cut(r.Hint, "\n")
	p.below("note: ", explain.Shown(r.Note))
	for _, text := range r.Errors {
		p.below("error: ", explain.Shown(text))
	}
	p.below("hint: ", explain.Shown(p.env.homely(hint)))
	for line := range strings.Lines(paste) {
		p.text.WriteString("      " + explain.Shown(strings.TrimSuffix(line, "\n")) + "\n")
	}
	p.below("besides: ", explain.Shown(r.Besides))
}

// below prints lines that belong to the hook above; none for no text.
func (p *planText) below(label, text string) {
	const indent = "    "
	if text == "" {
		return
	}
	for i, line := range term.Wrap(label+text, p.width-len(indent)) {
		if rest, ok := strings.CutPrefix(line, label); ok && i == 0 {
			line = p.env.style(term.Bold, label) + rest
		}
		p.text.WriteString(indent + line + "\n")
	}
}

// value formats a value in which a pattern was searched, or its beginning if it is long.
func (p *planText) value(v advice.Value) string {
	label, quote := "", `"`
	if v.Key != "" {
		label = term.CutTo(explain.Shown(v.Key), 40) + ": "
	}
	if v.Bare {
		quote = ""
	}
	limit := 120
	if p.width > 0 {
		limit = max(20, p.width-term.Width(label)-len(`      `+quote+quote))
	}
	return label + quote + explain.Begin(v.Text, limit) + quote
}
