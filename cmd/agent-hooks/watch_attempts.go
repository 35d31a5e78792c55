package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/suite"
	"github.com/agent-hooks/agent-hooks/internal/trial"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/spec"
)

// onEvent runs a hook on the given event.
func (w *watching) onEvent(hook *discovery.Hook, hooks *agenthooks.Hooks) watch.Attempt {
	return func(ctx context.Context) func() {
		if w.flags.inPlace {
			r := trial.Run(ctx, hooks, hook, w.event)
			return func() { w.tellResult(r) }
		}
		r, err := trial.RunElsewhere(ctx, w.env.Environ, w.env.home(), hook, w.event, hooks.Project.Root)
		if err != nil {
			return func() { w.tellWarning(fmt.Sprintf("%s cannot run on the event: %v", hook.Shown(), err)) }
		}
		return func() { w.tellResult(r) }
	}
}

// onCases runs a hook's test cases that exist when it begins, like the test command. If asked
// is set, it also reports that there are none. A kept hook is tested in its last valid version,
// regardless of its current HOOK.md.
func (w *watching) onCases(hook *discovery.Hook, kept, asked bool) watch.Attempt {
	return func(ctx context.Context) func() {
		began := time.Now()
		s := &suite.Suite{Hook: hook, All: true}
		s.Cases, s.Problems = cases.Read(hook)
		ofFolder := len(s.Problems)
		s.Check(w.env.Getenv("PATH"), w.env.relative)
		if kept {
			s.Problems = slices.DeleteFunc(s.Problems, func(d spec.Diagnostic) bool { return d.Path == hook.File })
		}
		if len(s.Problems) == 0 {
			cases.RunAll(ctx, s.Cases, w.env.Environ, runtime.GOMAXPROCS(0), func(r *cases.Result) { s.Results = append(s.Results, r) })
			s.Remarks = cases.Notes(s.Hook, s.Results)
		}
		took := time.Since(began)
		return func() {
			switch {
			case w.flags.json && (asked || len(s.Cases) > 0 || len(s.Problems) > 0):
				w.emitCases(s)
			case len(s.Problems) > 0:
				w.tellUntested(s, s.Problems[:ofFolder])
			case asked || len(s.Cases) > 0:
				w.tellCases(s, took)
			}
		}
	}
}
