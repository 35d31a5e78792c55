package serve

import (
	"bytes"
	"context"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/internal/agent"
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
func (s *Server) runNative(ctx context.Context, p params) (any, error) {
	a := agent.Find(p.Agent)
	switch {
	case p.input != nil || p.Report:
		return nil, rpc.Errorf(rpc.InvalidParams, "payload cannot be combined with input or report")
	case a == nil:
		return nil, rpc.Errorf(rpc.InvalidParams, "unknown agent %q", clipped(p.Agent))
	case p.Event != "" && a.Event(p.Event) == nil && !spec.EventType(p.Event).Valid():
		return nil, rpc.Errorf(rpc.InvalidParams, "unknown event %q", clipped(p.Event))
	}
	ctx, cancel, options := s.limit(ctx, p.Deadline)
	defer cancel()
	if p.Project != "" {
		options.Project = p.Project
	}
	r := s.nativeRun(ctx, options, p.Wait)
	r.Answer(a, p.Event, func() ([]byte, error) { return p.payload, nil })
	if r.Canceled() {
		return nil, canceled()
	}
	var stdout, stderr bytes.Buffer
	out := r.Encode()
	status := s.Write(&stdout, &stderr, r, out)
	return nativeResult{out.Blocked || status == spec.ExitBlock, status, stdout.String(), stderr.String()}, nil
}

// nativeRun returns a run for an agent's own payload.
func (s *Server) nativeRun(ctx context.Context, o agenthooks.Options, wait bool) *Run {
	return &Run{
		IgnoreAsk: s.Ask == agenthooks.Ignore, IgnoreModify: s.Modify == agenthooks.Ignore,
		Load: func(agent string, event *protocol.Event, _ func(root, state string) bool) *agenthooks.Hooks { // a Live has the hooks of every event
			o.Agent, o.Event = agents.Named(agent), event
			return s.live.Load(o)
		},
		Execute: func(plan *agenthooks.Plan, o agenthooks.RunOptions) *agenthooks.Report { return plan.Run(ctx, o) },
		Options: func() agenthooks.RunOptions {
			return agenthooks.RunOptions{Wait: wait, LogLater: true, ProjectTime: projectTime(o)}
		},
	}
}

// projectTime returns the rest of the time of the project's hooks, of which
// loading used a part; 0 if it is not limited.
func projectTime(o agenthooks.Options) time.Duration {
	if o.Until.IsZero() {
		return 0
	}
	return max(time.Until(o.Until), 1)
}

// canceled is the answer to a canceled request.
func canceled() error { return rpc.Errorf(rpc.Canceled, "the request was canceled") }
