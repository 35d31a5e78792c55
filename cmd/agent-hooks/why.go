package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

type whyFlags struct {
	projectFlags
	json bool
}

func (f *whyFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
	f.projectFlags.declare(fs)
}

// whyCommand is `agent-hooks why [HOOK] EVENT`: it runs nothing.
func whyCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[whyFlags]("why", args)
	if err != nil {
		return 0, err
	}
	hook, word := "", ""
	switch len(args) {
	case 1:
		word = args[0]
	case 2:
		hook, word = args[0], args[1]
	default:
		return 0, usagef("agent-hooks why [HOOK] EVENT < ctx.json", "why takes an event, and before it the name of a hook if you like")
	}
	event, err := eventArgument("why", word)
	if err != nil {
		return 0, env.orHook(err, hook, word, flags.projectFlags)
	}
	plan, warnings, err := env.plan(context.Background(), "why", event, flags.projectFlags)
	if err != nil {
		return 0, err
	}
	for _, w := range append(warnings, plan.Warnings...) {
		env.warn("%s", w)
	}
	for _, note := range plan.Cleaned() {
		env.note("%s", note)
	}
	rows := planRows(plan, plan.Others(), hook)
	if hook != "" && len(rows) == 0 {
		return 0, env.unknownHook(plan, hook, flags.projectFlags)
	}
	env.explain(plan, rows, hook != "")
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	return spec.ExitContinue, env.printPlan(rows)
}

// orHook returns a better error than err, which says that word is not an event: with the
// intended event for hook if that is not "", otherwise that word is a hook.
func (env *Env) orHook(err error, hook, word string, where projectFlags) error {
	if near, ok := spec.NearestEvent(word); ok && hook != "" {
		return usagef(fmt.Sprintf("did you mean `agent-hooks why %s %s`?", shellWord(hook), near), "why: unknown event %q", word)
	}
	if hook != "" {
		return err
	}
	hooks := env.load(where, nil)
	for _, h := range everyHook(hooks.Table) {
		if h.Shown() == word {
			return usagef(fmt.Sprintf("agent-hooks why %s %s < ctx.json", word, cmp.Or(h.Trigger, "EVENT")), "why: %q is a hook; say on which event", word)
		}
	}
	return cmp.Or(env.misplaced(word, where), err)
}

func (env *Env) unknownHook(plan *agenthooks.Plan, name string, where projectFlags) error {
	if err := env.misplaced(name, where); err != nil {
		return err
	}
	var names []string
	for _, row := range append(plan.Rows, plan.Others()...) {
		names = append(names, row.Hook.Name)
	}
	hint := "agent-hooks list shows the hooks"
	if near, ok := spec.Nearest(name, names); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return usagef(hint, "there is no hook %q", name)
}

// planRow is a printed row of a plan.
type planRow struct {
	Hook    string               `json:"hook"`
	Scope   string               `json:"scope"`
	File    string               `json:"file"`
	Verdict verdict              `json:"verdict"`
	Failed  agenthooks.Condition `json:"failed_condition,omitempty"`
	Saw     string               `json:"saw,omitempty"`
	Because string               `json:"because"`
	// The smallest change, if there is a simple one, and for a pattern the closest value.
	Hint    string          `json:"hint,omitempty"`
	Change  *advice.Change  `json:"change,omitempty"`
	Closest *advice.Closest `json:"closest,omitempty"`
	// Besides is a probable mistake in the pattern that is not the cause.
	Besides string `json:"besides,omitempty"`
	// Errors are those in the HOOK.md of a hook that runs nevertheless.
	Errors []string `json:"errors,omitempty"`

	row     *agenthooks.Row
	values  []advice.Value  // of the event, if the pattern failed
	total   int             // number of all values
	closest *advice.Closest // with the whole value
}

// verdict is the decision on a hook for an event.
type verdict string

const (
	runs       verdict = "runs"
	passedOver verdict = "skipped"
	fails      verdict = "fails"
)

// planRows returns the rows of a plan and others, only those of one hook if only is not "".
func planRows(plan *agenthooks.Plan, others []*agenthooks.Row, only string) []planRow {
	rows := []planRow{}
	for _, row := range append(plan.Rows[:len(plan.Rows):len(plan.Rows)], others...) {
		name := row.Hook.Shown()
		if only != "" && only != name && only != row.Hook.Folder {
			continue
		}
		r := planRow{Hook: name, Scope: string(row.Hook.Scope), File: row.Hook.File, Verdict: passedOver, Failed: row.Failed, Saw: row.Saw,
			Because: because(row), Errors: errorsIn(row.Hook), row: row}
		switch {
		case row.Runs:
			r.Verdict = runs
		case row.Failure != nil:
			r.Verdict = fails
		}
		rows = append(rows, r)
	}
	return rows
}

// because returns the reason for a row's verdict: the condition, and the value that was seen.
func because(row *agenthooks.Row) string {
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
	case agenthooks.ToolMatch:
		return fmt.Sprintf("matcher.tool %s is not found in %s", inQuotes(hook.Tool), row.Saw)
	case agenthooks.InputMatch:
		return fmt.Sprintf("matcher.pattern %s is not found in %s", inQuotes(hook.Pattern), row.Saw)
	case agenthooks.WhenMatch:
		return "metadata.when is not found in " + row.Saw
	}
	if row.Failure != nil {
		return fmt.Sprintf("%s (on-failure: %s)", failure(row), hook.OnFailure)
	}
	return matched(row)
}

// failure returns why a hook cannot run, with the position of an error in its HOOK.md.
func failure(row *agenthooks.Row) string {
	var broken *matcher.Error
	if errors.As(row.Failure, &broken) {
		return fmt.Sprintf("invalid hook: %s %s: %v", broken.Part, inQuotes(broken.Source), broken.Err)
	}
	for _, d := range row.Hook.Diagnostics {
		if row.Failed == agenthooks.Valid && d.Fatal() && d.Message == row.Saw && d.Line > 0 {
			return fmt.Sprintf("invalid hook: %s:%d:%d: %s", d.Path, d.Line, d.Column, d.Message)
		}
	}
	return row.Failure.Error()
}

func matched(row *agenthooks.Row) string {
	var parts []string
	if row.Hook.Tool != "" {
		parts = append(parts, "matcher.tool "+inQuotes(row.Hook.Tool))
	}
	if row.Hook.Pattern != "" {
		parts = append(parts, "matcher.pattern "+inQuotes(row.Hook.Pattern))
	}
	text := "it has no matcher"
	if len(parts) > 0 {
		text = strings.Join(parts, " and ") + " matched"
	}
	switch {
	case !row.Hook.Trigger.IsTool():
		text = "its trigger is the event"
	case row.Warning != "":
		verb := " match"
		if len(parts) == 1 {
			verb = " matches"
		}
		text = "whether " + strings.Join(parts, " and ") + verb + " cannot be decided, so it runs: " + row.Warning
	}
	if row.Hook.Notice != "" {
		text += "; " + row.Hook.Notice
	}
	if row.Hook.Observe {
		text += "; it is only observed: it decides and changes nothing"
	}
	return text
}
