// Package replay runs hooks on events in files, and counts their verdicts. It prints nothing.
package replay

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options specifies a replay.
type Options struct {
	Events  []Input        // in the order of the results
	Hook    string         // run only this hook; "" for all
	Event   spec.EventType // of events that do not name their type; "" if unknown
	Project string         // absolute path of the project of all events; "" for those that they name
	InPlace bool           // run in the events' directories and with the user's HOME
	Jobs    int            // number of events at once; 0 means one per CPU, or 1 in place
	Environ []string
	Home    string // the user's

	// Load loads the hooks of a project; "" means the caller's. Called by several goroutines.
	Load func(project string) *agenthooks.Hooks
	// Tick is called with the number of replayed events at each interval of Every.
	Tick  func(done int)
	Every time.Duration
}

// Run replays the events in parallel and calls take with the results, in order and in its own
// goroutine. It stops early, without an error, when ctx ends, and with the error of take.
func Run(ctx context.Context, o Options, take func(Result) error) error {
	var workers sync.WaitGroup
	defer workers.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]chan Result, len(o.Events))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	jobs := cmp.Or(o.Jobs, runtime.NumCPU())
	if o.Jobs == 0 && o.InPlace {
		jobs = 1
	}
	var next, done atomic.Int64
	for range min(jobs, len(o.Events)) {
		w := &worker{Options: o, projects: map[string]project{}}
		if !o.InPlace {
			scratch, err := trial.NewScratch()
			if err != nil {
				return fmt.Errorf("replay: %w", err)
			}
			w.scratch = scratch
		}
		workers.Go(func() { w.work(ctx, results, &next, &done) })
	}
	tick := time.NewTicker(o.Every)
	defer tick.Stop()
	var err error
	for _, result := range results {
		for waits := true; waits; {
			select {
			case r, ok := <-result:
				if waits = false; ok && err == nil {
					if err = take(r); err != nil {
						cancel()
					}
				}
			case <-tick.C:
				o.Tick(int(done.Load()))
			}
		}
	}
	return err
}

// work replays events until there are no more. It closes the channel of each event, without a
// result if the event was not finished.
func (w *worker) work(ctx context.Context, results []chan Result, next, done *atomic.Int64) {
	if w.scratch != nil {
		defer w.scratch.Remove()
	}
	for i := next.Add(1) - 1; i < int64(len(results)); i = next.Add(1) - 1 {
		if ctx.Err() == nil {
			if result := w.replay(ctx, w.Events[i]); ctx.Err() == nil { // else it was stopped, so its result means nothing
				results[i] <- result
				done.Add(1)
			}
		}
		close(results[i])
	}
}
