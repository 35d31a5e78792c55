package agenthooks

import (
	"io"

	"github.com/agent-hooks/agent-hooks/exec"
)

// StartAsync returns options with which the async hooks are not started but
// given to start.
func StartAsync(start func(jobs []exec.Job, event io.WriterTo) error) RunOptions {
	return RunOptions{async: start}
}

// AsyncOutcome is what the run log says of an async hook.
func AsyncOutcome(job exec.Job, result exec.Result) (Outcome, string) {
	return asyncOutcome(job, result)
}
