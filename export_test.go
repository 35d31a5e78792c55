package agenthooks

import (
	"io"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
)

// StartAsync returns options with which start is called instead of starting a
// process for async hooks.
func StartAsync(start func(jobs []async.Job, event io.WriterTo) error) RunOptions {
	return RunOptions{async: start}
}

// AsyncOutcome is the outcome of an async hook in the run log.
func AsyncOutcome(job async.Job, result exec.Result) (Outcome, string) {
	return asyncOutcome(job, result)
}
