package resident

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// conversation is a process of a hook.
type conversation struct {
	caller   rpc.Caller
	dialog   script.Dialog // that started it
	process  *exec.Resident
	greeted  chan struct{} // closed once hook.hello has been answered or has failed
	greeting error
}

// Once sends the event to a process that ends with it. A result with an error counts only if it
// restricts.
func Once(ctx context.Context, h *Hook) (exec.Result, error) {
	c, err := converse(h)
	if err != nil {
		return exec.Result{Status: -1}, err
	}
	result, err := c.once(ctx, h)
	if err != nil {
		c.process.End(0)
	}
	return result, err
}

func converse(h *Hook) (*conversation, error) {
	c := &conversation{dialog: h.Dialog, greeted: make(chan struct{})}
	c.caller.Refuses = func(text []byte) bool { return h.Dialog.Refusal(nil, text) != nil }
	command := h.Command
	command.Stdin, command.Complete = nil, nil
	var err error
	c.process, err = exec.StartResident(command, c.take)
	if err != nil {
		return nil, err
	}
	go c.greet(h.Name, h.Command.Timeout)
	return c, nil
}

// take reads a line of the process. A mistake in reading it fails each hook that
// waits, instead of ending the program.
func (c *conversation) take(line []byte, cut bool) {
	defer func() {
		if p := recover(); p != nil {
			c.caller.Fail(fmt.Sprintf("internal error: %v", p))
		}
	}()
	c.caller.Take(line, cut)
}

// greet performs the handshake, which does not depend on the request that started the process. It
// ends a process that does not complete it.
func (c *conversation) greet(hook string, timeout time.Duration) {
	defer close(c.greeted)
	ctx, cancel := context.WithTimeoutCause(context.Background(), timeout, exec.TimeoutAfter(timeout))
	defer cancel()
	c.greeting = c.dialog.Hello(c.talk(ctx), hook)
	if c.greeting != nil {
		go c.process.End(0)
	}
}

// once sends one event to the process and then ends it.
func (c *conversation) once(ctx context.Context, h *Hook) (exec.Result, error) {
	answer, err := c.ask(ctx, h.Dialog)
	if err != nil {
		return c.result(nil), err
	}
	if answer != nil {
		c.process.End(spec.KillGrace)
		return c.result(answer), nil
	}
	// A notification has no response: the exit status is the result.
	c.process.CloseInput()
	select {
	case <-c.process.Ended():
		return c.result(nil), exitError(c.process.Result())
	case <-ctx.Done():
		return c.result(nil), context.Cause(ctx)
	}
}

// ask sends an event and returns the answer, which is nil for a notification.
func (c *conversation) ask(ctx context.Context, d script.Dialog) ([]byte, error) {
	select {
	case <-c.greeted:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if c.greeting != nil {
		return nil, c.greeting
	}
	return d.Converse(c.talk(ctx))
}

func (c *conversation) talk(ctx context.Context) script.Talk {
	return script.Talk{
		Ask: func(method string, params []byte) ([]byte, error) {
			line, reply, forget := c.caller.Request(method, params)
			defer forget()
			if err := c.process.Write(ctx, line); err != nil && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return c.await(ctx, reply)
		},
		Tell: func(method string, params []byte) error {
			if err := c.process.Write(ctx, rpc.Line("", method, params)); err != nil && ctx.Err() != nil {
				return context.Cause(ctx)
			} else if err != nil {
				return c.left()
			}
			return nil
		},
	}
}

// await waits for the answer to a request or for the end of the process.
func (c *conversation) await(ctx context.Context, reply <-chan rpc.Reply) ([]byte, error) {
	select {
	case r := <-reply:
		return c.read(r)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-c.process.Ended():
	}
	select { // all of its output has been read
	case r := <-reply:
		return c.read(r)
	default:
		return nil, c.left()
	}
}

// errBroken is the failure of a process that gave an unreadable answer.
var errBroken = errors.New("bad answer")

// read returns the result of a reply. A refusal counts whatever is next to it.
func (c *conversation) read(r rpc.Reply) ([]byte, error) {
	refusal := c.dialog.Refusal(r.Results, r.Line)
	switch {
	case r.Broken != "":
		return refusal, fmt.Errorf("%w: %s", errBroken, r.Broken)
	case r.Error != nil:
		return refusal, &script.HookError{Object: r.Error}
	case refusal != nil:
		return refusal, nil
	}
	return r.Results[0], nil
}

// errLeft is the failure of a process that ended without an answer.
type errLeft struct{ error }

func (e errLeft) Unwrap() error { return e.error }

// left returns how the process ended before answering.
func (c *conversation) left() error {
	<-c.process.Ended()
	err := exitError(c.process.Result())
	if err == nil {
		err = script.ErrLeft
	}
	return errLeft{err}
}

func (c *conversation) gone() bool {
	select {
	case <-c.process.Ended():
		return true
	default:
		return false
	}
}

// result returns the result of the process: its answer and the end of its stderr.
func (c *conversation) result(answer []byte) exec.Result {
	r := exec.Result{Status: -1}
	if c.gone() {
		r = c.process.Result()
		r.Err = nil
	} else {
		r.Stderr.Data = c.process.Stderr()
	}
	if answer != nil {
		r.Status, r.Signal = spec.ExitContinue, ""
	}
	r.Stdout.Data = answer
	return r
}

// exitError returns the failure for an exit, nil for success.
func exitError(r exec.Result) error {
	if err := r.Unfinished(0); err != nil || r.Status == spec.ExitContinue {
		return err
	}
	_, _, err := protocol.Judge(spec.PostAgentTurn, "", protocol.Exit{Status: r.Status, Stderr: r.Stderr.Data})
	if err == nil {
		err = fmt.Errorf("exit status %d: %s", r.Status, shown.OneLine(string(protocol.Reason(r.Stderr.Data))))
	}
	return err
}
