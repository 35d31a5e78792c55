package watch

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// checkAfter is the quiet time after which a hook runs again because files changed during its
// run.
const checkAfter = 500 * time.Millisecond

// slowAfter is the time after which a running hook is reported.
const slowAfter = time.Second

// checks is the number of further runs that must change a file before it counts as a result of
// the hook's own runs.
const checks = 2

// Schedule decides when changed hooks run. It does not know which program changes a file. If a
// file changes during a hook's run, the hook runs again after a quiet time. If the file also
// changes during that run and during one more, it counts as a result of the hook's own runs, and
// its changes start no further runs.
//
// The attempts of one hook run one after another, those of different hooks at the same time.
// Not safe for concurrent use.
type Schedule struct {
	Slow func(*discovery.Hook) // called when a hook has been running for a second; may be nil

	results chan Result
	limit   int
	waiting []*round // in the order in which they run
	running map[hookKey]*round
	ended   map[hookKey]*round // the last finished round of each hook
}

// Attempt is one run of a hook. It returns a function that reports the result.
type Attempt func(ctx context.Context) (report func())

// round is the set of a hook's attempts after one change.
type round struct {
	hook          *discovery.Hook
	key           hookKey
	files         []string // the changed files
	attempts      []Attempt
	before, after stamps         // of the hook's files; after is nil until the end
	suspects      map[string]int // by file, in how many previous rounds it changed
	own           []string       // results of the hook's own runs
	due           time.Time      // zero: at once
	cancel        context.CancelFunc
	dropped       bool
}

// Result is a finished attempt. The last one of a round ends it.
type Result struct {
	round  *round
	report func() // nil: the round was stopped before its next attempt
	ended  bool
	after  stamps // at the end of the round
}

// NewSchedule returns a Schedule that runs at most limit hooks at the same time.
func NewSchedule(limit int) *Schedule {
	return &Schedule{results: make(chan Result), limit: limit, running: map[hookKey]*round{}, ended: map[hookKey]*round{}}
}

// Results returns the channel whose values must be passed to Finish.
func (s *Schedule) Results() <-chan Result { return s.results }

// Add schedules a changed hook. It calls attempts with the files that changed, including those
// for which the hook is already waiting. Their paths are relative to the hook's folder, with
// slashes; "." means a change outside its files. Add returns false if only results of the hook's
// own runs have changed.
func (s *Schedule) Add(c HookChange, attempts func(files []string) []Attempt) bool {
	r := s.causes(c)
	if len(r.files) == 0 {
		return false
	}
	i := s.indexWaiting(r.key)
	if i < 0 {
		i = len(s.waiting)
		s.waiting = append(s.waiting, r)
	}
	if w := s.waiting[i]; w != r {
		for file, n := range w.suspects {
			if !slices.Contains(r.files, file) { // else it changed again
				r.suspects[file] = n
			}
		}
		r.files = append(r.files, w.files...)
		s.waiting[i] = r
	}
	if len(r.suspects) > 0 {
		r.due = time.Now().Add(checkAfter)
	}
	r.attempts = attempts(r.files)
	return true
}

// causes returns the round that a change starts. It has no files if only the hook's own runs
// changed them.
func (s *Schedule) causes(c HookChange) *round {
	r := &round{hook: c.Hook(), key: keyOf(c.Hook()), files: slices.Clone(c.Files), suspects: map[string]int{}}
	if len(c.Files) == 0 || c.Before == nil {
		r.files = []string{"."}
	} else if last := s.last(r.key); last != nil {
		now := stampsOf(r.hook)
		r.files = slices.DeleteFunc(r.files, func(file string) bool {
			if !last.changed(file, now) {
				return false
			}
			if last.suspects[file] >= checks || slices.Contains(last.own, file) {
				return true
			}
			r.suspects[file] = last.suspects[file] + 1
			return false
		})
	}
	return r
}

// last returns the running round of a hook, or else the last finished one.
func (s *Schedule) last(key hookKey) *round { return cmp.Or(s.running[key], s.ended[key]) }

// changed reports whether a file changed during the round, and not since.
func (r *round) changed(file string, now stamps) bool {
	if r.after == nil {
		return !r.before[file].same(now[file])
	}
	return !r.before[file].same(r.after[file]) && r.after[file].same(now[file])
}

// Drop stops the attempts of a removed hook. They are not reported.
func (s *Schedule) Drop(c HookChange) {
	key := keyOf(c.Hook())
	if r := s.running[key]; r != nil {
		r.dropped = true
		r.cancel()
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(r *round) bool { return r.key == key })
}

// Start starts the rounds for which there is room.
func (s *Schedule) Start(ctx context.Context) {
	for len(s.running) < s.limit {
		now := time.Now()
		i := slices.IndexFunc(s.waiting, func(r *round) bool { return s.running[r.key] == nil && !r.due.After(now) })
		if i < 0 {
			return
		}
		r := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.running[r.key] = r
		var roundCtx context.Context
		roundCtx, r.cancel = context.WithCancel(ctx)
		r.before, r.own = stampsOf(r.hook), s.ended[r.key].results()
		go s.run(roundCtx, r)
	}
}

// Due returns a channel that receives when a waiting round can start; nil if none waits for its
// time only.
func (s *Schedule) Due() <-chan time.Time {
	var due time.Time
	for _, r := range s.waiting {
		if s.running[r.key] == nil && len(s.running) < s.limit && (due.IsZero() || r.due.Before(due)) {
			due = r.due
		}
	}
	if due.IsZero() {
		return nil
	}
	return time.After(time.Until(due))
}

// results returns the files that count as results of the hook's own runs, after the round.
func (r *round) results() []string {
	if r == nil {
		return nil
	}
	own := slices.Clone(r.own)
	for file, n := range r.suspects {
		if n >= checks {
			own = append(own, file)
		}
	}
	return slices.DeleteFunc(own, func(file string) bool { return r.before[file].same(r.after[file]) })
}

func (s *Schedule) run(ctx context.Context, r *round) {
	slow := time.AfterFunc(slowAfter, func() { s.slow(ctx, r) })
	defer slow.Stop()
	last := Result{round: r}
	for _, attempt := range r.attempts {
		if last.report != nil {
			s.results <- last
			last.report = nil
		}
		if ctx.Err() == nil {
			last.report = attempt(ctx)
		}
	}
	last.ended, last.after = true, stampsOf(r.hook)
	s.results <- last
}

// slow reports that the round is running.
func (s *Schedule) slow(ctx context.Context, r *round) {
	if s.Slow == nil {
		return
	}
	select {
	case s.results <- Result{round: r, report: func() { s.Slow(r.hook) }}:
	case <-ctx.Done():
	}
}

// Finish takes a result. It returns its report, or nil.
func (s *Schedule) Finish(result Result) (report func()) {
	r := result.round
	running := s.running[r.key] == r
	if result.ended {
		r.cancel()
		r.after = result.after
		delete(s.running, r.key)
		s.ended[r.key] = r
	}
	if r.dropped || !running {
		return nil
	}
	return result.report
}

// Wait waits until the running attempts, which have been stopped, have ended.
func (s *Schedule) Wait() {
	for len(s.running) > 0 {
		s.Finish(<-s.results)
	}
}

func (s *Schedule) indexWaiting(key hookKey) int {
	return slices.IndexFunc(s.waiting, func(r *round) bool { return r.key == key })
}

// stampsOf returns the current stamps of a hook's watched files.
func stampsOf(h *discovery.Hook) stamps {
	dir := source(h)
	s := newSurvey()
	s.hook(dir)
	return s.hooks[dir]
}
