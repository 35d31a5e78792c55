// Package exec runs one hook's process under limits: its own session or job,
// its event on stdin, both output streams captured and bounded, a timeout
// that holds whatever the process does. It also starts and is the detached
// supervisor of async hooks.
//
// It knows no HOOK.md and no verdicts: a Command comes in, a Result goes
// out; what a failure is, its callers say. It prints nothing and reads no
// environment.
package exec

import (
	"context"
	"io"
	"time"
)

// Command is one process to run (D22-D24).
type Command struct {
	Path string   // the program, absolute
	Args []string // its arguments, Args[0] included
	Dir  string   // working directory, "" is the caller's
	Env  []string // the complete environment, KEY=value

	// Stdin writes the process's input; nil is an empty one. It must not
	// block but on its writer. A process that reads none or only a part of
	// it is no error; an input that cannot be produced is, since the
	// process would judge a part for the whole.
	Stdin io.WriterTo

	Timeout time.Duration // 0 is none

	// MaxStdout and MaxStderr are the bytes kept of each stream. What comes
	// above is drained and counted.
	MaxStdout, MaxStderr int

	// Complete reports whether stdout so far is a whole answer. It is asked
	// only once the process has exited while others hold its stdout (D35).
	// It is not called on the caller's goroutine. nil is never.
	Complete func(stdout []byte) bool

	tail bool // keep the last bytes, not the first
}

// Output is what was kept of a stream.
type Output struct {
	Data    []byte
	Dropped int64 // bytes that were read but not kept
}

// Result is how a Command ended (D27, D34).
type Result struct {
	// Err is why there is no result to judge: a *StartError (D38), or an
	// input that could not be produced.
	Err error

	Status   int    // exit status, -1 if there is none
	Signal   string // the signal it died of, "SIGKILL", or ""
	TimedOut bool   // it was stopped because its time was over
	Canceled bool   // it was stopped because the context was done; never with TimedOut

	Stdout, Stderr Output
	Duration       time.Duration
}

// Run runs c and returns when its process has ended, at the latest 2 s after
// its timeout or after ctx is done, whatever the process does (D34). After a
// normal exit the processes that it left behind live on; after a timeout or
// a cancellation its group is killed (D35). Nothing of Run's own is left
// then: no goroutine, descriptor or zombie (D37), unless the kernel cannot
// end the process.
func Run(ctx context.Context, c Command) Result {
	begun := time.Now()
	r := run(ctx, c)
	r.Duration = time.Since(begun)
	return r
}

// Retry runs c, and up to times again as long as failed says of the result
// that it is a failure; all attempts share the timeout (D12). failed is asked
// once about each result, the last one included. What was stopped, because
// its time was over or ctx is done, is not tried again.
func Retry(ctx context.Context, c Command, times int, failed func(Result) bool) Result {
	begun, timeout := time.Now(), c.Timeout
	for {
		r := Run(ctx, c)
		c.Timeout = timeout - time.Since(begun)
		over := timeout > 0 && c.Timeout <= 0
		if !failed(r) || times <= 0 || over || r.TimedOut || r.Canceled {
			return r
		}
		times--
	}
}

func run(ctx context.Context, c Command) Result {
	if ctx.Err() != nil {
		return Result{Status: -1, Canceled: true}
	}
	over, stopTimer := timeout(c.Timeout)
	defer stopTimer()
	x, err := begin(&c)
	if err != nil {
		return Result{Status: -1, Err: err}
	}
	defer x.streams.wish()
	// A context may prepare to end when asked for its end, which must happen
	// before the process starts. Served last, the process starts on this
	// thread: await leaves it free.
	done := ctx.Done()
	served := make(chan servedResult, 1)
	go func() { served <- x.serve() }()
	return x.await(done, over, served)
}

// timeout returns a channel that is ready after d, never if d is 0.
func timeout(d time.Duration) (over <-chan time.Time, stop func() bool) {
	if d <= 0 {
		return nil, func() bool { return true }
	}
	t := time.NewTimer(d)
	return t.C, t.Stop
}
