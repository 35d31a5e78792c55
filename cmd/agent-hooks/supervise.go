package main

import (
	"context"
	"os"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// superviseName is the internal command with which run starts itself again to supervise async
// hooks (D36).
const superviseName = "supervise-async"

type superviseFlags struct{ noFlags }

// execute runs the jobs on stdin, with the event that follows them.
func (superviseFlags) execute(env *Env, _ []string) (int, error) {
	stdin, ok := env.Stdin.(*os.File)
	if !ok || term.IsTerminal(stdin) {
		return 0, usagef("agent-hooks help", "%s is started by run only", superviseName)
	}
	return spec.ExitContinue, untilSignal(func(ctx context.Context) error {
		return agenthooks.Supervise(ctx, stdin, env.runOptions(projectFlags{}, nil))
	})
}
