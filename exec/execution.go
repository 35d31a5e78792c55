package exec

import (
	"runtime"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

const (
	// killWait is how long a killed process may take to be gone.
	killWait = 500 * time.Millisecond
	// stopWait is how long an execution may take to end once that is wished.
	// Serving it ends before, unless the kernel keeps its start (D34).
	stopWait = spec.KillGrace + killWait + spec.PipeGrace + 150*time.Millisecond
)

// The streams of a process that are read.
const (
	stdout = iota
	stderr
)

// execution is one process and what serves it: a goroutine of its own, on a
// thread of its own, which starts the process, waits for all that may come of
// it at once, and reaps it.
type execution struct {
	*Command
	streams *streams
	tried   chan struct{} // closed when it has started, or cannot
	process process
	outputs [2]capture
	ended   [2]bool // by the end of the stream

	exited  bool  // the leader has ended; it is not reaped
	wished  bool  // its end is wished
	stopped bool  // it was still running then
	unfed   error // its input could not be produced
	failed  error // a caller's function panicked
}

// begin opens the streams of c.
func begin(c *Command) (*execution, error) {
	s, err := openStreams(c.Stdin != nil)
	if err != nil {
		return nil, startError(c, err)
	}
	x := &execution{Command: c, streams: s, tried: make(chan struct{})}
	x.outputs[stdout] = capture{max: c.MaxStdout, tail: c.tail}
	x.outputs[stderr] = capture{max: c.MaxStderr, tail: c.tail}
	return x, nil
}

// await returns the result of an execution that is being served, at the
// latest stopWait after it is over if the machine is not busier than that. Not
// even a start that hangs, on a dead file server, delays it: the process is
// ended when it has started after all. Once it has started, serving it is
// waited for, which ends its group.
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
	x.streams.wish()
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

// servedResult is the result of an execution, and whether it was stopped by
// wish.
type servedResult struct {
	Result
	stopped bool
}

// serve runs the process.
func (x *execution) serve() servedResult {
	// Linux sends the parent-death signal when the thread that forked ends
	// (golang/go#27505): keep it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer x.streams.close()
	r := Result{Status: -1}
	err := x.start()
	close(x.tried)
	if err != nil {
		if !x.wished {
			r.Err = startError(x.Command, err)
		}
		return servedResult{r, x.wished}
	}
	x.feed()
	for !x.over() {
		x.step(time.Time{}, false)
	}
	if !x.exited {
		x.stop()
	}
	x.collect(&r)
	return servedResult{r, x.stopped && x.unfed == nil}
}

func (x *execution) start() (err error) {
	defer x.streams.closeTheirs()
	x.process, err = startPatiently(x.pause, func() (process, error) { return startTied(x.Command, x.streams) })
	return err
}

// pause waits before another try to start the process, and reports whether
// that is still wished.
func (x *execution) pause(d time.Duration) bool {
	for until := time.Now().Add(d); !x.wished && time.Now().Before(until); {
		x.step(until, false)
	}
	return !x.wished
}

// over reports whether the process has ended or has to be ended.
func (x *execution) over() bool { return x.exited || x.wished || x.unfed != nil }

// step waits for what comes next, until limit if there is one, and takes it.
// With writing, room in stdin is waited for, too.
func (x *execution) step(limit time.Time, writing bool) {
	news := x.streams.wait(limit, writing)
	x.exited = x.exited || news.exited
	x.wished = x.wished || news.wished
	for i, ready := range news.readable {
		if ready {
			x.read(i)
		}
	}
}

// news is what waiting has brought.
type news struct {
	readable       [2]bool
	exited, wished bool
}

// read reads one stream once, and returns how many bytes came.
func (x *execution) read(stream int) int {
	c := &x.outputs[stream]
	room, kept := c.room()
	n, err := x.streams.read(stream, room)
	c.take(n, kept)
	x.ended[stream] = err != nil
	return n
}

// stop ends the process and its group: SIGTERM, a grace that is over as soon
// as nothing is left to wait for, SIGKILL (D34). The leader is not reaped
// before, so that the group's number cannot be another's.
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

// collect reaps the process and reads what it left. A child of it may hold
// the streams: a whole answer on stdout ends the wait, else the grace does
// (D35).
func (x *execution) collect(r *Result) {
	if x.exited {
		r.Status, r.Signal, r.Err = x.process.reap()
	} else {
		go x.process.disown()
	}
	x.streams.closeInput()
	x.readRest()
	for i, out := range []*Output{stdout: &r.Stdout, stderr: &r.Stderr} {
		*out = x.outputs[i].output()
	}
	for _, err := range []error{x.unfed, x.failed} {
		if r.Err == nil {
			r.Err = err
		}
	}
}

// readRest reads what the pipes hold, which is all that was written before
// the process's end, and more until there is a whole answer or the time is
// over.
func (x *execution) readRest() {
	defer recoverInto(&x.failed)
	limit := time.Now().Add(spec.PipeGrace)
	x.readPending(stdout)
	for asked := int64(-1); !(x.ended[stdout] && x.ended[stderr]) && time.Now().Before(limit); {
		if total := x.outputs[stdout].total(); total > asked {
			if asked = total; x.hasAnswer() {
				break
			}
		}
		x.step(limit, false)
	}
	x.readPending(stderr)
}

// readPending reads what the pipe holds and no more than that, since others
// may go on writing for ever.
func (x *execution) readPending(stream int) {
	end := x.outputs[stream].total() + x.streams.pending(stream)
	for !x.ended[stream] && x.outputs[stream].total() < end && x.read(stream) > 0 {
	}
}

func (x *execution) hasAnswer() bool {
	return tellsPending && !x.ended[stdout] && x.Complete != nil && x.Complete(x.outputs[stdout].data)
}
