package agenthooks

import (
	"io"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
)

// StartAsync returns options with which the async hooks are not started but
// given to start.
func StartAsync(start func(jobs []async.Job, event io.WriterTo) error) RunOptions {
	return RunOptions{async: start}
}

// AsyncOutcome is what the run log says of an async hook.
func AsyncOutcome(job async.Job, result exec.Result) (Outcome, string) {
	return asyncOutcome(job, result)
}
