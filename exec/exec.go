// Package exec runs one hook's process under limits: in its own session or job,
// with its event on stdin, both output streams captured and bounded, and a
// timeout that holds whatever the process does. It also starts detached
// processes.
//
// It does not use HOOK.md files or verdicts: its input is a Command and its
// output a Result. Callers decide what a failure is. It prints nothing and
// reads no environment variables.
package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Command is one process to run (D22-D24).
type Command struct {
	Path string   // the program, absolute
	Args []string // its arguments, Args[0] included
	Dir  string   // working directory; "" means the caller's
	Env  []string // the complete environment, KEY=value

	// Stdin writes the process's input; nil means empty. It must not block
	// except on its writer. It is not an error if a process reads only part of
	// its input. It is an error if the input cannot be produced, because the
	// process would judge a part as if it were the whole.
	Stdin io.WriterTo

	Timeout time.Duration // 0 means none

	// MaxStdout and MaxStderr are the number of bytes kept of each stream.
	// Further bytes are read, counted and discarded. Tail keeps the last bytes
	// of each stream instead of the first.
	MaxStdout, MaxStderr int
	Tail                 bool

	// Complete reports whether stdout so far is a whole answer, as
	// protocol.Complete does for hooks of the format. It is called only after
	// the process has exited while other processes still hold its stdout (D35),
	// and on another goroutine than the caller's. nil means never.
	Complete func(stdout []byte) bool
}

// Output is the kept part of a stream.
type Output struct {
	Data    []byte
	Dropped int64 // bytes that were read but not kept
}

// Result describes how a Command ended (D27, D34).
type Result struct {
	// Err is the reason why there is no result to judge: a *StartError (D38),
	// or an error producing the input.
	Err error

	Status   int    // exit status, -1 if there is none
	Signal   string // the signal that killed it, "SIGKILL", or ""
	TimedOut bool   // it was stopped because of its timeout
	Canceled bool   // it was stopped because the context was done; never set with TimedOut

	Stdout, Stderr Output
	Duration       time.Duration
}

// ErrTimeout and ErrCanceled are the failures of a process that did not end in time, or that was
// stopped because the context was done.
var (
	ErrTimeout  = errors.New("timeout")
	ErrCanceled = errors.New("the run was canceled before the hook had decided")
)

// TimeoutAfter returns an ErrTimeout that names the timeout.
func TimeoutAfter(timeout time.Duration) error {
	return fmt.Errorf("%w after %d ms", ErrTimeout, timeout.Milliseconds())
}

// Unfinished returns why a process with the timeout did not exit by itself, nil if it did (D27).
func (r Result) Unfinished(timeout time.Duration) error {
	switch {
	case r.Err != nil:
		return r.Err
	case r.TimedOut:
		return TimeoutAfter(timeout)
	case r.Canceled:
		return ErrCanceled
	case r.Signal != "":
		return fmt.Errorf("killed by %s", r.Signal)
	}
	return nil
}

// Run runs c and returns when its process has ended, at most 2 s after its
// timeout or after ctx is done, whatever the process does (D34). After a normal
// exit, processes that it started may continue; after a timeout or a
// cancellation its group is killed (D35). Run leaves no goroutine, descriptor
// or zombie of its own (D37), unless the kernel cannot end the process.
func Run(ctx context.Context, c Command) Result {
	begun := time.Now()
	r := run(ctx, c)
	r.Duration = time.Since(begun)
	return r
}

// Retry runs c, and up to times again while failed reports that the result is a
// failure and all attempts have taken less than limit; 0 means no limit. failed
// is called once for each result, including the last. A process that was
// stopped because ctx is done is not retried.
func Retry(ctx context.Context, c Command, times int, limit time.Duration, failed func(Result) bool) Result {
	begun, timeout := time.Now(), c.Timeout
	for {
		r := Run(ctx, c)
		left := limit - time.Since(begun)
		if !failed(r) || times <= 0 || limit > 0 && left <= 0 || r.Canceled {
			return r
		}
		if limit > 0 {
			c.Timeout = min(timeout, left)
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
	defer x.streams.requestStop()
	// A context may do work when Done is called, which must happen before the
	// process starts. Serving starts last, so that the process starts on this
	// thread, which await leaves free.
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
