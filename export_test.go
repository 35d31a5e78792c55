package agenthooks

import (
	"io"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/internal/place"
)

// StartAsync returns options with which start is called instead of starting a
// process for async hooks.
func StartAsync(start func(jobs []async.Job, event io.WriterTo) error) RunOptions {
	return RunOptions{async: start, Ask: Express, Modify: Express}
}

// Hold makes reading the hooks that o selects wait until release is called.
func (l *Live) Hold(o Options) (release func()) {
	d := o.complete().locate()
	found, _ := place.FindProject(d.candidates, d.Home, nil)
	at := l.loadingOf(liveDirs{d.Hooks, found.Hooks, found.Root, d.State})
	at.turn <- struct{}{}
	return func() { <-at.turn }
}

// AsyncOutcome is the outcome of an async hook in the run log.
func AsyncOutcome(job async.Job, result exec.Result) (Outcome, string) {
	return asyncOutcome(job, result)
}
