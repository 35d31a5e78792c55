// Package async runs async hooks (D36): it hands them over to a detached
// process, the supervisor, which runs them under the limits of package exec. It
// does not interpret answers.
package async

import (
	"cmp"
	"context"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Job is one async hook's process, as passed to the supervisor (D36).
type Job struct {
	Path    string            `json:"path"`            // the program, absolute
	Args    []string          `json:"args"`            // its arguments, Args[0] included
	Dir     string            `json:"dir"`             // working directory, absolute
	Env     []string          `json:"env,omitempty"`   // KEY=value, overriding the supervisor's environment
	Whole   bool              `json:"whole,omitempty"` // Env is the whole environment
	Timeout time.Duration     `json:"timeout"`         // of one attempt; 0 means none
	Limit   time.Duration     `json:"limit,omitempty"` // of all attempts; 0 means Timeout
	Retry   int               `json:"retry,omitempty"` // number of retries after failures (D12)
	Label   map[string]string `json:"label,omitempty"` // for the caller: hook, event, agent …
}

// Supervise runs all jobs concurrently, each with event as its stdin and with
// env and its own variables as its environment, and returns when all have
// ended. It keeps the last 64 KiB of each output stream. failed reports whether
// a result is a failure, after which a job may be retried; it is called on
// other goroutines. done is called when a job ends, one call at a time, on the
// caller's goroutine.
//
// Jobs that exceed the limit of open descriptors start when others end. Their
// time counts from their start.
func Supervise(ctx context.Context, env []string, jobs []Job, event *io.SectionReader, failed func(Job, exec.Result) bool, done func(Job, exec.Result)) {
	type ended struct {
		job    Job
		result exec.Result
	}
	results := make(chan ended, len(jobs))
	slots := make(chan struct{}, jobsAtOnce())
	for _, job := range jobs {
		go func() {
			slots <- struct{}{}
			r := job.run(ctx, env, event, failed)
			<-slots
			results <- ended{job, r}
		}()
	}
	for range jobs {
		e := <-results
		done(e.job, e.result)
	}
}

// run runs the job, and retries it after failures up to its limit.
func (j Job) run(ctx context.Context, env []string, event *io.SectionReader, failed func(Job, exec.Result) bool) exec.Result {
	begun := time.Now()
	if !j.Whole {
		j.Env = mergeEnv(env, j.Env)
	}
	r := exec.Retry(ctx, exec.Command{
		Path: j.Path, Args: j.Args, Dir: j.Dir, Env: j.Env,
		Stdin: section{event}, Timeout: j.Timeout,
		MaxStdout: spec.KeptOutput, MaxStderr: spec.KeptOutput, Tail: true,
	}, j.Retry, cmp.Or(j.Limit, j.Timeout), func(r exec.Result) bool { return failed(j, r) })
	r.Duration = time.Since(begun)
	return r
}

// section writes an event that other jobs read at the same time.
type section struct{ event *io.SectionReader }

func (s section) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, io.NewSectionReader(s.event, 0, s.event.Size()))
}

// mergeEnv returns base without the variables that added sets, and added.
func mergeEnv(base, added []string) []string {
	set := make(map[string]bool, len(added))
	for _, entry := range added {
		set[envKey(entry)] = true
	}
	merged := make([]string, 0, len(base)+len(added))
	for _, entry := range base {
		if !set[envKey(entry)] {
			merged = append(merged, entry)
		}
	}
	return append(merged, added...)
}

// envKey returns the name in KEY=value. On Windows names are case-insensitive,
// and some begin with "=".
func envKey(entry string) string {
	key := entry
	if i := strings.IndexByte(entry[min(1, len(entry)):], '='); i >= 0 {
		key = entry[:i+1]
	}
	if runtime.GOOS == "windows" {
		return strings.ToUpper(key)
	}
	return key
}
