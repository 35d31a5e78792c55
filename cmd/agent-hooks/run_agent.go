package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/serve"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// runAgent is `agent-hooks run --agent NAME [EVENT]` (D42). Only an invalid call is an error, with
// exit status 1.
func (env *Env) runAgent(flags runFlags, args []string) (int, error) {
	a, event, err := agentArguments(flags, args)
	if err != nil {
		return 0, err
	}
	if term.IsTerminal(env.Stdin) {
		return 0, usagef("agent-hooks run --agent "+a.Name+" < payload.json", "run reads the agent's payload as JSON from stdin, which is a terminal")
	}
	ctx, cancel, until := flags.context(context.Background())
	defer cancel()
	r := env.nativeRun(flags, until)
	var payload atomic.Pointer[[]byte]
	end := endLate(flags.deadline, func() int {
		late := &serve.Run{}
		return env.writeNative(late.Late(a, event, payload.Load()), late.Warnings)
	})
	defer end.ended()
	env.enter()
	read := func() ([]byte, error) {
		raw, extra, err := readEvent(ctx, env.Stdin, spec.StallTimeout)
		payload.Store(&raw)
		if err == nil && raw == nil {
			err = errors.New("stdin is empty, but the agent sends a payload")
		}
		if extra {
			r.Warnings = append(r.Warnings, "more data follows the payload on stdin; it is ignored")
		}
		return raw, err
	}
	if flags.dryRun {
		return spec.ExitContinue, env.dryRunAgent(r, a, event, read)
	}
	r.Execute = env.runner(ctx)
	r.Answer(a, event, read)
	return env.answerAgent(flags, r, r.Encode(), end), nil
}

// nativeRun returns a run for an agent, whose project's hooks are read and run until the given time.
func (env *Env) nativeRun(flags runFlags, until time.Time) *serve.Run {
	return &serve.Run{
		IgnoreAsk: flags.ask == "ignore", IgnoreModify: flags.modify == "ignore", Options: func() agenthooks.RunOptions { return flags.options(until) },
		Getenv: env.Getenv, Managed: flags.managed,
		Load: func(name string, event *protocol.Event, whole func(root, state string) bool) *agenthooks.Hooks {
			return flags.load(env, name, event, until, whole)
		},
	}
}

// agentArguments returns the agent and the event, if given, by the format's name or the agent's
// own.
func agentArguments(flags runFlags, args []string) (*agent.Agent, string, error) {
	a := agent.Find(flags.agent)
	if a == nil {
		return nil, "", unknownAgent("run", flags.agent, "--agent %s")
	}
	if len(args) == 0 || a.Event(args[0]) != nil {
		return a, strings.Join(args, ""), nil
	}
	event, err := flags.runEvent(args)
	return a, string(event), err
}

func (env *Env) dryRunAgent(r *serve.Run, a *agent.Agent, event string, read func() ([]byte, error)) error {
	payload, err := read()
	if err == nil {
		err = r.Decode(a, event, payload)
	}
	if err != nil {
		return fmt.Errorf("run: %w", err)
	}
	n := 0
	if plan := r.Plan(); plan != nil {
		n = len(plan.Rows)
		env.warnAll(append(r.Warnings, plan.Warnings...))
	}
	return env.print("agent-hooks: " + term.Plural(n, "hook") + "\n")
}

// answerAgent writes the native answer, logs the runs and returns the exit status (D44, D45).
func (env *Env) answerAgent(flags runFlags, r *serve.Run, out agent.Output, end *ending) int {
	if flags.report != "" && len(r.Reports) > 0 {
		if err := env.writeReport(flags.report, r.Reports[0]); err != nil {
			r.Warnings = append(r.Warnings, err.Error())
		}
		if flags.report == "-" {
			out.Stdout = nil
		}
	}
	status := end.answer(r.Reports, func() int { return env.writeNative(out, r.Warnings) })
	for _, w := range r.Log() {
		if status != spec.ExitBlock { // then stderr is the reason only
			env.warn("%s", w)
		}
	}
	return status
}

// writeNative writes a native answer and returns its exit status. If the status makes the agent
// read stderr, it contains only the reason; otherwise the warnings.
func (env *Env) writeNative(out agent.Output, warnings []string) int {
	if out.Status == spec.ExitBlock {
		env.printReason(out.Stderr)
		return spec.ExitBlock
	}
	env.warnAll(warnings)
	if len(out.Stdout) == 0 {
		return spec.ExitContinue
	}
	if _, err := env.Stdout.Write(out.Stdout); err != nil && out.Blocked {
		env.warn("%s", out.Reason)
		return spec.ExitBlock // the only remaining form of a block
	}
	return spec.ExitContinue
}
