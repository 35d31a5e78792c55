package agenthooks

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// errNotNeeded is the cause for stopping pure hooks whose answers are no longer
// needed.
var errNotNeeded = errors.New("a hook before it has decided")

// group returns the hooks from index i that run together, and the index after
// them. They are the next hook, or adjacent pure hooks of one scope (D73) with
// the hooks between them that do not apply to the event. A constant answer counts
// as pure.
func (r *runner) group(i int) (group []*turn, next int) {
	var first *turn // the first hook of the group that runs
	for ; i < len(r.turns); i++ {
		t := r.turns[i]
		if t.row.Hook.Async || t.version == r.version {
			continue
		}
		r.decideAgain(t)
		concerned := t.row.Runs || t.row.Failure != nil
		if concerned && !t.joins(first) {
			if len(group) == 0 {
				return []*turn{t}, i + 1
			}
			return group, i
		}
		if concerned && first == nil {
			first = t
		}
		group = append(group, t)
		if concerned && t.isConstant() && t.row.Hook.Answer.Decision == manifest.Deny {
			return group, i + 1 // mostly, nothing runs after it
		}
	}
	return group, i
}

// joins reports whether t may run at the same time as first. If first is nil,
// it reports whether others may run at the same time as t.
func (t *turn) joins(first *turn) bool {
	return t.row.Runs && (t.row.Hook.Pure || t.isConstant()) && (first == nil || first.row.Hook.Scope == t.row.Hook.Scope)
}

// runGroup runs a group of hooks and takes their answers in order, as if each had
// run after the previous one. It returns how many answers were taken. Answers
// after a block are not needed. Answers after a change are about an outdated
// event, so these hooks run again.
func (r *runner) runGroup(group []*turn) (taken int) {
	attempts, end := r.attempt(group)
	for taken < len(group) {
		event := r.event
		r.runHook(group[taken], attempts[taken])
		if taken++; r.blocked || r.event != event {
			break
		}
	}
	end()
	for i := taken; i < len(group); i++ {
		if a := attempts[i]; a != nil {
			a.drop(group[i].report, r.blocked)
		}
	}
	return taken
}

// attempt is a hook's run whose answer may be discarded.
type attempt struct {
	*turn  // a copy with its own report
	answer protocol.Answer
	done   chan struct{}
}

// attempt starts the hooks of a group if more than one runs. The result is nil
// for hooks that it does not start. end stops the attempts that are still
// running.
func (r *runner) attempt(group []*turn) (attempts []*attempt, end func()) {
	attempts = make([]*attempt, len(group))
	i := slices.IndexFunc(group, runs)
	if i < 0 || !slices.ContainsFunc(group[i+1:], runs) {
		return attempts, func() {}
	}
	shared, done := r.shared(group[i])
	ctx, stop := context.WithCancelCause(shared)
	var waiting []*attempt
	for i, t := range group {
		if runs(t) {
			attempts[i] = r.newAttempt(t)
			waiting = append(waiting, attempts[i])
		}
	}
	var all sync.WaitGroup
	next := make(chan *attempt, len(waiting))
	for _, a := range waiting {
		next <- a
	}
	close(next)
	for range min(len(waiting), atOnce()) {
		all.Go(func() {
			for a := range next {
				r.try(ctx, a)
			}
		})
	}
	return attempts, func() {
		stop(errNotNeeded)
		all.Wait()
		done()
	}
}

// runs reports whether a hook starts a process.
func runs(t *turn) bool { return t.row.Runs && !t.isConstant() }

// atOnce returns how many pure hooks may run at the same time.
func atOnce() int { return max(4, runtime.NumCPU()) }

func (r *runner) newAttempt(t *turn) *attempt {
	copied, report := *t, *t.report
	report.Warnings = slices.Clip(report.Warnings)
	copied.report = &report
	a := &attempt{turn: &copied, done: make(chan struct{})}
	a.version = r.version
	a.report.Answer = protocol.Answer{}
	a.copyPlan()
	a.prepared = r.command(a.turn)
	return a
}

// try runs an attempt.
func (r *runner) try(ctx context.Context, a *attempt) {
	defer close(a.done)
	defer func() {
		if p := recover(); p != nil {
			a.answer = a.failure(fmt.Errorf("internal error: %v", p))
		}
	}()
	a.answer = r.execute(ctx, a.turn)
}

// drop discards an attempt; only its number of processes is reported.
func (a *attempt) drop(report *HookReport, blocked bool) {
	report.Runs, report.Duration = a.report.Runs, a.report.Duration
	if blocked {
		report.Matched, report.Outcome = true, NotNeeded
	}
}
