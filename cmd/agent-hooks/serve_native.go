package main

import (
	"bytes"
	"context"
	"math"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// nativeResult is the result of hooks.run for an agent's own payload: what
// `agent-hooks run --agent NAME` would have answered.
type nativeResult struct {
	Blocked bool   `json:"blocked"`
	Status  int    `json:"status"`
	Stdout  string `json:"stdout"`
	Stderr  string `json:"stderr"`
}

// runNative is the method hooks.run for an agent's own payload.
func (s *server) runNative(ctx context.Context, p serveParams) (any, error) {
	a, err := p.native()
	if err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	env := *s.env
	env.Stdout, env.Stderr = &stdout, &stderr
	flags := s.nativeFlags(p)
	ctx, cancel := flags.context(ctx)
	defer cancel()
	r := env.nativeRun(&flags)
	r.Load = s.env.liveLoad(s.live, &flags)
	r.Answer(ctx, a, p.Event, func() ([]byte, error) { return p.payload, nil })
	if r.Canceled() {
		return nil, canceled()
	}
	out := r.Encode()
	status := env.answerAgent(flags, r, out)
	return nativeResult{out.Blocked || status == spec.ExitBlock, status, stdout.String(), stderr.String()}, nil
}

// canceled is the answer to a canceled request.
func canceled() error { return rpc.Errorf(rpc.Canceled, "the request was canceled") }

// liveLoad loads the hooks for a native run from the ones that a server keeps.
func (env *Env) liveLoad(live *agenthooks.Live, flags *runFlags) func(string, *protocol.Event) *agenthooks.Hooks {
	return func(name string, event *protocol.Event) *agenthooks.Hooks {
		flags.caller = name
		return live.LoadFor(env.options(flags.projectFlags, event))
	}
}

// native returns the agent of a payload.
func (p serveParams) native() (*agent.Agent, error) {
	a := agent.Find(p.Agent)
	switch {
	case p.input != nil || p.Report:
		return nil, rpc.Errorf(rpc.InvalidParams, "payload goes with neither input nor report")
	case a == nil:
		return nil, rpc.Errorf(rpc.InvalidParams, "unknown agent %q", clipped(p.Agent))
	case p.Event != "" && a.Event(p.Event) == nil && !spec.EventType(p.Event).Valid():
		return nil, rpc.Errorf(rpc.InvalidParams, "unknown event %q", clipped(p.Event))
	}
	return a, nil
}

// nativeFlags returns the corresponding flags of run.
func (s *server) nativeFlags(p serveParams) runFlags {
	flags := runFlags{projectFlags: s.flags.projectFlags, deadline: s.flags.deadline, wait: p.Wait, ask: s.flags.ask, modify: s.flags.modify}
	if p.Project != "" {
		flags.project = p.Project
	}
	if p.Deadline > 0 {
		flags.deadline = int(min(p.Deadline, math.MaxInt32))
	}
	return flags
}
