package agenthooks

import (
	"context"
	"errors"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// group returns the hooks from index i that run together, and the index after
// them. They are the next hook, or adjacent pure hooks of one scope (D73) with
// the hooks between them that do not apply to the event. A constant answer counts
// as pure.
func (r *queue) group(i int) (group []*turn, next int) {
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

// errShare is the cause for project hooks that are stopped, or not started,
// because the user's hooks need the rest of the time (D32).
const errShare = outOfTime("the project's hooks have used up their part of the time")

// outOfTime is a timeout that is not one of the hook's own.
type outOfTime string

func (e outOfTime) Error() string        { return exec.ErrTimeout.Error() + ": " + string(e) }
func (e outOfTime) Is(target error) bool { return target == exec.ErrTimeout }

// errReserved is the cause for hooks that are stopped, or not started, because
// managed hooks must run again on what they change (D82).
const errReserved = outOfTime("the rest of the time is reserved for managed hooks")

// planUntil returns the time after which a plan that begins now skips the
// project's hooks.
func (h *Hooks) planUntil(now time.Time) time.Time {
	if h.until.IsZero() { // hooks may be loaded once for many events
		return now.Add(spec.MaxLoad)
	}
	return h.until
}

// late reports whether planning the project's hooks has taken too long, so that
// hook, which is untrusted, is not checked. If there are managed hooks, this
// applies to the user's, too (D82).
func (p *Plan) late(hook *discovery.Hook, until time.Time) bool {
	yields := hook.Scope == discovery.ProjectScope || hook.Scope == discovery.UserScope && p.hooks.managed != nil
	return yields && !until.IsZero() && time.Now().After(until)
}

// decideAgain calls decide after a change of the input. Its time counts as time
// of the project's hooks.
func (r *queue) decideAgain(t *turn) {
	if t.decided == r.version {
		return
	}
	t.decided = r.version
	if !r.bounded || t.row.Hook.Scope != discovery.ProjectScope {
		r.plan.decide(t.row, r.event, time.Time{})
		return
	}
	began, until := time.Now(), time.Time{}
	if r.userPending(t) {
		until = began.Add(r.left)
	}
	r.plan.decide(t.row, r.event, until)
	r.left -= time.Since(began)
}

// projectTime returns how long the project's hooks may run in total while hooks
// of the user are still to run; false means no limit.
func (r *queue) projectTime() (time.Duration, bool) {
	if r.options.ProjectTime > 0 {
		return r.options.ProjectTime, true
	}
	deadline, ok := r.ctx.Deadline()
	return time.Until(deadline) / 2, ok
}

// reserve returns the time at which other hooks must leave the rest to managed
// hooks, which may run again: as long as their timeouts together, at most half of
// the time. It is zero if there is no deadline, or there are no managed hooks.
func (r *queue) reserve() time.Time {
	deadline, ok := r.ctx.Deadline()
	if !ok {
		return time.Time{}
	}
	var needed time.Duration
	for _, t := range r.turns {
		if isManaged(t.row.Hook) && !t.row.Hook.Async {
			needed += t.row.Hook.Limit()
		}
	}
	if needed == 0 {
		return time.Time{}
	}
	return deadline.Add(-min(needed, time.Until(deadline)/2))
}

// shared returns the context in which a hook runs. The caller must call done
// when the hook has ended.
func (r *queue) shared(t *turn) (ctx context.Context, done func()) {
	ctx, end := r.ctx, func() {}
	if !r.reserved.IsZero() && !isManaged(t.row.Hook) {
		ctx, end = context.WithDeadlineCause(r.ctx, r.reserved, errReserved)
	}
	if !r.bounded || t.row.Hook.Scope != discovery.ProjectScope || !r.userPending(t) {
		return ctx, end
	}
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(ctx, r.left, errShare)
	return ctx, func() {
		cancel()
		end()
		r.left -= time.Since(began)
	}
}

// userPending reports whether a hook of the user is still to run after t.
func (r *queue) userPending(t *turn) bool {
	after := false
	for _, other := range r.turns {
		pending := other.version != r.version && other.row.Runs && !other.row.Hook.Async
		if after && pending && other.row.Hook.Scope == discovery.UserScope {
			return true
		}
		after = after || other == t
	}
	return false
}

// ended returns the error for a hook whose context has ended.
func ended(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, exec.ErrTimeout) {
		return cause
	}
	return exec.ErrCanceled
}
