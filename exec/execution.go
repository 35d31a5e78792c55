package exec

import (
	"context"
	"os"
	"time"

	"github.com/agent-hooks/agent-hooks/spec"
)

// killWait is how long a killed process may take to be gone. With the two
// graces of spec it keeps an execution within its timeout and 2 s (D34).
const killWait = 500 * time.Millisecond

// ending is why waiting for a process came to an end.
type ending int

const (
	byItself ending = iota
	timedOut
	canceled
	unfed // its input could not be produced
)

// execution is one process with the goroutines that serve its streams.
type execution struct {
	child          *child
	stdin          *feed
	stdout, stderr *capture
	served         bool
	stopped        bool // by us
}

// begin opens the pipes and launches c.
func begin(c *Command) (*execution, error) {
	var x execution
	var theirs [3]*os.File
	var err error
	if theirs[0], x.stdin, err = openFeed(c.Stdin); err != nil {
		return nil, startError(c, err)
	}
	if x.stdout, theirs[1], err = openCapture(c.MaxStdout, c.tail); err != nil {
		x.abandon(theirs)
		return nil, startError(c, err)
	}
	if x.stderr, theirs[2], err = openCapture(c.MaxStderr, c.tail); err != nil {
		x.abandon(theirs)
		return nil, startError(c, err)
	}
	x.stdout.complete = c.Complete
	x.child = launch(c, theirs)
	return &x, nil
}

// abandon closes what begin had opened when it could not go on.
func (x *execution) abandon(theirs [3]*os.File) {
	x.stdin.close()
	if x.stdout != nil {
		x.stdout.file.Close()
	}
	closeAll(theirs[:])
}

// wait serves the process until it ends or has to be ended, and stops it
// then.
func (x *execution) wait(ctx context.Context, over <-chan time.Time) ending {
	why := x.follow(ctx, over)
	if why != byItself {
		x.stop()
	}
	return why
}

func (x *execution) follow(ctx context.Context, over <-chan time.Time) ending {
	started := x.child.started
	exited := (<-chan struct{})(nil)
	fed := x.stdin.done
	for {
		select {
		case <-started:
			started, exited = nil, x.child.exited
			x.serve(x.child.err == nil)
		case <-exited:
			return byItself
		case <-fed:
			fed = nil
			if x.stdin.err != nil {
				return unfed
			}
		case <-over:
			return timedOut
		case <-ctx.Done():
			return canceled
		}
	}
}

// serve starts the goroutines of the streams, once. An input that is not to
// be written is closed.
func (x *execution) serve(input bool) {
	if x.served {
		return
	}
	x.served = true
	if !input {
		x.stdin.src = nil
	}
	go x.stdin.run()
	go x.stdout.run()
	go x.stderr.run()
}

// stop ends the process and its group: SIGTERM, a grace that is over as soon
// as nothing is left to wait for, SIGKILL (D34). The leader is not reaped
// before, so that the group's number cannot be another's.
func (x *execution) stop() {
	x.stopped = true
	grace := time.NewTimer(spec.KillGrace)
	defer grace.Stop()
	x.child.giveUp()
	if !within(grace.C, x.child.started) || x.child.err != nil {
		return
	}
	x.serve(false)
	x.child.process.terminate()
	within(grace.C, x.child.exited, x.stdout.done, x.stderr.done)
	x.child.process.kill()
	limit := time.NewTimer(killWait)
	defer limit.Stop()
	within(limit.C, x.child.exited)
}

// end collects what the process left, and leaves nothing behind.
func (x *execution) end(r *Result) {
	switch {
	case isDone(x.child.started) && x.child.err != nil:
		if !x.stopped {
			r.Err = x.child.err
		}
	case isDone(x.child.started) && isDone(x.child.exited):
		r.Status, r.Signal, r.Err = x.child.process.reap()
	default:
		x.child.disown()
	}
	x.serve(false)
	x.collect(r)
}

// collect ends the streams. A child that the process left may hold them: a
// whole answer on stdout ends the wait, else the grace does (D35).
func (x *execution) collect(r *Result) {
	x.stdin.end()
	until := time.Now().Add(spec.PipeGrace)
	x.stdout.end(until)
	if x.stdout.answered {
		until = time.Now()
	}
	x.stderr.end(until)
	r.Stdout, r.Stderr = x.stdout.output(), x.stderr.output()
	for _, err := range []error{x.stdin.err, x.stdout.err, x.stderr.err} {
		if r.Err == nil {
			r.Err = err
		}
	}
}

// within waits for all events and reports whether they came before limit.
func within(limit <-chan time.Time, events ...<-chan struct{}) bool {
	for _, event := range events {
		select {
		case <-event:
		case <-limit:
			return false
		}
	}
	return true
}

func isDone(event <-chan struct{}) bool {
	select {
	case <-event:
		return true
	default:
		return false
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}
