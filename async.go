package agenthooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// startAsync starts the async hooks that match the final input (D7, D29). After
// a block, it starts those before the hook that blocked, with the refused
// input, because an audit log must include refused calls.
func (r *runner) startAsync(s *state) {
	var own, others []*attempt
	for i := range s.turns {
		if i == s.blocker {
			break
		}
		row := s.turns[i].row
		if !row.Hook.Async {
			continue
		}
		if s.version > 0 && r.ctx.Err() == nil { // otherwise start reports it
			r.plan.decide(&row, s.event, time.Time{})
		}
		t := &attempt{plan: r.plan, row: row, report: s.turns[i].report, current: s.event}
		t.report.plan(&row)
		switch {
		case row.Failed == Depth:
			t.report.Outcome = NotConcerned
		case row.Failure != nil:
			t.report.Outcome, t.report.Cause = Failed, r.plan.explained(&row, row.Failure).Error()
			t.report.warnf("%s; operation allowed", shown.OneLine(t.report.Cause))
		case row.Runs && r.plan.hooks.in.script(row.Hook.Protocol) != nil:
			others = append(others, t)
		case row.Runs:
			own = append(own, t)
		}
	}
	for len(own) > 0 { // managed hooks first: tools are declared for them separately (D82)
		n := slices.IndexFunc(own, func(t *attempt) bool { return isManaged(t.row.Hook) != isManaged(own[0].row.Hook) })
		if n < 0 {
			n = len(own)
		}
		event, jobs := s.event, make([]async.Job, n)
		for i, t := range own[:n] {
			jobs[i] = r.job(t)
		}
		if g := r.guess(own[0].row.Hook, s.event); g.IsFor(true) {
			event = view(s.event, g, g.Declared)
		}
		r.started(own[:n], r.start(jobs, event))
		own = own[n:]
	}
	for _, t := range others { // each has its own payload
		event, _ := r.view(&t.row, s.event)
		parts, err := r.parts(&t.row, event)
		if err != nil {
			r.started([]*attempt{t}, err)
			continue
		}
		if parts == nil {
			parts = []*protocol.Event{event}
		}
		for _, part := range parts {
			t.foreign = r.foreign(&t.row, part)
			if r.notify(t) {
				r.started([]*attempt{t}, nil)
				continue
			}
			r.started([]*attempt{t}, r.start([]async.Job{r.job(t)}, payload(t.foreign.Reads().Stdin)))
		}
	}
}

// started records that async hooks were started, or why they were not.
func (r *runner) started(all []*attempt, err error) {
	for _, t := range all {
		t.report.Outcome = Started
		switch {
		case errors.Is(err, exec.ErrCanceled):
			t.cancel()
			continue
		case errors.Is(err, exec.ErrTimeout):
			t.report.Outcome = TimedOut
		case err != nil:
			t.report.Outcome = Failed
		}
		if err != nil {
			t.report.Cause = err.Error()
			t.report.warnf("%s; operation allowed", shown.OneLine(t.report.Cause))
		}
	}
}

// start starts jobs unless the run has ended (D32).
func (r *runner) start(jobs []async.Job, event io.WriterTo) error {
	switch {
	case r.ctx.Err() != nil:
		return stopped(r.ctx)
	case r.options.async != nil:
		return r.options.async(jobs, event)
	case !r.options.Wait && r.plan.hooks.in.Supervisor != nil: // which outlives this process
		return async.Detach(ownExecutable(), r.plan.hooks.in.Supervisor, r.plan.cleaned().Environ(false), jobs, event)
	}
	var b bytes.Buffer
	if _, err := event.WriteTo(&b); err != nil {
		return fmt.Errorf("keep the event: %w", err)
	}
	kept := io.NewSectionReader(bytes.NewReader(b.Bytes()), 0, int64(b.Len()))
	supervise := func(ctx context.Context) {
		async.Supervise(ctx, r.plan.cleaned().Environ(false), jobs, kept, r.plan.hooks.records.failed, r.plan.hooks.records.logJob)
	}
	if r.options.Wait {
		supervise(r.ctx)
	} else { // the end of the run's context does not stop them
		go supervise(context.WithoutCancel(r.ctx))
	}
	return nil
}

// ownExecutable returns the program to start again. On Linux it is found even
// if its file has been replaced.
func ownExecutable() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	path, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return path
}

// Supervise runs async hooks in the process that Options.Supervisor starts, and
// returns when they have ended. When ctx ends, it stops them. stdin must be the
// standard input of that process. o determines where they are logged; it should
// equal the Options of the run. An error means that stdin could not be read, so
// that no hook has run.
func Supervise(ctx context.Context, stdin *os.File, o Options) error {
	jobs, event, err := async.ReadJobs(stdin)
	if err != nil {
		return fmt.Errorf("read the async hooks to run: %w", err)
	}
	l := o.complete().locate()
	environ, _, _ := inherited(l.Environ)
	records := l.records(&configuration{})
	async.Supervise(ctx, environ, jobs, event, records.failed, records.logJob)
	return nil
}

func (r *runner) job(t *attempt) async.Job {
	vars := r.variables(t)
	if path := r.plan.cleaned().Path(true); isProjects(t.row.Hook) && path != r.plan.cleaned().Path(false) {
		vars = append(vars, "PATH="+path)
	}
	job := async.Job{
		Path: t.row.entry.Argv[0], Args: t.row.entry.Argv, Dir: r.plan.WorkDir, Env: vars,
		Timeout: t.row.Hook.Timeout, Limit: t.row.Hook.Limit(), Retry: t.row.Hook.Retry,
		Label: map[string]string{
			"hook": t.report.Hook, "scope": t.report.Scope, "event": string(r.plan.Event.Type),
			"agent": r.plan.hooks.in.Agent.Name, "project": r.plan.hooks.Project.Root,
			"session": t.current.SessionID, "tool": toolName(t.current), "dir": t.row.Hook.Dir, "origin": t.row.Hook.Origin,
		},
	}
	if why := r.plan.why(&t.row, ""); why != "" {
		job.Label["environment"] = why
	}
	if t.foreign != nil {
		in := t.foreign.Reads()
		job.Dir, job.Env = in.Dir, slices.Concat(in.Environ, vars)
		job.Label["protocol"], job.Label["native"] = t.row.Hook.Protocol, in.Native
		if in.Own {
			job.Label["own"] = "true"
		}
	}
	if isManaged(t.row.Hook) {
		job.Env, job.Whole = r.environ(t), true
	}
	return job
}

// outcome returns the outcome of an async hook and the cause of a failure
// for the run log, without any text from the hook (D33, D36). If only the end
// of the output was kept, there is no answer, which would decide nothing.
func (r records) outcome(job async.Job, result exec.Result) (Outcome, string) {
	err := result.Unfinished(job.Timeout)
	var answer protocol.Answer
	if err == nil {
		exit := protocol.Exit{Status: result.Status, Stdout: result.Stdout.Data, Stderr: result.Stderr.Data}
		if result.Stdout.Dropped > 0 {
			exit.Stdout = nil
		}
		answer, err = r.judge(job, exit)
	}
	if err == nil {
		return outcomeOf(answer.Decision), ""
	}
	outcome, cause := Failed, logCause(err)
	switch {
	case errors.Is(err, exec.ErrTimeout):
		outcome = TimedOut
	case errors.Is(err, exec.ErrCanceled):
		return Canceled, cause
	}
	if why := job.Label["environment"]; why != "" {
		cause += " (" + why + ")"
	}
	return outcome, cause
}

// failed reports whether an async hook failed and may be retried (D12).
func (r records) failed(job async.Job, result exec.Result) bool {
	_, cause := r.outcome(job, result)
	return cause != ""
}

// notify sends a notification to the hook's process for the session, which is
// then one process for all events, as in its own system. It does not wait for
// the process. It returns false if processes are not kept.
func (r *runner) notify(t *attempt) bool {
	kept := r.plan.hooks.residents
	if kept == nil || t.foreign == nil || t.foreign.Dialog() == nil || !t.foreign.Dialog().Notifies() || r.ctx.Err() != nil || r.options.Wait || r.options.async != nil {
		return false
	}
	told := *t // the run goes on with t
	r.command(&told)
	told.foreign = t.foreign
	job := r.job(&told)
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(r.ctx), job.Timeout, exec.TimeoutAfter(job.Timeout))
	isKept := kept.Notify(ctx, r.conversation(&told), func(result exec.Result) {
		cancel()
		r.plan.hooks.records.logJob(job, result)
	})
	if !isKept {
		cancel()
	}
	return isKept
}

// judge returns the answer that an async hook's exit means.
func (r records) judge(job async.Job, exit protocol.Exit) (protocol.Answer, error) {
	hook := job.Label["hook"]
	if name := job.Label["protocol"]; name != "" {
		system := r.scripts(name)
		if system == nil {
			return protocol.Answer{}, fmt.Errorf("metadata.protocol %q is unknown", name)
		}
		return system.JudgeLater(job.Label["native"], job.Label["own"] != "", hook, exit)
	}
	answer, _, err := protocol.Judge(spec.EventType(job.Label["event"]), hook, exit)
	return answer, err
}
