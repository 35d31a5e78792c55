package agenthooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/internal/rpc"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// foreign is a run of a hook written for another hook system (D60).
type foreign struct{ *agent.Foreign }

// payload is the input of a foreign hook.
type payload []byte

// WriteTo implements io.WriterTo.
func (p payload) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(p)
	return int64(n), err
}

// foreign prepares a run of a hook written for another hook system. It returns
// nil if the hook uses the format's own protocol.
func (r *performer) foreign(row *Row, event *protocol.Event) *foreign {
	a := agent.Find(row.Hook.Protocol)
	if a == nil {
		return nil
	}
	f := a.Foreign(event, r.options.Caller, agent.Place{Project: r.plan.hooks.Project.Root, WorkDir: r.plan.WorkDir, Hook: row.Hook.Dir, Event: nativeEvent(row.Hook),
		Rebuilt: row.guessed != ""})
	if f == nil {
		return nil
	}
	f.IgnoreEdits = r.options.Modify == Ignore
	return &foreign{f}
}

// nativeEvent returns the other system's event that a hook is written for; ""
// if it does not name one.
func nativeEvent(hook *discovery.Hook) string {
	name, _ := hook.Metadata["native-event"].(string)
	return name
}

// asKnown adds the names that the tool has in the hook's system, because its
// matcher was written for them (D63).
func asKnown(s matcher.Subject, protocol string) matcher.Subject {
	a := agent.Find(protocol)
	if a == nil {
		return s
	}
	s.Names = slices.Clip(s.Names)
	known := slices.Clone(s.Own)
	for i, own := range s.Own {
		name := a.NativeTool(own)
		if !slices.Contains(s.Names, name) {
			s.Names = append(s.Names, name)
		}
		if !slices.ContainsFunc(a.Tools, func(t agent.Tool) bool { return t.Native == own }) {
			known[i] = name
		}
	}
	if guess := s.Guess; guess != nil {
		s.Guess = func() ([]matcher.Guess, []string) {
			tools, values := guess()
			for i := range tools {
				tools[i].Names = append(slices.Clip(tools[i].Names), a.NativeTool(tools[i].Tool))
			}
			return tools, values
		}
	}
	s.Own = known // a negative look-around applies to names of that system
	return s
}

// environ returns the inherited environment with the variables of the other
// system. Variables set by the agent itself take precedence. f may be nil.
func (f *foreign) environ(inherited []string) []string {
	switch {
	case f == nil:
		return slices.Clip(inherited)
	case f.Own:
		return slices.Concat(f.Environ, inherited)
	}
	return slices.Concat(inherited, f.Environ)
}

// judge returns the answer that a hook's exit means. f is nil if the hook uses
// the format's own protocol.
func (f *foreign) judge(event *protocol.Event, hook string, exit protocol.Exit) (protocol.Answer, []string, error) {
	if f == nil {
		return protocol.Judge(event.Type, hook, exit)
	}
	return f.Judge(event, hook, exit)
}

// speaks returns why a hook cannot run on the event with its metadata.protocol,
// nil if it can.
func speaks(hook *discovery.Hook, event spec.EventType) error {
	protocol, native := hook.Protocol, nativeEvent(hook)
	a := agent.Find(protocol)
	if a != nil && native != "" {
		if row := a.Event(native); row == nil || row.Failed != event && !slices.Contains(row.Spec(), event) {
			return fmt.Errorf("metadata.native-event %q is not an event of %s for %s", native, a.Name, event)
		}
	}
	if protocol == "" || a != nil && a.EventFor(event) != nil {
		return nil
	}
	if a == nil {
		return fmt.Errorf("metadata.protocol %q is unknown", protocol)
	}
	return fmt.Errorf("metadata.protocol is %s, which has no event for %s", a.Name, event)
}

// label adds the labels that judgeJob needs for a foreign hook.
func (f *foreign) label(label map[string]string) {
	label["protocol"], label["native"] = f.Agent.Name, f.Row.Name
	if f.Own {
		label["own"] = "true"
	}
}

// judgeJob returns the answer that an async hook's exit means.
func judgeJob(job async.Job, exit protocol.Exit) (protocol.Answer, error) {
	hook := job.Label["hook"]
	if a := agent.Find(job.Label["protocol"]); a != nil {
		if row := a.Event(job.Label["native"]); row != nil {
			answer, _, err := a.Judge(row, hook, exit, job.Label["own"] != "")
			return answer, err
		}
	}
	answer, _, err := protocol.Judge(spec.EventType(job.Label["event"]), hook, exit)
	return answer, err
}

// parts divides an event for a hook of a system whose tools take one file per
// call: it returns one event for each file that the hook's matcher matches. It
// returns nil if the event needs no division. A call with too many files is an
// error. The matcher has one budget for all parts; those that it does not decide
// within it count as matched (D19).
func (r *performer) parts(row *Row, event *protocol.Event) (parts []*protocol.Event, err error) {
	a := agent.Find(row.Hook.Protocol)
	if a == nil {
		return nil, nil
	}
	all, err := a.Split(event, r.options.Caller)
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(spec.MatchBudget)
	for i, part := range all {
		if time.Now().After(until) {
			return append(parts, all[i:]...), nil
		}
		copied := *row
		if r.plan.matches(&copied, part) && copied.matchesWhen(part) {
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// executeParts runs one hook on each part of its event, all within its timeout,
// and returns the merged answer. Before an operation, it returns after the first
// deny. A timeout is one failure for all remaining parts.
func (r *performer) executeParts(ctx context.Context, t *turn) protocol.Answer {
	whole, foreign, timeout, begun := t.event, t.foreign, t.prepared.Timeout, time.Now()
	defer func() { t.event, t.foreign = whole, foreign }()
	var answers []protocol.Answer
	var failed HookReport // the first failure
	for _, part := range t.parts {
		t.event, t.foreign = part, r.foreign(t.row, part)
		t.prepared.Stdin, t.prepared.Timeout = payload(t.foreign.Stdin), timeout-time.Since(begun)
		t.prepared.Env = r.environ(t)
		answers = append(answers, r.executePart(ctx, t, bytes.Equal(part.ToolInput(), whole.ToolInput())))
		err := t.report.failure
		if err != nil && failed.failure == nil {
			failed = *t.report
		}
		if answers[len(answers)-1].Decision == protocol.Deny && whole.Type.IsPre() || errors.Is(err, errTimeout) || errors.Is(err, errCanceled) {
			break
		}
	}
	merged := mergeParts(answers)
	if t.report.Outcome = outcomeOf(merged.Decision); failed.failure != nil && merged.Decision == protocol.NoOpinion {
		t.report.Outcome, t.report.Cause, t.report.failure = failed.Outcome, failed.Cause, failed.failure
	}
	return merged
}

// mergeParts merges the answers about the parts of an event. An allow counts
// only if every part is allowed. Equal texts are not repeated.
func mergeParts(answers []protocol.Answer) protocol.Answer {
	all := !slices.ContainsFunc(answers, func(a protocol.Answer) bool { return a.Decision != protocol.Allow })
	type text struct {
		kind int
		text string
	}
	seen := map[text]bool{}
	for i := range answers {
		a := &answers[i]
		for kind, s := range []*string{&a.Reason, &a.AdditionalContext, &a.SystemMessage, &a.Log} {
			if key := (text{kind, *s}); seen[key] {
				*s = ""
			} else {
				seen[key] = true
			}
		}
		if a.Decision == protocol.Allow && !all {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	}
	return protocol.Merge(answers)
}

// executePart runs one hook on one part of an event. It cannot change a part
// that is not the whole input of the tool.
func (r *performer) executePart(ctx context.Context, t *turn, whole bool) protocol.Answer {
	switch {
	case ctx.Err() != nil: // even if every part before was allowed
		return t.failure(ended(ctx))
	case t.prepared.Timeout <= 0:
		return t.failure(timeoutAfter(t.row.Hook.Timeout))
	}
	answer := r.executeWhole(ctx, t)
	if !whole && (answer.ModifiedInput != nil || answer.UpdatedOutput != nil) {
		return t.failure(errors.New("bad answer: it changes one file of a call that has several"))
	}
	return answer
}

// converse sends an event to a hook that reads requests and writes responses
// (D60). After a failure it retries as often as the hook allows, all within the
// hook's timeout (D12).
func (r *performer) converse(ctx context.Context, t *turn) protocol.Answer {
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
func (r *performer) talk(ctx context.Context, t *turn) (exec.Result, error) {
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
