package main

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
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
	r := &agentRun{env: &env, flags: flags, live: s.live}
	r.verdict.Ask = askPolicy(flags)
	r.native(ctx, a, p.Event, p.payload)
	for _, report := range r.reports {
		if report.Canceled {
			return nil, rpc.Errorf(rpc.Canceled, "the request was canceled")
		}
	}
	out := r.encode()
	r.status = r.write(out)
	r.log()
	return nativeResult{out.Blocked || r.status == spec.ExitBlock, r.status, stdout.String(), stderr.String()}, nil
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

// native runs the hooks for a payload. An internal error is a failure.
func (r *agentRun) native(ctx context.Context, a *agent.Agent, event string, payload []byte) {
	defer func() {
		if p := recover(); p != nil {
			r.fail(fmt.Errorf("internal error: %v", p))
		}
	}()
	r.flags.caller = a.Name
	r.call, _ = a.Decode(nil, event)
	if err := r.decode(a, event, payload); err != nil {
		r.fail(err)
		return
	}
	r.run(ctx)
}
