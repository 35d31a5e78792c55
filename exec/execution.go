package exec

import (
	"runtime"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

const (
	// killWait is the time allowed for a killed process to disappear.
	killWait = 500 * time.Millisecond
	// stopWait is the maximum time for an execution to end after a request to
	// stop. Serving it ends earlier, unless the kernel delays its start (D34).
	stopWait = spec.KillGrace + killWait + spec.PipeGrace + 150*time.Millisecond
)

// The streams of a process that are read.
const (
	stdout = iota
	stderr
)

// execution is one process and the goroutine that serves it, on its own thread.
// The goroutine starts the process, waits for all of its events together, and
// reaps it.
type execution struct {
	*Command
	streams *streams
	tried   chan struct{} // closed when it has started or failed to start
	process process
	outputs [2]capture
	ended   [2]bool // the stream has ended

	exited        bool // the leader has ended and is not reaped
	stopRequested bool
	stopped       bool  // it was running when asked to stop
	inputErr      error // its input could not be produced
	failed        error // a function of the caller panicked
}

// begin opens the streams of c.
func begin(c *Command) (*execution, error) {
	s, err := openStreams(c.Stdin != nil)
	if err != nil {
		return nil, startError(c, err)
	}
	x := &execution{Command: c, streams: s, tried: make(chan struct{})}
	x.outputs[stdout] = capture{max: c.MaxStdout, tail: c.Tail}
	x.outputs[stderr] = capture{max: c.MaxStderr, tail: c.Tail}
	return x, nil
}

// await returns the result of an execution that is being served, at most
// stopWait after done or over, unless the machine is overloaded. If the start
// hangs, for example on an unresponsive file server, await does not wait for
// it; a process that starts later is stopped. Once the process has started,
// await waits until serve returns, which ends the process's group.
func (x *execution) await(done <-chan struct{}, over <-chan time.Time, served <-chan servedResult) Result {
	var why Result
	select {
	case s := <-served:
		return s.Result
	case <-over:
		why.TimedOut = true
	case <-done:
		why.Canceled = true
	}
	x.streams.requestStop()
	s := servedResult{Result{Status: -1}, true}
	limit := time.NewTimer(stopWait)
	defer limit.Stop()
	select {
	case s = <-served:
	case <-limit.C:
		select {
		case <-x.tried:
			s = <-served
		default:
		}
	}
	if s.stopped {
		s.TimedOut, s.Canceled = why.TimedOut, why.Canceled
	}
	return s.Result
}

// servedResult is the result of an execution, and whether it was stopped on
// request.
type servedResult struct {
	Result
	stopped bool
}

// serve runs the process.
func (x *execution) serve() servedResult {
	// Linux sends the parent-death signal when the thread that forked ends
	// (golang/go#27505), so keep it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer x.streams.close()
	r := Result{Status: -1}
	err := x.start()
	close(x.tried)
	if err != nil {
		if !x.stopRequested {
			r.Err = startError(x.Command, err)
		}
		return servedResult{r, x.stopRequested}
	}
	x.feed()
	for !x.over() {
		x.step(time.Time{}, false)
	}
	if !x.exited {
		x.stop()
	}
	x.collect(&r)
	return servedResult{r, x.stopped && x.inputErr == nil}
}

func (x *execution) start() (err error) {
	defer x.streams.closeTheirs()
	x.process, err = startPatiently(x.pause, func() (process, error) { return startTied(x.Command, x.streams) })
	if err == nil {
		x.streams.watch(x.process)
	}
	return err
}

// pause waits before the next attempt to start the process. It returns false if
// a stop was requested.
func (x *execution) pause(d time.Duration) bool {
	for until := time.Now().Add(d); !x.stopRequested && time.Now().Before(until); {
		x.step(until, false)
	}
	return !x.stopRequested
}

// over reports whether the process has ended or must be ended.
func (x *execution) over() bool { return x.exited || x.stopRequested || x.inputErr != nil }

// step waits for the next event, until limit if there is one, and handles it.
// If writing is set, it also waits for space in stdin.
func (x *execution) step(limit time.Time, writing bool) {
	got := x.streams.wait(limit, writing)
	x.exited = x.exited || got.exited
	x.stopRequested = x.stopRequested || got.stopRequested
	for i, ready := range got.readable {
		if ready {
			x.read(i)
		}
	}
}

// waitResult is the result of a wait for events.
type waitResult struct {
	readable              [2]bool
	exited, stopRequested bool
}

// read reads once from a stream, and returns the number of bytes read.
func (x *execution) read(stream int) int {
	c := &x.outputs[stream]
	room, kept := c.room()
	n, err := x.streams.read(stream, room)
	c.take(n, kept)
	x.ended[stream] = err != nil
	return n
}

// stop ends the process and its group: SIGTERM, a grace period that ends early
// if nothing is left to wait for, then SIGKILL (D34). The leader is not reaped
// before, so that the group's number cannot be reused.
func (x *execution) stop() {
	x.stopped = true
	x.process.terminate()
	x.stepUntil(time.Now().Add(spec.KillGrace), func() bool { return x.exited && x.ended[stdout] && x.ended[stderr] })
	x.process.kill()
	x.stepUntil(time.Now().Add(killWait), func() bool { return x.exited })
}

func (x *execution) stepUntil(limit time.Time, done func() bool) {
	for !done() && time.Now().Before(limit) {
		x.step(limit, false)
	}
}

// collect reaps the process and reads its remaining output. A child process may
// still hold the streams: the wait ends when stdout holds a whole answer,
// otherwise after the grace period (D35).
func (x *execution) collect(r *Result) {
	if x.exited {
		r.Status, r.Signal, r.Err = x.process.reap()
	} else {
		go x.process.disown()
	}
	x.streams.closeInput()
	x.readRest()
	for i, out := range []*Output{stdout: &r.Stdout, stderr: &r.Stderr} {
		x.outputs[i].trim()
		*out = Output{Data: x.outputs[i].data, Dropped: x.outputs[i].dropped}
	}
	for _, err := range []error{x.inputErr, x.failed} {
		if r.Err == nil {
			r.Err = err
		}
	}
}

// readRest reads the content of the pipes, which includes everything that was
// written before the process ended. It then continues until there is a complete
// answer, or the grace period is over.
func (x *execution) readRest() {
	defer recoverInto(&x.failed)
	limit := time.Now().Add(spec.PipeGrace)
	x.readPending(stdout)
	for asked := int64(-1); !(x.ended[stdout] && x.ended[stderr]) && time.Now().Before(limit); {
		if total := x.outputs[stdout].total(); total > asked {
			asked = total
			if tellsPending && !x.ended[stdout] && x.Complete != nil && x.Complete(x.outputs[stdout].data) {
				break
			}
		}
		x.step(limit, false)
	}
	x.readPending(stderr)
}

// readPending reads only the current content of the pipe, because other
// processes may write forever.
func (x *execution) readPending(stream int) {
	end := x.outputs[stream].total() + x.streams.pending(stream)
	for !x.ended[stream] && x.outputs[stream].total() < end && x.read(stream) > 0 {
	}
}
