package agenthooks

import (
	"context"
	"errors"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/spec"
)

// notify sends a notification to the hook's process for the session, which is
// then one process for all events, as in its own system. It does not wait for
// the process. It returns false if processes are not kept.
func (r *runner) notify(t *turn) bool {
	kept := r.plan.hooks.residents
	if kept == nil || t.foreign == nil || !t.foreign.Agent.Converses || !t.foreign.Notifies() || r.ctx.Err() != nil || r.options.Wait || r.options.async != nil {
		return false
	}
	told := *t // the run goes on with t
	told.prepared, told.foreign = r.command(&told), t.foreign
	job := r.job(&told)
	key := kept.keyOf(r, &told)
	p, fresh, err := kept.take(key, &told) // now, so that the end of the session ends it
	if p == nil {
		if err != nil {
			r.plan.hooks.records.logJob(job, exec.Result{Err: err, Status: -1})
		}
		return err != nil
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(r.ctx), job.Timeout, timeoutAfter(job.Timeout))
	kept.inOrder(p, func() {
		defer cancel()
		began := time.Now()
		_, err := p.ask(ctx, told.foreign)
		result := p.result(nil)
		kept.done(key, p, err)
		if errors.As(err, &errLeft{}) && !fresh { // it was started for an earlier event
			result, err = onceFor(ctx, &told)
		}
		if result.Err = err; err == nil {
			result.Status, result.Signal = spec.ExitContinue, ""
		}
		result.Duration = time.Since(began)
		r.plan.hooks.records.logJob(job, result)
	})
	return true
}

// inOrder calls tell in another goroutine, after earlier notifications of the
// process.
func (k *residents) inOrder(p *resident, tell func()) {
	told := make(chan struct{})
	k.mu.Lock()
	before := p.told
	p.told = told
	k.mu.Unlock()
	go func() {
		defer close(told)
		if before != nil {
			<-before
		}
		tell()
	}()
}

func (k *residents) lastTold(p *resident) <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return p.told
}

// await waits until all channels that are not nil are closed, or until end.
func await[T any](end <-chan T, all []<-chan struct{}) {
	for _, one := range all {
		if one == nil {
			continue
		}
		select {
		case <-one:
		case <-end:
			return
		}
	}
}
