package main

import (
	"context"
	"flag"
	"io"
	"runtime/debug"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/serve"
	"github.com/agent-hooks/agent-hooks/spec"
)

type serveFlags struct {
	policyFlags
	trustProject bool
	agent        string
	deadline     int
}

func (f *serveFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.agent, "agent", "", "the host is `AGENT`; for picoclaw, use its own protocol")
	declareCount(fs, &f.deadline, "deadline", "stop a request's unfinished hooks after `MS` milliseconds, as timeouts")
	f.declareValues(fs, "a question: the host asks its user, or it is a block (default)", "a changed input, prompt or output: the host uses it, or it is a block (default)", "express", "deny", "ignore")
	fs.BoolVar(&f.trustProject, "trust-project", false, "run project hooks without a review, unless hooks.toml requires one")
}

const serveAbout = `The server speaks JSON-RPC 2.0 on stdin and stdout, one message per line: hooks.hello, hooks.run, hooks.plan, hooks.list and hooks.prompt; $/cancel with a request's id cancels the request. The server sends hooks.changed after a change on disk. agent-hooks spec rpc prints the schema of the methods.
Requests run concurrently, and each is answered when it is done. Each request uses the hooks, hooks.toml and trust that are on disk at that time. A host says what it can do: without --ask express a question is a block, without --modify express a changed input is one, and without --trust-project only reviewed hooks of a project run. At the end of stdin, unfinished requests have 3 s before they are canceled.
`

// execute is `agent-hooks serve` (D51).
func (flags serveFlags) execute(env *Env, _ []string) (int, error) {
	s := serve.Server{
		Options: env.runOptions(nil), Version: buildVersion().Version, Path: env.Getenv("PATH"), Deadline: time.Duration(flags.deadline) * time.Millisecond,
		Ask: agenthooks.Fallback(flags.ask), Modify: agenthooks.Fallback(flags.modify), Warn: env.warnAll,
		Write: func(stdout, stderr io.Writer, r *serve.Run, out agent.Output) int {
			env := *env
			env.Stdout, env.Stderr = stdout, stderr
			return env.answerAgent(runFlags{}, r, out, nil)
		},
	}
	s.Options.Agent, s.Options.TrustProject = agents.Named(flags.agent), flags.trustProject && !env.requireTrust
	// A server's heap is small. Collecting it less often takes a few MiB and saves a third of a
	// request's time.
	debug.SetGCPercent(400)
	return spec.ExitContinue, env.untilEnd(func(ctx context.Context) error {
		return s.Serve(ctx, env.Stdin, env.Stdout)
	})
}
