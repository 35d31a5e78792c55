// Package replay runs hooks on events in files, and counts their verdicts. It prints nothing.
package replay

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options specifies a replay.
type Options struct {
	Events  []Source       // in the order of the results
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	results := make(chan Result)
	var workers sync.WaitGroup
	for range o.jobs() {
		workers.Go(func() {
			if err := o.work(ctx, next, results); err != nil {
				cancel(err)
			}
		})
	}
	go func() {
		defer close(next)
		for i := range o.Events {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(results)
	}()
	err := o.collect(results, take, cancel)
	var scratch scratchError
	if cause := context.Cause(ctx); err == nil && errors.As(cause, &scratch) {
		err = cause
	}
	return err
}

// scratchError means that there is no directory to run hooks in.
type scratchError struct{ error }

func (o Options) jobs() int {
	n := o.Jobs
	if n == 0 && o.InPlace {
		n = 1
	}
	if n == 0 {
		n = runtime.NumCPU()
	}
	return min(n, len(o.Events))
}

// work replays events until there are no more.
func (o Options) work(ctx context.Context, next <-chan int, results chan<- Result) error {
	w := &worker{Options: o, projects: map[string]project{}}
	if !o.InPlace {
		scratch, err := trial.NewScratch()
		if err != nil {
			return scratchError{fmt.Errorf("replay: %w", err)}
		}
		defer scratch.Remove()
		w.scratch = scratch
	}
	for i := range next {
		result := w.replay(ctx, o.Events[i])
		result.index = i
		if ctx.Err() != nil {
			return nil // it was stopped, so its result means nothing
		}
		results <- result
	}
	return nil
}

// collect receives the results as they come, and reports them in the order of the events.
func (o Options) collect(results <-chan Result, take func(Result) error, cancel context.CancelCauseFunc) error {
	waiting := map[int]Result{}
	tick := time.NewTicker(o.Every)
	defer tick.Stop()
	next, done := 0, 0
	var failed error
	for {
		select {
		case result, ok := <-results:
			if !ok {
				return errors.Join(failed, rest(waiting, take))
			}
			done++
			waiting[result.index] = result
			for failed == nil {
				result, ok := waiting[next]
				if !ok {
					break
				}
				delete(waiting, next)
				next++
				if failed = take(result); failed != nil {
					cancel(nil)
				}
			}
		case <-tick.C:
			o.Tick(done)
		}
	}
}

// rest reports the results after an event that was not finished.
func rest(waiting map[int]Result, take func(Result) error) error {
	var indices []int
	for i := range waiting {
		indices = append(indices, i)
	}
	slices.Sort(indices)
	for _, i := range indices {
		if err := take(waiting[i]); err != nil {
			return err
		}
	}
	return nil
}
