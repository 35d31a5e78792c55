// Package past runs hooks on the tool calls in the transcripts that agents keep
// of their sessions, and counts what the hooks would have done (D80). It only reads transcripts, prints nothing, and writes no log, stop count or trust.
package past

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// Options select calls and hooks.
type Options struct {
	Agents   []*agent.Agent      // with transcripts
	Files    []string            // files of events of the format, one in each line; absolute
	Home     string              // of the user; absolute
	Getenv   func(string) string // for the variables that move the agents' folders
	Since    time.Time           // only calls since then; zero for all
	Project  string              // only calls in this directory or below it; "" for all
	Hook     string              // only this hook; "" for all
	Call     string              // only calls whose identifier begins with this, in Summary.Found; "" for all
	AllHooks bool                // also run hooks that read more than the event

	// Environ is the environment of hooks, whose home and temporary directories are replaced.
	Environ []string
	// Load loads the hooks for the calls in a directory that exists. Called by several
	// goroutines, once per goroutine and directory. Load("") loads only the user's hooks.
	Load func(dir string) *agenthooks.Hooks
	// With are hooks that are not installed: the verdicts with them are compared with
	// those without. They replace hooks of the same name. nil: no comparison.
	With discovery.Table

	Tick func(Progress) // called from time to time; may be nil
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
	inner, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	r := &run{Options: o, ctx: inner, tally: newTally(o.With != nil)}
	files := r.find()
	var given []*agent.Agent
	if len(o.Files) > 0 {
		given = append(given, Events)
	}
	var all int64
	for _, f := range files {
		all += f.size
	}
	var workers sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			w := &worker{run: r, loaded: map[string]*loaded{}}
			defer w.close()
			for i := next.Add(1) - 1; i < int64(len(files)) && inner.Err() == nil; i = next.Add(1) - 1 {
				if err := w.read(files[i]); err != nil {
					fail(err)
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() { workers.Wait(); close(ended) }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-tick.C:
			if r.Tick != nil {
				r.Tick(Progress{r.bytes.Load(), all, r.tally.calls.Load()})
			}
		}
	}
	if err := context.Cause(inner); err != nil && ctx.Err() == nil {
		return nil, err
	}
	s := r.tally.summary(append(slices.Clip(o.Agents), given...))
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
	bytes atomic.Int64 // that were read
}
