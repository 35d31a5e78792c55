package suite

import (
	"context"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/watch"
)

// slowAfter is the time after which a running hook is reported.
const slowAfter = time.Second

// A hook that rewrites its own HOOK.md, scripts or tests in each run starts again at once quick
// times in a row, then after calm without changes, and no more than most times.
const (
	quick = 5
	most  = 30
	calm  = time.Second
)

// Schedule runs hooks after changes. A change of the HOOK.md, the scripts or the tests cancels the
// hook's run and starts another one, so that the last save always runs. Another file that changes
// during a hook's run, saved by its author or written by the hook, starts one more run. Files that
// change during that one start none.
//
// The attempts of one hook run one after another, those of different hooks at the same time.
// Not safe for concurrent use.
type Schedule struct {
	Slow func(*discovery.Hook) // called when a hook has been running for a second; may be nil

	news    chan func()
	limit   int
	waiting []*round // in the order in which they run
	running map[string]*round
	ended   map[string]*round // the last finished round of each hook
}

// Attempt is one run of a hook. It returns a function that reports the result.
type Attempt func(ctx context.Context) (report func())

// round is the set of a hook's attempts after one change.
type round struct {
	hook          *discovery.Hook
	folder        string    // identifies the hook
	files         []string  // the changed files
	more          bool      // it runs because files changed during the previous round
	streak        int       // the rounds before it, each of which began because authored files changed during the one before
	earliest      time.Time // it does not start before
	awaited       bool      // a timer wakes the caller then
	attempts      []Attempt
	before, after watch.Stamps // after is nil until the end
	cancel        context.CancelFunc
	dropped       bool
}

// NewSchedule returns a Schedule that runs at most limit hooks at the same time.
func NewSchedule(limit int) *Schedule {
	return &Schedule{news: make(chan func()), limit: limit, running: map[string]*round{}, ended: map[string]*round{}}
}

// News returns the channel of functions that report results and free room. The caller must call
// each of them, and Start after it.
func (s *Schedule) News() <-chan func() { return s.news }

// Add schedules a changed hook. It calls attempts with the files that changed, including those
// for which the hook is already waiting. Their paths are relative to the hook's folder, with
// slashes; "." means a change outside its files. Add returns false if nothing else changed than
// files during the hook's last run that must not start another one.
func (s *Schedule) Add(c watch.HookChange, attempts func(files []string) []Attempt) bool {
	r := &round{hook: c.Hook(), folder: watch.Origin(c.Hook()), files: slices.Clone(c.Files)}
	if len(r.files) == 0 || c.Before == nil {
		r.files = []string{"."}
	} else {
		s.during(r)
		if len(r.files) == 0 {
			return false
		}
	}
	if running := s.running[r.folder]; running != nil && slices.ContainsFunc(r.files, watch.Authored) {
		running.dropped = true
		running.cancel()
	}
	i := slices.IndexFunc(s.waiting, func(w *round) bool { return w.folder == r.folder })
	if i < 0 {
		s.waiting = append(s.waiting, r)
	} else {
		r.files = append(r.files, s.waiting[i].files...)
		r.more = r.more && s.waiting[i].more
		r.streak = max(r.streak, s.waiting[i].streak)
		s.waiting[i] = r
	}
	if r.streak > quick {
		r.earliest = time.Now().Add(calm)
	}
	r.attempts = attempts(r.files)
	return true
}

// during removes the files from r that must not start another round, because they changed during
// the last one: files that are not authored if that was itself one more, and authored ones after
// most rounds in a row. It sets more if all files changed during a round. A change may be found only
// when the next round runs.
func (s *Schedule) during(r *round) {
	now := watch.StampsOf(r.hook)
	others := slices.Clone(r.files)
	for _, last := range []*round{s.running[r.folder], s.ended[r.folder]} {
		if last == nil {
			continue
		}
		changed := last.changed(now)
		others = slices.DeleteFunc(others, changed)
		if slices.ContainsFunc(r.files, func(file string) bool { return watch.Authored(file) && changed(file) }) {
			r.streak = max(r.streak, last.streak+1)
		}
		r.files = slices.DeleteFunc(r.files, func(file string) bool {
			return changed(file) && (watch.Authored(file) && r.streak > most || !watch.Authored(file) && last.more)
		})
	}
	r.more = len(others) == 0
}

// changed returns a function that reports whether a file changed during the round, and not since.
func (r *round) changed(now watch.Stamps) func(file string) bool {
	if r.after == nil {
		files := now.Changed(r.before)
		return func(file string) bool { return slices.Contains(files, file) }
	}
	files, since := r.after.Changed(r.before), now.Changed(r.after)
	return func(file string) bool { return slices.Contains(files, file) && !slices.Contains(since, file) }
}

// Drop stops the attempts of a removed hook. They are not reported.
func (s *Schedule) Drop(c watch.HookChange) {
	folder := watch.Origin(c.Hook())
	if r := s.running[folder]; r != nil {
		r.dropped = true
		r.cancel()
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(r *round) bool { return r.folder == folder })
}

// Start starts the rounds for which there is room.
func (s *Schedule) Start(ctx context.Context) {
	for len(s.running) < s.limit {
		i := slices.IndexFunc(s.waiting, func(r *round) bool { return s.running[r.folder] == nil && !r.earliest.After(time.Now()) })
		if i < 0 {
			s.await(ctx)
			return
		}
		r := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		s.running[r.folder] = r
		r.before = watch.StampsOf(r.hook)
		var roundCtx context.Context
		roundCtx, r.cancel = context.WithCancel(ctx)
		go s.run(roundCtx, r)
	}
}

// await wakes the caller when the waiting rounds may start.
func (s *Schedule) await(ctx context.Context) {
	for _, r := range s.waiting {
		if r.awaited || !r.earliest.After(time.Now()) {
			continue
		}
		r.awaited = true
		time.AfterFunc(time.Until(r.earliest), func() {
			select {
			case s.news <- func() {}:
			case <-ctx.Done():
			}
		})
	}
}

func (s *Schedule) run(ctx context.Context, r *round) {
	slow := time.AfterFunc(slowAfter, func() {
		select {
		case s.news <- func() { s.slow(r) }:
		case <-ctx.Done():
		}
	})
	defer slow.Stop()
	var report func() // of the last attempt
	for _, attempt := range r.attempts {
		if done := report; done != nil {
			s.news <- func() { r.report(done) }
		}
		report = nil
		if ctx.Err() == nil {
			report = attempt(ctx)
		}
	}
	after := watch.StampsOf(r.hook)
	s.news <- func() { // at once, so that a change after the report is not one during the run
		r.cancel()
		r.after = after
		delete(s.running, r.folder)
		s.ended[r.folder] = r
		r.report(report)
	}
}

// report reports a result, unless the hook was removed. report may be nil.
func (r *round) report(report func()) {
	if report != nil && !r.dropped {
		report()
	}
}

// slow reports that the round is running.
func (s *Schedule) slow(r *round) {
	if s.Slow != nil && s.running[r.folder] == r && !r.dropped {
		s.Slow(r.hook)
	}
}

// Wait stops and waits for the running attempts. They are not reported.
func (s *Schedule) Wait() {
	for _, r := range s.running {
		r.dropped = true
		r.cancel()
	}
	for len(s.running) > 0 {
		(<-s.news)()
	}
}
