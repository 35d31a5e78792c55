package agenthooks

import (
	"io"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
)

// StartAsync returns options with which start is called instead of starting a
// process for async hooks.
func StartAsync(start func(jobs []async.Job, event io.WriterTo) error) RunOptions {
	return RunOptions{async: start, Ask: Express, Modify: Express}
}

// Hold makes reading the hooks that o selects wait until release is called.
func (l *Live) Hold(o Options) (release func()) {
	at := l.loadingOf(o.complete().locate())
	at.turn <- struct{}{}
	return func() { <-at.turn }
}

// Settle makes the hooks that o selects count as read long ago, if they can be kept
// at all.
func (l *Live) Settle(o Options) {
	if s := l.loadingOf(o.complete().locate()).snapshot; s != nil {
		s.usable = !s.moved && !s.hooks.replaces()
	}
}

// Cached reports whether the hooks that o selects would not be read again.
func (l *Live) Cached(o Options) bool {
	d := o.complete().locate()
	s := l.loadingOf(d).snapshot
	return s != nil && s.current(d) != nil
}

// AsyncOutcome is the outcome of an async hook in the run log.
func AsyncOutcome(job async.Job, result exec.Result) (Outcome, string) {
	return records{}.outcome(job, result)
}

// Manage makes the hook of a row one of the administrator.
func (r *Row) Manage() {
	hook := *r.Hook
	hook.Scope = discovery.ManagedScope
	r.Hook = &hook
}
