// Package past runs hooks on the tool calls in the transcripts that agents keep
// of their sessions, and counts what the hooks would have done (D80). Package
// agent reads the formats; this package finds the files, runs the hooks and counts.
// It only reads transcripts, prints nothing, and writes no log, stop count or trust.
package past

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/discovery"
)

// Options select calls and hooks.
type Options struct {
	Agents   []*agent.Agent      // with transcripts
	Home     string              // of the user; absolute
	Getenv   func(string) string // for the variables that move the agents' folders
	Since    time.Time           // only calls since then; zero for all
	Project  string              // only calls in this directory or below it; "" for all
	Hook     string              // only this hook; "" for all
	Call     string              // only calls whose identifier begins with this, in Summary.Found; "" for all
	AllHooks bool                // also run hooks that read more than the event
	Jobs     int                 // number of files at once; 0 means one per CPU

	// Environ is the environment of hooks, whose home and temporary directories are replaced.
	Environ []string
	// Load loads the hooks for the calls in a directory that exists. Called by several
	// goroutines, once per goroutine and directory. Load("") loads only the user's hooks.
	Load func(dir string) *agenthooks.Hooks
	// With are hooks that are not installed: the verdicts with them are compared with
	// those without. They replace hooks of the same name. nil: no comparison.
	With discovery.Table

	// Tick is called at each interval of Every.
	Tick  func(Progress)
	Every time.Duration
}

// Progress is how far a run is.
type Progress struct {
	Bytes, All int64 // of the transcripts
	Calls      int64
}

// Run replays the calls. When ctx ends, it returns what is known so far, with
// Summary.Stopped set.
func Run(ctx context.Context, o Options) (*Summary, error) {
	began := time.Now()
	r := &run{Options: o, ctx: ctx, tally: newTally(o.With != nil), seen: newSeen()}
	files := r.find()
	var all int64
	for _, f := range files {
		all += f.size
	}
	next := make(chan file)
	go func() {
		defer close(next)
		for _, f := range files {
			select {
			case next <- f:
			case <-ctx.Done():
				return
			}
		}
	}()
	stopped := r.ticking(all)
	var workers sync.WaitGroup
	errs := make(chan error, r.jobs())
	for range r.jobs() {
		workers.Go(func() {
			if err := r.work(next); err != nil {
				errs <- err
				for range next { // the other workers go on
				}
			}
		})
	}
	workers.Wait()
	stopped()
	select {
	case err := <-errs:
		return nil, err
	default:
	}
	s := r.tally.summary(o.Agents)
	s.Stopped = ctx.Err() != nil
	s.Bytes, s.Done = all, r.bytes.Load()
	s.Duration = float64(time.Since(began).Microseconds()) / 1000
	return s, nil
}

// run is one replay.
type run struct {
	Options
	ctx   context.Context
	tally *tally
	seen  *seen
	bytes atomic.Int64 // that were read
}

func (r *run) jobs() int {
	if r.Jobs > 0 {
		return r.Jobs
	}
	return runtime.NumCPU()
}

// ticking calls Tick until the returned function is called.
func (r *run) ticking(all int64) (stop func()) {
	if r.Tick == nil || r.Every <= 0 {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(r.Every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				r.Tick(Progress{r.bytes.Load(), all, r.tally.calls.Load()})
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}
