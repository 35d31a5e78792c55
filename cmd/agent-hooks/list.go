package main

import (
	"github.com/agent-hooks/agent-hooks/internal/author/explain"
	"github.com/agent-hooks/agent-hooks/spec"
)

type listFlags struct{ readFlags }

func (flags listFlags) execute(env *Env, _ []string) (int, error) {
	hooks := env.load(flags.projectFlags, nil)
	env.warnHooks(hooks)
	rows := explain.List(hooks, env.Getenv("PATH"))
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	if err := env.printList(rows); err != nil {
		return 0, err
	}
	env.noteReview(flags.projectFlags, nil)
	if len(rows) > 0 && !env.called() {
		env.note("no agent calls these hooks yet: agent-hooks doctor")
	}
	return spec.ExitContinue, nil
}
