package watch

import (
	"cmp"
	"context"
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// Schedule decides when changed hooks run. It does not know who changes a file: a file that
// changes during three runs of a hook in a row is taken as their result, and starts no other run.
//
// The attempts of one hook run one after another, those of different hooks at the same time.
// Not safe for concurrent use.
type Schedule struct {
	results chan Result
	most    int
	waiting []*Round // in the order in which they run
	running map[hookKey]*Round
	ended   map[hookKey]*Round // the last finished round of each hook
}

// Attempt is one run of a hook. It returns a function that reports the result.
type Attempt func(ctx context.Context) (report func())

// Round is the set of a hook's attempts after one change.
type Round struct {
	Hook *discovery.Hook

	key           hookKey
	files         []string // the changed files
	attempts      []Attempt
	before, after stamps         // of the hook's files; after is nil until the end
	streak        map[string]int // in how many rounds before this one a file changed, without a pause
	cancel        context.CancelFunc
	dropped       bool
}

// Result is a finished attempt. The last one of a round ends it.
type Result struct {
	round  *Round
	report func() // nil: the round was stopped before its next attempt
	ended  bool
	after  stamps // at the end of the round
}

// NewSchedule returns a Schedule that runs at most a number of hooks at the same time.
func NewSchedule(most int) *Schedule {
	return &Schedule{results: make(chan Result), most: most, running: map[hookKey]*Round{}, ended: map[hookKey]*Round{}}
}

// Results returns the channel whose values must be passed to Finish.
func (s *Schedule) Results() <-chan Result { return s.results }

// Changed returns the files because of which the hook must run, relative to its folder, with
// slashes, and including those for which it is already waiting. The folder itself, ".", stands
// for a change that is not in its files. It returns none if all of them changed during the
// hook's last three runs.
func (s *Schedule) Changed(c HookChange) []string {
	files := c.Files
	if len(files) == 0 || c.Before == nil {
		files = []string{"."}
	} else if last := s.last(keyOf(c)); last != nil {
		now := stampsOf(c.Hook())
		files = slices.DeleteFunc(slices.Clone(files), func(file string) bool { return last.made(file, now) })
	}
	if i := s.indexWaiting(keyOf(c)); i >= 0 && len(files) > 0 {
		files = append(files, s.waiting[i].files...)
	}
	return files
}

// last returns the current round of a hook, or the one before.
func (s *Schedule) last(key hookKey) *Round { return cmp.Or(s.running[key], s.ended[key]) }

// made reports whether a file changed during the round and the two before, and not since.
func (r *Round) made(file string, now stamps) bool {
	return r.streak[file] >= 2 && r.changed(file, now)
}

// nextStreak returns the streaks of the next round.
func (r *Round) nextStreak() map[string]int {
	if r == nil {
		return nil
	}
	next := map[string]int{}
	for _, of := range []stamps{r.before, r.after} {
		for file := range of {
			if !r.before[file].same(r.after[file]) {
				next[file] = r.streak[file] + 1
			}
		}
	}
	return next
}

// changed reports whether a file changed during the round, and not since.
func (r *Round) changed(file string, now stamps) bool {
	if r.after == nil {
		return !r.before[file].same(now[file])
	}
	return !r.before[file].same(r.after[file]) && r.after[file].same(now[file])
}

// Add schedules a hook after a change in files, as returned by Changed. It replaces a round
// that has not begun.
func (s *Schedule) Add(c HookChange, files []string, attempts ...Attempt) {
	r := &Round{Hook: c.Hook(), key: keyOf(c), files: files, attempts: attempts}
	if i := s.indexWaiting(r.key); i >= 0 {
		s.waiting[i] = r
		return
	}
	s.waiting = append(s.waiting, r)
}

// Drop stops the attempts of a removed hook. They are not reported.
func (s *Schedule) Drop(c HookChange) {
	key := keyOf(c)
	if r := s.running[key]; r != nil {
		r.dropped = true
		r.cancel()
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(r *Round) bool { return r.key == key })
}

// Start starts the rounds for which there is room, and returns them.
func (s *Schedule) Start(ctx context.Context) (started []*Round) {
	for len(s.running) < s.most {
		i := slices.IndexFunc(s.waiting, func(r *Round) bool { return s.running[r.key] == nil })
		if i < 0 {
			break
		}
		r := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.running[r.key] = r
		var roundCtx context.Context
		roundCtx, r.cancel = context.WithCancel(ctx)
		r.before, r.streak = stampsOf(r.Hook), s.ended[r.key].nextStreak()
		go s.run(roundCtx, r)
		started = append(started, r)
	}
	return started
}

func (s *Schedule) run(ctx context.Context, r *Round) {
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
	last.ended, last.after = true, stampsOf(r.Hook)
	s.results <- last
}

// Finish takes a result. It returns the report of an attempt, or nil.
func (s *Schedule) Finish(result Result) (report func()) {
	r := result.round
	if result.ended {
		r.cancel()
		r.after = result.after
		delete(s.running, r.key)
		s.ended[r.key] = r
	}
	if r.dropped {
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

// Running returns the hooks that run, in no order.
func (s *Schedule) Running() (hooks []*discovery.Hook) {
	for _, r := range s.running {
		hooks = append(hooks, r.Hook)
	}
	return hooks
}

// Waiting returns the number of hooks that wait until they can run.
func (s *Schedule) Waiting() int { return len(s.waiting) }

// Runs reports whether the attempts of r have begun and not ended.
func (s *Schedule) Runs(r *Round) bool { return s.running[r.key] == r && !r.dropped }

func (s *Schedule) indexWaiting(key hookKey) int {
	return slices.IndexFunc(s.waiting, func(r *Round) bool { return r.key == key })
}

func keyOf(c HookChange) hookKey { return hookKey{c.Hook().Scope, c.Hook().Folder} }

// stampsOf returns the current stamps of a hook's watched files.
func stampsOf(h *discovery.Hook) stamps {
	dir := source(h)
	s := newSurvey()
	s.hook(dir)
	return s.hooks[dir]
}
