// Package trial runs a single hook on one event, for watch, test and replay. A Scratch is a
// temporary directory for such runs, separate from the user's files.
//
// It uses the plan and the run of package agenthooks and makes no decisions of its own.
package trial

import (
	"context"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Result is the result of one hook.
type Result struct {
	Row    *agenthooks.Row    // of the plan: whether it runs, and why not
	Report *agenthooks.Report // nil: the hook is for other events
}

// Hook returns the report of the hook; nil if the hook is for other events.
func (r Result) Hook() *agenthooks.HookReport {
	if r.Report == nil {
		return nil
	}
	return r.Report.Hooks[0]
}

// Run runs only hook on event, with the project and the environment of hooks. An async hook
// runs as if it were sync, so that its result is known. The hook's Notice and Diagnostics,
// which are reported elsewhere, are not reported again. move, if not nil, changes the plan after
// the matcher has seen the event.
func Run(ctx context.Context, hooks *agenthooks.Hooks, hook *discovery.Hook, event *protocol.Event, options agenthooks.RunOptions, move func(*agenthooks.Plan) *agenthooks.Plan) Result {
	sync := *hook
	sync.Async = false
	sync.Notice, sync.Late, sync.Diagnostics = "", nil, nil
	plan := hooks.PlanOf(event, &sync)
	if len(plan.Rows) == 0 {
		return Result{Row: plan.Others()[0]}
	}
	r := Result{Row: plan.Rows[0]}
	if r.Row.Runs || r.Row.Failure != nil {
		if move != nil {
			plan = move(plan)
		}
		r.Report = plan.Run(ctx, options)
	}
	return r
}
