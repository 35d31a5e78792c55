package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/internal/author/locate"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/spec"
)

type whyFlags struct{ readFlags }

// execute is `agent-hooks why [HOOK] EVENT`: it runs nothing.
func (flags whyFlags) execute(env *Env, args []string) (int, error) {
	hook, word := "", ""
	switch len(args) {
	case 1:
		word = args[0]
	case 2:
		hook, word = args[0], args[1]
	default:
		return 0, usagef("agent-hooks why [HOOK] EVENT < ctx.json", "why: no event given")
	}
	event, err := eventArgument("why", word)
	if err != nil {
		return 0, env.orHook(err, hook, word, flags.projectFlags)
	}
	input, warnings, err := env.eventInput(context.Background(), "why", event)
	if err != nil {
		return 0, err
	}
	plan := env.load(flags.projectFlags, input).Plan(input)
	env.warnAll(append(warnings, plan.Warnings...))
	for _, note := range plan.Cleaned() {
		env.note("%s", note)
	}
	rows := explain.Rows(plan, plan.Others(), hook)
	if hook != "" && len(rows) == 0 {
		return 0, env.unknownHook(plan, hook, flags.projectFlags)
	}
	explain.Hints(plan, rows, hook != "", env.Getenv("PATH"))
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	err = env.printPlan(rows)
	env.noteReview(flags.projectFlags, func(folder string) bool {
		return slices.ContainsFunc(plan.Rows, func(row *agenthooks.Row) bool { return row.Runs && row.Hook.Folder == folder })
	})
	return spec.ExitContinue, err
}

// orHook returns a better error than err, the error that word is not an event: if hook is not "",
// an error that suggests the intended event; if word is a hook, an error that the event is
// missing.
func (env *Env) orHook(err error, hook, word string, where projectFlags) error {
	if near, ok := near.Event(word); ok && hook != "" {
		return usagef(fmt.Sprintf("did you mean `agent-hooks why %s %s`?", shellWord(hook), near), "why: unknown event %q", word)
	}
	if hook != "" {
		return err
	}
	hooks := env.load(where, nil)
	for _, h := range locate.All(hooks.Table) {
		if h.Shown() == word {
			return usagef(fmt.Sprintf("agent-hooks why %s %s < ctx.json", word, cmp.Or(h.Trigger, "EVENT")), "why: no event given after the hook %q", word)
		}
	}
	return cmp.Or(env.finder("why", hooks).Misplaced(word), err)
}

func (env *Env) unknownHook(plan *agenthooks.Plan, name string, where projectFlags) error {
	if err := env.finder("why", env.load(where, nil)).Misplaced(name); err != nil {
		return err
	}
	var names []string
	for _, row := range append(plan.Rows, plan.Others()...) {
		names = append(names, row.Hook.Shown())
	}
	return usagef(near.Hint("agent-hooks list shows the hooks", "%q", name, names), "there is no hook %q", name)
}
