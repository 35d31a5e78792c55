package agenthooks

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/async"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// records holds where the results of hooks are kept for the user (D33). The
// zero records keep nothing.
type records struct {
	state    string              // the directory; "" if there is none
	getenv   func(string) string // the caller's environment
	settings *settings           // nil: keep nothing
}

func (o located) records(s *settings) records {
	if o.NoLog || o.Isolated {
		return records{}
	}
	environ := Options{Environ: o.Environ} // the event need not live as long as the hooks
	return records{state: o.State, getenv: environ.getenv, settings: s}
}

// Log appends the run to the user's run log and, if the user enabled recording,
// records its event. Run calls it unless RunOptions.LogLater is set. The
// warnings give the reasons why the event was not recorded, one line each. The
// run log never causes a warning (D33).
func (r *Report) Log() (warnings []string) {
	if r.records.settings == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			warnings = append(warnings, fmt.Sprintf("the event was not recorded: internal error: %v", p))
		}
	}()
	warnings = r.logHooks()
	return append(warnings, r.record()...)
}

// maxLogged limits how many of a project's hooks one run logs, so that a
// project with many hooks does not push older records out of the log. A deny is
// always logged.
const maxLogged = 100

// logHooks logs each hook that ran or failed.
func (r *Report) logHooks() (warnings []string) {
	var entries []runlog.Entry
	project, reasons := 0, r.records.settings.LogsReasons()
	for _, h := range r.Hooks {
		if !h.Matched || h.Outcome == NotReached || h.Outcome == Started {
			continue
		}
		if h.Scope == string(discovery.ProjectScope) {
			if project++; project > maxLogged && h.Outcome != OutcomeDeny {
				continue
			}
		}
		entry := runlog.Entry{
			Time: time.Now(), Hook: h.Hook, Scope: h.Scope, Event: string(r.Event), Agent: r.Agent, Project: r.Project,
			Outcome: string(h.Outcome), Decision: h.Effect(), Gave: gave(h.Answer), Would: h.Would,
			DurationMS: float64(h.Duration) / float64(time.Millisecond), Cause: h.LogCause(),
		}
		if reasons {
			entry.Reason = h.reason
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return nil
	}
	if dir := r.records.state; dir != "" {
		_ = runlog.Append(dir, entries...)
	}
	if project > maxLogged {
		return []string{fmt.Sprintf("the run log has only %d of the %d hooks of the project that this run concerned", maxLogged, project)}
	}
	return nil
}

// gave names the parts of an answer other than its decision, for the run log.
func gave(a protocol.Answer) string {
	var parts []string
	for _, part := range []struct {
		name string
		has  bool
	}{
		{"input", a.ModifiedInput != nil}, {"prompt", a.ModifiedPrompt != ""}, {"output", a.UpdatedOutput != nil},
		{"context", a.AdditionalContext != ""}, {"message", a.SystemMessage != ""}, {"stop", a.Stop},
	} {
		if part.has {
			parts = append(parts, part.name)
		}
	}
	return strings.Join(parts, "+")
}

// record records the event if the user's hooks.toml or AGENT_HOOKS_RECORD
// enables recording.
func (r *Report) record() (warnings []string) {
	said := r.records.settings.Recording()
	if !said.Asked(r.records.getenv) {
		return nil
	}
	to := said.Recorder(r.records.getenv, func() string { return r.records.state })
	if to.Warning != "" {
		warnings = append(warnings, to.Warning)
	}
	if !to.On {
		return warnings
	}
	if err := r.keep(record.Store{Dir: to.Dir, Keep: to.Keep}); err != nil {
		warnings = append(warnings, err.Error())
	}
	return warnings
}

func (r *Report) keep(store record.Store) error {
	var b bytes.Buffer
	if !record.TooLarge(r.event.Size()) {
		if _, err := r.event.WriteTo(&b); err != nil {
			return err
		}
	}
	now := time.Now()
	text, err := r.entry(now).Encode(b.Bytes(), r.event.Size())
	if err != nil {
		return err
	}
	return store.Add(now, text)
}

// entry returns the record of a report, without any output of a hook.
func (r *Report) entry(now time.Time) record.Record {
	kept := record.Record{
		Time: now.UTC(), Trigger: r.Event, Agent: r.Agent, Project: r.Project, WorkDir: r.WorkDir,
		Blocked: r.Blocked, Decision: string(r.Answer.Decision), Modified: r.Answer.ModifiedInput != nil, Gave: gave(r.Answer),
	}
	for _, h := range r.Hooks {
		hook := record.Hook{
			Hook: h.Hook, Scope: h.Scope, Async: h.Async, Outcome: string(h.Outcome),
			Decision: h.Effect(), Modified: h.Answer.ModifiedInput != nil,
			Changes:    record.Digest(h.Answer.ModifiedInput, h.Answer.UpdatedOutput, h.Answer.ModifiedPrompt),
			DurationMS: float64(h.Duration) / float64(time.Millisecond),
		}
		if h.Runs > 0 && h.Status >= 0 {
			hook.Status = &h.Status
		}
		kept.Hooks = append(kept.Hooks, hook)
	}
	return kept
}

// logJob logs how an async hook ended and keeps the end of its output.
func (r records) logJob(job async.Job, result exec.Result) {
	if r.settings == nil {
		return
	}
	dir := r.state
	if dir == "" {
		return
	}
	outcome, cause := asyncOutcome(job, result)
	// The run log never causes a failure (D33).
	_ = runlog.Append(dir, runlog.Entry{
		Time: time.Now(), Hook: job.Label["hook"], Scope: job.Label["scope"], Event: job.Label["event"],
		Agent: job.Label["agent"], Project: job.Label["project"],
		Outcome: string(outcome), Decision: effect(outcome, true, protocol.NoOpinion),
		DurationMS: float64(result.Duration) / float64(time.Millisecond), Cause: cause,
	})
	_ = runlog.KeepOutput(dir, job.Label["hook"], result.Stdout.Data, result.Stderr.Data)
}

// Effect returns the effect on the operation if the outcome does not state it:
// allow, ask or deny for a failure, allow for a deny that did not count, none
// for an async or observed hook; otherwise "".
func (h *HookReport) Effect() string {
	if h.Would != "" && h.Outcome != OutcomeNone && h.Outcome != Canceled {
		return "none"
	}
	return effect(h.Outcome, h.Async, h.Answer.Decision)
}

func effect(outcome Outcome, async bool, d protocol.Decision) string {
	switch {
	case outcome == OutcomeNone:
		return ""
	case async || outcome == Canceled || outcome == NotEnforced:
		return "none"
	case outcome == Failed, outcome == TimedOut, outcome == OutcomeDeny:
		if d == protocol.NoOpinion {
			d = protocol.Allow
		}
	}
	if string(d) == string(outcome) {
		return ""
	}
	return string(d)
}
