package exec

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// Job is one async hook's process, as the supervisor gets it (D36).
type Job struct {
	Path    string            `json:"path"`            // the program, absolute
	Args    []string          `json:"args"`            // its arguments, Args[0] included
	Dir     string            `json:"dir"`             // working directory, absolute
	Env     []string          `json:"env,omitempty"`   // KEY=value, replacing what the supervisor's environment has
	Timeout time.Duration     `json:"timeout"`         // retries included, 0 is none
	Retry   int               `json:"retry,omitempty"` // further attempts after failures: anything but exit status 0 or 2 (D12)
	Label   map[string]string `json:"label,omitempty"` // for the caller: hook, event, agent …
}

// Supervise runs all jobs together, each with event as its stdin and env
// plus its own as its environment, and returns when all have ended. done is
// called as each ends, one call at a time, on the caller's goroutine.
func Supervise(ctx context.Context, env []string, jobs []Job, event *io.SectionReader, done func(Job, Result)) {
}

// Detach starts the supervisor, program path with args and env, in a session
// of its own with none of the caller's streams, hands it jobs and event (of
// size bytes) by its stdin, and returns once it has started (D36).
func Detach(path string, args, env []string, jobs []Job, event io.WriterTo, size int64) error {
	return errors.New("not implemented")
}

// ReadJobs reads in the supervisor what Detach handed over.
func ReadJobs(stdin *os.File) ([]Job, *io.SectionReader, error) {
	return nil, nil, errors.New("not implemented")
}
