package main

import (
	"bytes"
	"context"
	"fmt"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/internal/trial"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// onEvent runs a hook on the given event.
func (w *watching) onEvent(hook *discovery.Hook, hooks *agenthooks.Hooks) *attempt {
	return &attempt{onEvent: true, run: func(ctx context.Context) outcome {
		if w.flags.inPlace {
			return w.verdict(trial.Run(ctx, hooks, hook, w.event))
		}
		r, err := w.inScratch(ctx, hook, hooks.Project.Root)
		if err != nil {
			text := fmt.Sprintf("%s cannot run on the event: %v", hook.Shown(), err)
			return outcome{tell: func() { w.tellWarning(text) }, came: text}
		}
		return w.verdict(r)
	}}
}

func (w *watching) verdict(r trial.Result) outcome {
	o := outcome{tell: func() { w.tellResult(r) }}
	if h := r.Hook(); h != nil {
		o.ran = h.Runs > 0
		o.came = fmt.Sprintf("%q", []any{h.Outcome, h.Status, h.Cause, h.Answer.Reason, h.Stdout, h.Stderr, r.Report.Warnings})
	} else {
		o.came = because(r.Row)
	}
	return o
}

// inScratch runs a hook on the event in a scratch directory, like replay: the matcher sees the
// original event, the script one with paths in the scratch directory.
func (w *watching) inScratch(ctx context.Context, hook *discovery.Hook, root string) (trial.Result, error) {
	scratch, err := trial.NewScratch()
	if err != nil {
		return trial.Result{}, err
	}
	defer scratch.Remove()
	p := place{scratch, w.env.home()}
	r := trial.RunMoved(ctx, scratch.Hooks(w.env.Environ), hook, w.event, func(plan *agenthooks.Plan) {
		moves := p.moves(w.event, root)
		var text bytes.Buffer
		_, _ = w.event.WriteTo(&text) // writes to a buffer do not fail
		moved, _ := protocol.ParseEvent(w.event.Type, record.Relocate(text.Bytes(), moves), w.event.Timestamp)
		plan.Event, plan.WorkDir = moved.WithWorkDir(scratch.Work), p.workDir(w.event, moves)
	})
	if shims := trial.Shims(w.env.Environ, r.Hook()); shims != "" {
		r.Report.Warnings = append(r.Report.Warnings, shims)
	}
	return r, nil
}
