package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// superviseName is the command by which run starts itself again to look after
// async hooks (D36). It is no command for people.
const superviseName = "supervise-async"

// superviseCommand runs the jobs that stand on stdin, with the event behind
// them.
func superviseCommand(env *Env, _ []string) (int, error) {
	stdin, ok := env.Stdin.(*os.File)
	if !ok || isTerminal(stdin) {
		return 0, usagef("agent-hooks help", "%s is started by run alone", superviseName)
	}
	jobs, event, err := exec.ReadJobs(stdin)
	if err != nil {
		return 0, fmt.Errorf("read the async hooks to run: %w", err)
	}
	ctx, signals := catchSignals(context.Background())
	defer signals.release()
	exec.Supervise(ctx, agenthooks.Inherited(env.Environ), jobs, event, agenthooks.AsyncFailed, env.logJob)
	signals.dieIfCaught()
	return spec.ExitContinue, nil
}

// asyncStarter returns what starts a run's async hooks: a detached
// supervisor, or, with wait, this process.
func (env *Env) asyncStarter(ctx context.Context, wait bool) func([]exec.Job, *protocol.Event) error {
	return func(jobs []exec.Job, event *protocol.Event) error {
		if !wait {
			size, err := event.WriteTo(io.Discard)
			if err != nil {
				return err
			}
			return exec.Detach(ownExecutable(), []string{env.Args[0], superviseName}, env.Environ, jobs, event, size)
		}
		var b bytes.Buffer
		if _, err := event.WriteTo(&b); err != nil {
			return err
		}
		source := io.NewSectionReader(bytes.NewReader(b.Bytes()), 0, int64(b.Len()))
		exec.Supervise(ctx, agenthooks.Inherited(env.Environ), jobs, source, agenthooks.AsyncFailed, env.logJob)
		return nil
	}
}

// ownExecutable is the program to start again. On Linux it is found even if
// its file was replaced meanwhile.
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

// logJob notes how an async hook ended, and keeps its last output.
func (env *Env) logJob(job exec.Job, result exec.Result) {
	dir := discovery.StateDir(env.Getenv)
	if dir == "" {
		return
	}
	outcome, cause := agenthooks.AsyncOutcome(job, result)
	// The run log is never a reason to fail (D33).
	_ = runlog.Append(dir, runlog.Entry{
		Time: time.Now(), Hook: job.Label["hook"], Scope: job.Label["scope"], Event: job.Label["event"],
		Agent: job.Label["agent"], Project: job.Label["project"],
		Outcome: string(outcome), Decision: effect(outcome, true, protocol.NoOpinion),
		DurationMS: float64(result.Duration) / float64(time.Millisecond), Cause: cause,
	})
	_ = runlog.KeepOutput(dir, job.Label["hook"], result.Stdout.Data, result.Stderr.Data)
}

// logRun notes each hook that a run executed, or that failed (D33).
func (env *Env) logRun(report *agenthooks.Report) {
	var entries []runlog.Entry
	for _, h := range report.Hooks {
		if !h.Matched || h.Outcome == agenthooks.NotReached || h.Outcome == agenthooks.Started {
			continue
		}
		entries = append(entries, runlog.Entry{
			Time: time.Now(), Hook: h.Hook, Scope: h.Scope, Event: string(report.Event), Agent: report.Agent, Project: report.Project,
			Outcome: string(h.Outcome), Decision: effect(h.Outcome, h.Async, h.Answer.Decision),
			DurationMS: float64(h.Duration) / float64(time.Millisecond), Cause: h.LogCause(),
		})
	}
	if dir := discovery.StateDir(env.Getenv); dir != "" && len(entries) > 0 {
		_ = runlog.Append(dir, entries...)
	}
}

// effect says in the run log what an outcome meant for the operation, where
// the outcome does not say so.
func effect(outcome agenthooks.Outcome, async bool, d protocol.Decision) string {
	switch {
	case outcome == agenthooks.OutcomeNone:
		return ""
	case async:
		return "none"
	case outcome == agenthooks.Failed, outcome == agenthooks.TimedOut, outcome == agenthooks.OutcomeDeny:
		if d == protocol.NoOpinion {
			d = protocol.Allow
		}
	}
	if string(d) == string(outcome) {
		return ""
	}
	return string(d)
}
