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

// take returns the run after something has happened, and what to do next. It holds
// every rule about order, groups of pure hooks, changes, managed hooks, gates and
// fallbacks, and has no effect: Run performs the actions, and reports what happens
// one by one, in any order. h is nil at the beginning. Like append, take may reuse
// the memory of s.
func take(s state, h happening, now time.Time) (state, []action) {
	switch h := h.(type) {
	case matched:
		t := &s.turns[h.turn]
		t.row, t.decided = h.row, s.version
		s.spend(now)
	case ended:
		s.group.running--
		s.group.member(h.turn).end = &h
		if !s.group.together {
			s.spend(now)
		}
	case counted:
		s.group.members[s.group.taken].counted = &h
	}
	var actions []action
	for s.step(now, &actions) {
	}
	return s, actions
}

// state is a run so far. Only take changes it.
type state struct {
	host     host
	turns    []turn
	event    *protocol.Event // with the input, prompt or output that counts unless a hook changes it
	version  int             // number of changes of the event
	modified modified        // by changes of the event
	blocker  int             // the turn of the hook that blocked; -1 for none

	ignoredAsk bool // an ask was ignored (D45)
	over       bool

	before   int // version at the beginning of the pass
	next     int // the first turn after the group
	group    group
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
	atOnce      int                                   // pure hooks that may run at the same time
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

// happening is what Run reports: matched, ended or counted.
type happening any

// matched is the decision about a hook for the current event.
type matched struct {
	turn int
	row  Row
}

// ended is the end of a hook's run on the current event.
type ended struct {
	turn   int
	report *HookReport
	answer protocol.Answer
	cause  string     // see turn
	run    script.Run // of a hook of another system; otherwise nil
}

// counted is the number of blocks in a row with the current one, or why it is not
// known.
type counted struct {
	n   int
	err error
}

// action is what Run does next.
type action struct {
	verb verb
	turn int
	// match ends then, and the hook of start is stopped then, with the cause; zero: never.
	until    time.Time
	cause    error
	together bool // the hook runs while others do
}

type verb byte

const (
	match verb = iota // decide about a hook for the current event; then matched happens
	start             // run a hook on the current event; then ended happens
	stop              // stop the hooks that run; ended still happens for each
	count             // count a block of a hook; then counted happens
)

// group is the hooks that run next: one hook, or adjacent pure hooks of one scope
// (D73) with the hooks between them that do not apply to the event. A constant
// answer counts as pure. Their answers are taken in order, as if each had run
// after the previous one.
type group struct {
	members  []member
	formed   bool
	together bool // at least two of them start a process
	running  int
	taken    int  // members whose answers were taken
	stopped  bool // the other answers are not needed, or are about an outdated event
	until    time.Time
	cause    error
}

// member is one hook of a group.
type member struct {
	turn    int
	started bool
	end     *ended
	counted *counted
}

func (g *group) member(turn int) *member {
	return &g.members[slices.IndexFunc(g.members, func(m member) bool { return m.turn == turn })]
}

// step continues the run. It returns false if something must happen first.
func (s *state) step(now time.Time, do *[]action) bool {
	switch g := &s.group; {
	case s.over:
		return false
	case !g.formed:
		return s.form(now, do)
	case g.stopped && g.running > 0:
		return false
	case g.stopped || g.taken == len(g.members):
		s.leave(now)
		return true
	}
	return s.answer(now, do)
}

// form adds to the group until it is complete. Without hooks left, the pass ends;
// after a change, every hook that has not seen the event has another turn.
func (s *state) form(now time.Time, do *[]action) bool {
	g := &s.group
	var first *turn // the first hook of the group that runs
	for _, m := range g.members {
		if t := &s.turns[m.turn]; first == nil && t.concerned() {
			first = t
		}
	}
	for ; s.next < len(s.turns); s.next++ {
		t := &s.turns[s.next]
		if t.row.Hook.Async || t.version == s.version {
			continue
		}
		if t.decided != s.version {
			*do = append(*do, s.match(now))
			return false
		}
		alone := t.concerned() && !t.joins(first)
		if alone && len(g.members) > 0 {
			break
		}
		g.members = append(slices.Grow(g.members, len(s.turns)-s.next), member{turn: s.next})
		if alone || t.isConstant() && t.row.Runs && t.row.Hook.Answer.Decision == manifest.Deny { // mostly, nothing runs after it
			s.next++
			break
		}
		if first == nil && t.concerned() {
			first = t
		}
	}
	switch {
	case len(g.members) > 0:
		s.group.formed = true
		starting := slices.DeleteFunc(slices.Clone(g.members), func(m member) bool { return !s.turns[m.turn].starts() })
		g.together = len(starting) > 1
		if g.together { // the group's hooks run at the same time
			g.until, g.cause = s.limit(starting[0].turn, now)
		}
	case s.version != s.before:
		s.next, s.before = 0, s.version
	default:
		s.end()
	}
	return true
}

// concerned reports whether the hook runs on the event, or applies to it and cannot run.
func (t *turn) concerned() bool { return t.row.Runs || t.row.Failure != nil }

// starts reports whether the hook starts a process.
func (t *turn) starts() bool { return t.row.Runs && !t.isConstant() }

// isConstant reports whether the hook's HOOK.md is its answer, so that no process
// is started (D77).
func (t *turn) isConstant() bool { return t.row.Hook.Answer != nil }

// joins reports whether t may run at the same time as first. If first is nil,
// it reports whether others may run at the same time as t.
func (t *turn) joins(first *turn) bool {
	return t.row.Runs && (t.row.Hook.Pure || t.isConstant()) && (first == nil || first.row.Hook.Scope == t.row.Hook.Scope)
}

// answer takes the next answer of the group. A hook that runs together with others
// is started as soon as possible, any other when it is its turn.
func (s *state) answer(now time.Time, do *[]action) bool {
	g := &s.group
	m := &g.members[g.taken]
	for i := g.taken; i < len(g.members) && (g.together || i == g.taken); i++ {
		m := &g.members[i]
		if t := &s.turns[m.turn]; !m.started && g.running < s.host.atOnce && (i == g.taken && t.concerned() || t.starts()) {
			*do = append(*do, s.start(m, now))
		}
	}
	switch t := &s.turns[m.turn]; {
	case !t.concerned():
		t.version, t.answer, t.report.Answer = s.version, protocol.Answer{}, protocol.Answer{}
		t.report.plan(&t.row)
	case m.end == nil || !s.settle(m, do):
		return false
	}
	g.taken++
	if s.blocker >= 0 || s.version != s.turns[m.turn].decided {
		s.next = m.turn + 1 // also for hooks that had seen the event before the change
		g.stopped = true
		if g.running > 0 {
			*do = append(*do, action{verb: stop})
		}
	}
	return true
}

// leave ends the group. Hooks that were stopped after a change run again, on its
// result.
func (s *state) leave(now time.Time) {
	g := &s.group
	for _, m := range g.members[g.taken:] {
		t := &s.turns[m.turn]
		if !g.together || !t.starts() {
			continue
		}
		if m.end != nil {
			t.report.Runs, t.report.Duration = m.end.report.Runs, m.end.report.Duration
		}
		if s.blocker >= 0 {
			t.report.Matched, t.report.Outcome = true, NotNeeded
		}
	}
	s.spend(now)
	s.group = (group{})
	if s.blocker >= 0 {
		s.end()
	}
}

// end ends the run.
func (s *state) end() {
	s.fallBack()
	s.over = true
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

// match returns the action that decides about the next hook after a change. Its
// time counts as time of the project's hooks.
func (s *state) match(now time.Time) action {
	a := action{verb: match, turn: s.next}
	if !s.bounded || s.turns[s.next].row.Hook.Scope != discovery.ProjectScope {
		return a
	}
	s.began = now
	if s.userPending(s.next) {
		a.until = now.Add(s.left)
	}
	return a
}

// start returns the action that runs a hook of the group.
func (s *state) start(m *member, now time.Time) action {
	m.started = true
	s.group.running++
	a := action{verb: start, turn: m.turn, until: s.group.until, cause: s.group.cause, together: s.group.together && s.turns[m.turn].starts()}
	if !s.group.together && s.turns[m.turn].starts() {
		a.until, a.cause = s.limit(m.turn, now)
	}
	return a
}

// limit returns when a hook that starts now is stopped, and why; zero for never.
func (s *state) limit(at int, now time.Time) (until time.Time, cause error) {
	hook := s.turns[at].row.Hook
	if !isManaged(hook) && !s.reserved.IsZero() {
		until, cause = s.reserved, errReserved
	}
	if s.bounded && hook.Scope == discovery.ProjectScope && s.userPending(at) {
		s.began = now
		if share := now.Add(s.left); until.IsZero() || share.Before(until) {
			until, cause = share, errShare
		}
	}
	return until, cause
}

// spend ends what counts as time of the project's hooks.
func (s *state) spend(now time.Time) {
	if !s.began.IsZero() {
		s.left -= now.Sub(s.began)
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
