package agenthooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// converse sends an event to a hook that reads requests and writes responses
// (D60). After a failure it retries as often as the hook allows, all within the
// hook's timeout (D12).
func (r *runner) converse(ctx context.Context, t *turn) protocol.Answer {
	ctx, cancel := context.WithTimeoutCause(ctx, t.prepared.Timeout, timeoutAfter(t.prepared.Timeout))
	defer cancel()
	for tries := t.row.Hook.Retry; ; tries-- {
		began := time.Now()
		result, err := r.talk(ctx, t)
		result.Duration = time.Since(began)
		r.judging.Lock()
		r.room -= t.report.take(result, r.room)
		var answer protocol.Answer
		if err == nil {
			answer, err = r.judge(t, result)
		}
		r.judging.Unlock()
		if err == nil {
			return answer
		}
		if tries <= 0 || ctx.Err() != nil {
			return t.failure(err)
		}
	}
}

// talk sends the event to the hook's process once: to the session's process if
// processes are kept, otherwise to one that ends with the event.
func (r *runner) talk(ctx context.Context, t *turn) (exec.Result, error) {
	if kept := r.plan.hooks.residents; kept != nil {
		if result, err, asked := kept.talk(ctx, r, t); asked {
			return result, err
		}
	}
	return onceFor(ctx, t)
}

// onceFor sends the event to a process that ends with it.
func onceFor(ctx context.Context, t *turn) (exec.Result, error) {
	p, err := startHook(t)
	if err != nil {
		return exec.Result{Status: -1}, err
	}
	result, err := p.once(ctx, t)
	if err != nil {
		p.process.End(0)
	}
	return result, err
}

// hookProcess is a process of a hook that converses.
type hookProcess struct {
	caller   rpc.Caller
	process  *exec.Resident
	greeted  chan struct{} // closed once hook.hello has been answered or has failed
	greeting error
}

func startHook(t *turn) (*hookProcess, error) {
	p := &hookProcess{greeted: make(chan struct{})}
	p.caller.Refuses = agent.Refuses
	c := *t.prepared
	c.Stdin, c.Complete = nil, nil
	var err error
	if p.process, err = exec.StartResident(c, p.caller.Take); err != nil {
		return nil, err
	}
	go p.greet(t.foreign, t.report.Hook, t.prepared.Timeout)
	return p, nil
}

// greet performs the handshake, which does not depend on the request that
// started the process. It ends a process that does not complete it.
func (p *hookProcess) greet(f *foreign, hook string, timeout time.Duration) {
	defer close(p.greeted)
	ctx, cancel := context.WithTimeoutCause(context.Background(), timeout, timeoutAfter(timeout))
	defer cancel()
	if p.greeting = f.Hello(p.talk(ctx), hook); p.greeting != nil {
		go p.process.End(0)
	}
}

// once sends one event to the process and then ends it.
func (p *hookProcess) once(ctx context.Context, t *turn) (exec.Result, error) {
	answer, err := p.ask(ctx, t.foreign)
	if err != nil {
		return p.result(nil), err
	}
	if answer != nil {
		p.process.End(spec.KillGrace)
		return p.result(answer), nil
	}
	// A notification has no response: the exit status is the result.
	p.process.CloseInput()
	select {
	case <-p.process.Ended():
		return p.result(nil), exitError(p.process.Result())
	case <-ctx.Done():
		return p.result(nil), p.over(ctx)
	}
}

// ask sends an event and returns the answer, which is nil for a notification.
func (p *hookProcess) ask(ctx context.Context, f *foreign) ([]byte, error) {
	select {
	case <-p.greeted:
	case <-ctx.Done():
		return nil, p.over(ctx)
	}
	if p.greeting != nil {
		return nil, p.greeting
	}
	return f.Converse(p.talk(ctx))
}

func (p *hookProcess) talk(ctx context.Context) agent.Talk {
	return agent.Talk{
		Ask: func(method string, params []byte) ([]byte, error) {
			line, reply, forget := p.caller.Request(method, params)
			defer forget()
			if err := p.process.Write(ctx, line); err != nil && ctx.Err() != nil {
				return nil, p.over(ctx)
			}
			return p.await(ctx, reply)
		},
		Tell: func(method string, params []byte) error {
			if err := p.process.Write(ctx, rpc.Line("", method, params)); err != nil && ctx.Err() != nil {
				return p.over(ctx)
			} else if err != nil {
				return p.left()
			}
			return nil
		},
	}
}

// await waits for the answer to a request or for the end of the process.
func (p *hookProcess) await(ctx context.Context, reply <-chan rpc.Reply) ([]byte, error) {
	select {
	case r := <-reply:
		return read(r)
	case <-ctx.Done():
		return nil, p.over(ctx)
	case <-p.process.Ended():
	}
	select { // all of its output has been read
	case r := <-reply:
		return read(r)
	default:
		return nil, p.left()
	}
}

// errBroken is the failure of a process that gave an unreadable answer.
var errBroken = errors.New("bad answer")

// read returns the result of a reply. A refusal counts whatever is next to it.
func read(r rpc.Reply) ([]byte, error) {
	refusal := agent.Refusal(r.Results, r.Line)
	switch {
	case r.Broken != "":
		return refusal, fmt.Errorf("%w: %s", errBroken, r.Broken)
	case r.Error != nil:
		return refusal, &agent.HookError{Object: r.Error}
	case refusal != nil:
		return refusal, nil
	}
	return r.Results[0], nil
}

// errLeft is the failure of a process that ended without an answer.
type errLeft struct{ error }

func (e errLeft) Unwrap() error { return e.error }

// left returns how the process ended before answering.
func (p *hookProcess) left() error {
	<-p.process.Ended()
	err := exitError(p.process.Result())
	if err == nil {
		err = agent.ErrLeft
	}
	return errLeft{err}
}

// over returns the error for a request whose context has ended.
func (p *hookProcess) over(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, errTimeout) {
		return cause
	}
	return ended(ctx)
}

// result returns the result of the hook's process for the report: its answer
// and the end of its stderr.
func (p *hookProcess) result(answer []byte) exec.Result {
	r := exec.Result{Status: -1}
	select {
	case <-p.process.Ended():
		r = p.process.Result()
		r.Err = nil
	default:
		r.Stderr.Data = p.process.Stderr()
	}
	if answer != nil {
		r.Status, r.Signal = spec.ExitContinue, ""
	}
	r.Stdout.Data = answer
	return r
}

// exitError returns the failure for an exit status, nil for success.
func exitError(r exec.Result) error {
	if err := unfinished(r, 0); err != nil || r.Status == spec.ExitContinue {
		return err
	}
	_, _, err := protocol.Judge(spec.PostAgentTurn, "", protocol.Exit{Status: r.Status, Stderr: r.Stderr.Data})
	if err == nil {
		err = fmt.Errorf("exit status %d: %s", r.Status, oneLine(string(protocol.Reason(r.Stderr.Data))))
	}
	return err
}
