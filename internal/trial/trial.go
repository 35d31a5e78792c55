// Package trial runs one hook alone on one event, to see what comes of it:
// for authors, in watch, test and replay. A Scratch is a place for that in
// which a hook finds nothing of the user's.
//
// It decides nothing itself: the plan and the run are those of package
// agenthooks.
package trial

import (
	"context"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Result is what came of one hook.
type Result struct {
	Row    *agenthooks.Row    // of the plan: whether it runs, and why not
	Report *agenthooks.Report // nil: the event does not concern the hook
}

// Hook returns the report of the hook; nil if the event does not concern it.
func (r Result) Hook() *agenthooks.HookReport {
	if r.Report == nil {
		return nil
	}
	return r.Report.Hooks[0]
}

// Run runs hook alone on event, in the surroundings of hooks: their project
// and environment. An async hook runs as if it were sync, so that its end is
// seen. What is told of the hook elsewhere, its Notice and Diagnostics, is not
// told again.
func Run(ctx context.Context, hooks *agenthooks.Hooks, hook *discovery.Hook, event *protocol.Event) Result {
	return RunWith(ctx, hooks, hook, event, agenthooks.RunOptions{})
}

// RunWith is Run with options.
func RunWith(ctx context.Context, hooks *agenthooks.Hooks, hook *discovery.Hook, event *protocol.Event, options agenthooks.RunOptions) Result {
	return run(ctx, hooks, hook, event, options, func(*agenthooks.Plan) {})
}

// RunMoved is Run of a plan that is made for event, and then changed by move:
// the hook is found by the event as it is, and runs on that of the plan.
func RunMoved(ctx context.Context, hooks *agenthooks.Hooks, hook *discovery.Hook, event *protocol.Event, move func(*agenthooks.Plan)) Result {
	return run(ctx, hooks, hook, event, agenthooks.RunOptions{}, move)
}

func run(ctx context.Context, hooks *agenthooks.Hooks, hook *discovery.Hook, event *protocol.Event, options agenthooks.RunOptions, move func(*agenthooks.Plan)) Result {
	plan := planOf(hooks, hook, event)
	if len(plan.Rows) == 0 {
		return Result{Row: plan.Others()[0]}
	}
	r := Result{Row: plan.Rows[0]}
	if r.Row.Runs || r.Row.Failure != nil {
		move(plan)
		r.Report = plan.Run(ctx, options)
	}
	return r
}

func planOf(hooks *agenthooks.Hooks, hook *discovery.Hook, event *protocol.Event) *agenthooks.Plan {
	sync := *hook
	sync.Async = false
	sync.Notice, sync.Diagnostics = "", nil
	alone := *hooks
	alone.Table, alone.Diagnostics = discovery.Table{hook.Trigger: {&sync}}, nil
	return alone.Plan(event)
}
