package agenthooks

import (
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// state is a run so far. Its methods have every rule about order, changes, managed hooks, gates and
// fallbacks (D130). All that happens outside of it is done by a world.
type state struct {
	host     host
	turns    []turn
	event    *protocol.Event // with the input, prompt or output that counts unless a hook changes it
	version  int             // number of changes of the event
	modified modified        // by changes of the event
	blocker  int             // the turn of the hook that blocked; -1 for none

	ignoredAsk bool // an ask was ignored (D45)

	ahead    *prefetched   // hooks whose processes were started before it is their turn; nil for none
	began    time.Time     // of what counts as time of the project's hooks; zero if nothing does
	left     time.Duration // remaining time of the project's hooks
	bounded  bool
	reserved time.Time // when other hooks must leave the rest of the time to managed hooks; zero: never
}

// host is what the rules need to know about the caller and the configuration.
type host struct {
	ask, modify Fallback
	takesInput  bool                                  // the agent can take a changed input, whatever modify is
	complete    func(*protocol.Event) *protocol.Event // completes an event that a hook has changed (D88); may be nil
	gate        bool                                  // a block keeps the agent working
	active      bool                                  // stop_hook_active is true
	sendsActive bool                                  // the event has stop_hook_active
	stopLimit   func(*discovery.Hook) int             // consecutive blocks of a gate
}

// turn is one hook's part in a run.
type turn struct {
	row        Row // copied: a changed event is decided again, and the plan must not change
	report     *HookReport
	decided    int  // version of the event that row was decided for
	version    int  // version of the event that it last saw, -1 for none
	hasChanged bool // it has changed the event, and may not again
	answer     protocol.Answer
	cause      string // what the reason of answer says of the call, at its end
}

// world is what a run acts on.
type world interface {
	// decide decides about a hook for an event; until a time if it is not zero.
	decide(row *Row, event *protocol.Event, until time.Time)
	// perform runs a hook on the current event. At a time that is not zero, it is
	// stopped with the cause.
	perform(s *state, turn int, until time.Time, cause error) result
	// prefetch starts to run hooks on the current event, and does not wait for them.
	prefetch(s *state, turns []int, until time.Time, cause error) *prefetched
	// count counts a block of a hook. It returns how many there were in a row.
	count(*HookReport) (int, error)
}

// result is what a hook has answered to the current event.
type result struct {
	report *HookReport
	answer protocol.Answer
	cause  string     // see turn
	script script.Run // of a hook of another system; otherwise nil
}

// prefetched are hooks that run at the same time.
type prefetched struct {
	turns []int         // those whose results were not taken, in order
	next  func() result // waits for the first of them, and takes its result
	stop  func()        // stops them; each still has a result
}

// run runs the sync hooks. After a change, another pass lets each hook that has not seen
// the event see it. A block ends the run.
func (s *state) run(w world) {
	for seen := -1; seen != s.version && s.blocker < 0; {
		seen = s.version
		for i := 0; i < len(s.turns) && s.blocker < 0; i++ {
			if t := &s.turns[i]; !t.row.Hook.Async && t.version != s.version {
				s.visit(w, i)
			}
		}
	}
	s.fallBack()
}

// visit decides about one hook for the current event, runs it, and settles its answer.
func (s *state) visit(w world, i int) {
	t := &s.turns[i]
	s.decide(w, i)
	if !t.concerned() {
		t.version, t.answer, t.report.Answer = s.version, protocol.Answer{}, protocol.Answer{}
		t.report.plan(&t.row)
		return
	}
	s.settle(w, i, s.perform(w, i))
	if s.blocker >= 0 || s.version != t.decided {
		s.drop()
	}
}

// decide decides about a hook for the current event, unless that is done. Its time
// counts as time of the project's hooks.
func (s *state) decide(w world, i int) {
	t := &s.turns[i]
	if t.decided == s.version {
		return
	}
	var until time.Time
	if s.bounded && t.row.Hook.Scope == discovery.ProjectScope {
		s.began = time.Now()
		if s.userPending(i) {
			until = s.began.Add(s.left)
		}
	}
	w.decide(&t.row, s.event, until)
	t.decided = s.version
	s.spend()
}

// perform returns a hook's result. The hooks that may run together with it are started,
// too; their results wait until it is their turn, so that it does not matter which
// arrives first.
func (s *state) perform(w world, i int) result {
	if !s.turns[i].starts() {
		return w.perform(s, i, time.Time{}, nil)
	}
	if s.ahead == nil {
		turns := s.together(w, i)
		until, cause := s.limit(i)
		if len(turns) == 1 {
			defer s.spend()
			return w.perform(s, i, until, cause)
		}
		s.ahead = w.prefetch(s, turns, until, cause)
	}
	next := s.ahead.next()
	s.ahead.turns = s.ahead.turns[1:]
	if len(s.ahead.turns) == 0 {
		s.ahead = nil
		s.spend()
	}
	return next
}

// maxAhead limits the results that are kept until it is their turn.
const maxAhead = 32

// together returns the hooks that start a process at the same time as a hook does: if
// it is pure, the pure hooks of its scope after it, until one that is not (D73). Hooks
// between them that do not apply to the event, or answer without a process, do not count.
func (s *state) together(w world, i int) []int {
	first, turns := s.turns[i].row.Hook, []int{i}
	if !first.Pure {
		return turns
	}
	for j := i + 1; j < len(s.turns) && len(turns) < maxAhead; j++ {
		t := &s.turns[j]
		if t.row.Hook.Async || t.version == s.version {
			continue
		}
		s.decide(w, j)
		switch {
		case !t.concerned():
		case !t.row.Runs || t.row.Hook.Scope != first.Scope || !t.row.Hook.Pure && !t.isConstant():
			return turns
		case t.starts():
			turns = append(turns, j)
		case t.row.Hook.Answer.Decision == manifest.Deny: // mostly, nothing runs after it
			return turns
		}
	}
	return turns
}

// drop stops the hooks that were started before their turn, because the event was blocked
// or changed. After a change, they run again, on its result.
func (s *state) drop() {
	if s.ahead == nil {
		return
	}
	s.ahead.stop()
	for _, i := range s.ahead.turns {
		h, dropped := s.turns[i].report, s.ahead.next().report
		h.Runs, h.Duration = dropped.Runs, dropped.Duration
		if s.blocker >= 0 {
			h.Matched, h.Outcome = true, NotNeeded
		}
	}
	s.ahead = nil
	s.spend()
}

// concerned reports whether the hook runs on the event, or applies to it and cannot run.
func (t *turn) concerned() bool { return t.row.Runs || t.row.Failure != nil }

// starts reports whether the hook starts a process.
func (t *turn) starts() bool { return t.row.Runs && !t.isConstant() }

// isConstant reports whether the hook's HOOK.md is its answer, so that no process
// is started (D77).
func (t *turn) isConstant() bool { return t.row.Hook.Answer != nil }

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

// limit returns when a hook that starts now is stopped, and why; zero for never.
func (s *state) limit(at int) (until time.Time, cause error) {
	hook := s.turns[at].row.Hook
	if !isManaged(hook) && !s.reserved.IsZero() {
		until, cause = s.reserved, errReserved
	}
	if s.bounded && hook.Scope == discovery.ProjectScope && s.userPending(at) {
		s.began = time.Now()
		if share := s.began.Add(s.left); until.IsZero() || share.Before(until) {
			until, cause = share, errShare
		}
	}
	return until, cause
}

// spend ends what counts as time of the project's hooks.
func (s *state) spend() {
	if !s.began.IsZero() {
		s.left -= time.Since(s.began)
		s.began = time.Time{}
	}
}

// reserve sets when other hooks must leave the rest of the time to managed hooks,
// which may run again: as long as their timeouts together, at most half of the
// time.
func (s *state) reserve(deadline, now time.Time) {
	var needed time.Duration
	for _, t := range s.turns {
		if isManaged(t.row.Hook) && !t.row.Hook.Async {
			needed += t.row.Hook.Limit()
		}
	}
	if needed > 0 {
		s.reserved = deadline.Add(-min(needed, deadline.Sub(now)/2))
	}
}

// userPending reports whether a hook of the user is still to run after a turn.
func (s *state) userPending(at int) bool {
	return slices.ContainsFunc(s.turns[at+1:], func(t turn) bool {
		return t.version != s.version && t.row.Runs && !t.row.Hook.Async && t.row.Hook.Scope == discovery.UserScope
	})
}
