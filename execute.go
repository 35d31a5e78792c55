package agenthooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

var (
	errTimeout  = errors.New("timeout")
	errCanceled = errors.New("the run was canceled before the hook had decided")
)

// command returns the command that starts the hook's process.
func (r *runner) command(t *turn) *exec.Command {
	t.event, t.guess = r.view(t.row)
	t.foreign = r.foreign(t.row, t.event)
	c := &exec.Command{
		Path: t.row.entry.Argv[0], Args: t.row.entry.Argv, Dir: r.plan.WorkDir, Env: r.environ(t),
		Stdin: t.event, Timeout: t.row.Hook.Timeout,
		MaxStdout: spec.MaxOutput + 2*r.event.Size(), MaxStderr: spec.MaxOutput,
		Complete: protocol.Complete,
	}
	if t.foreign != nil {
		t.parts, t.undivided = r.parts(t.row, t.event)
		c.Stdin, c.Dir = payload(t.foreign.Stdin), t.foreign.Dir
	}
	return c
}

// execute runs one hook and returns its answer. After a failure it retries as
// often as the hook allows, all within the hook's timeout (D12).
func (r *runner) execute(ctx context.Context, t *turn) protocol.Answer {
	if ctx.Err() != nil {
		return t.failure(ended(ctx))
	}
	if t.undivided != nil {
		return t.failure(t.undivided)
	}
	if t.parts != nil {
		return r.executeParts(ctx, t)
	}
	return r.executeWhole(ctx, t)
}

// executeWhole runs one hook on t.event.
func (r *runner) executeWhole(ctx context.Context, t *turn) protocol.Answer {
	if t.foreign != nil && t.foreign.Agent.Converses {
		return r.converse(ctx, t)
	}
	return r.executeOnce(ctx, t)
}

// executeOnce runs one hook on one event.
func (r *runner) executeOnce(ctx context.Context, t *turn) protocol.Answer {
	var answer protocol.Answer
	var err error
	exec.Retry(ctx, *t.prepared, t.row.Hook.Retry, func(result exec.Result) bool {
		r.judging.Lock()
		defer r.judging.Unlock()
		r.room -= t.report.take(result, r.room)
		if answer, err = r.judge(t, result); result.Canceled {
			err = ended(ctx)
		}
		return err != nil
	})
	if err != nil {
		return t.failure(err)
	}
	return answer
}

// timeoutAfter is the failure of a hook that did not end within its timeout.
func timeoutAfter(timeout time.Duration) error {
	return fmt.Errorf("%w after %d ms", errTimeout, timeout.Milliseconds())
}

// unfinished returns why a process did not exit by itself, nil if it did (D27).
func unfinished(result exec.Result, timeout time.Duration) error {
	switch {
	case result.Err != nil:
		return result.Err
	case result.TimedOut:
		return timeoutAfter(timeout)
	case result.Canceled:
		return errCanceled
	case result.Signal != "":
		return fmt.Errorf("killed by %s", result.Signal)
	}
	return nil
}

// judge returns the answer of one process of the hook.
func (r *runner) judge(t *turn, result exec.Result) (protocol.Answer, error) {
	if err := unfinished(result, t.row.Hook.Timeout); err != nil {
		return protocol.Answer{}, err
	}
	if result.Status == spec.ExitBlock {
		if err := r.notRead(t, result); err != nil {
			return protocol.Answer{}, err
		}
	}
	exit := protocol.Exit{
		Status: result.Status, Stdout: result.Stdout.Data, Stderr: result.Stderr.Data, Dropped: result.Stdout.Dropped, Event: t.event,
	}
	if caller := r.options.Caller; caller != nil {
		exit.Speaks = func(d protocol.Decision) string { return caller.Speaks(exit, d) }
	}
	answer, warnings, err := t.foreign.judge(t.event, t.report.Hook, exit)
	fitted := t.event
	if err == nil && t.guess != nil {
		fitted = t.guess.event
		answer, err = r.restore(t, answer)
	}
	if caller := r.options.Caller; err == nil && caller != nil {
		answer, err = caller.Fit(fitted, answer)
	}
	if err != nil {
		return protocol.Answer{}, err
	}
	t.report.Outcome, t.report.Cause = outcomeOf(answer.Decision), ""
	for _, w := range warnings {
		t.report.warnf("%s", w)
	}
	if n := result.Stderr.Dropped; n > 0 {
		t.report.warnf("stderr is above its limit; %d bytes were dropped", n)
	}
	return answer, nil
}

func outcomeOf(d protocol.Decision) Outcome {
	if d == protocol.NoOpinion {
		return OutcomeNone
	}
	return Outcome(d)
}

// maxKept limits the bytes of output that a report keeps for all hooks
// together.
const maxKept = 16 << 20

// take records the result of a process. It keeps at most room bytes of its
// output, so that the report stays bounded for any number of hooks, and returns
// the number of bytes kept.
func (h *HookReport) take(r exec.Result, room int) (kept int) {
	h.Runs++
	h.Duration += r.Duration
	h.Status, h.Signal = r.Status, r.Signal
	stdout := r.Stdout.Data[:min(len(r.Stdout.Data), spec.MaxOutput, room)]
	stderr := r.Stderr.Data[:min(len(r.Stderr.Data), room-len(stdout))]
	h.Stdout, h.Stderr = string(stdout), string(stderr)
	kept = len(stdout) + len(stderr)
	h.Dropped = r.Stdout.Dropped + r.Stderr.Dropped + int64(len(r.Stdout.Data)+len(r.Stderr.Data)-kept)
	return kept
}
