package agenthooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// errShare is the cause of a project's hooks that are stopped, or not started,
// because the user's need the rest of the time (D32).
var errShare = errors.New("the project's hooks have used up their part of the time")

// planUntil returns when the project's hooks are no longer looked at in a plan
// that begins now.
func (h *Hooks) planUntil(now time.Time) time.Time {
	if h.until.IsZero() { // Hooks may be loaded once for many events
		return now.Add(spec.MaxLoad)
	}
	return h.until
}

// late reports whether planning the project's hooks has taken too long, so
// that the hook, which may be anyone's, is not looked at any more.
func (p *Plan) late(hook *discovery.Hook) bool {
	return !p.until.IsZero() && hook.Scope == discovery.ProjectScope && time.Now().After(p.until)
}

// decideAgain is decide for an input that was changed since. It takes from the
// time of the project's hooks, like running them.
func (r *runner) decideAgain(t *turn) {
	if t.decided == r.version {
		return
	}
	t.decided = r.version
	if !r.bounded || t.row.Hook.Scope != discovery.ProjectScope {
		r.decide(t.row, r.event)
		return
	}
	began := time.Now()
	r.until = time.Time{}
	if r.userPending(t) {
		r.until = began.Add(r.left)
	}
	r.decide(t.row, r.event)
	r.left -= time.Since(began)
}

// projectTime returns how long the project's hooks may run together while
// hooks of the user are still to run; false for any time.
func (r *runner) projectTime() (time.Duration, bool) {
	if r.options.ProjectTime > 0 {
		return r.options.ProjectTime, true
	}
	deadline, ok := r.ctx.Deadline()
	return time.Until(deadline) / 2, ok
}

// shared returns the context in which a hook runs. Its end must be followed by
// a call of done.
func (r *runner) shared(t *turn) (ctx context.Context, done func()) {
	if !r.bounded || t.row.Hook.Scope != discovery.ProjectScope || !r.userPending(t) {
		return r.ctx, func() {}
	}
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(r.ctx, r.left, errShare)
	return ctx, func() {
		cancel()
		r.left -= time.Since(began)
	}
}

// userPending reports whether a hook of the user is still to run after t.
func (r *runner) userPending(t *turn) bool {
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

// ended says what the end of a hook's context means.
func ended(ctx context.Context) error {
	switch cause := context.Cause(ctx); cause {
	case ErrDeadline, errShare:
		return fmt.Errorf("%w: %w", errTimeout, cause)
	}
	return errCanceled
}
