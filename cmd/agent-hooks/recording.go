package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// recordVar names the directory to record events in, whatever hooks.toml
// says.
const recordVar = "AGENT_HOOKS_RECORD"

// recording says whether and where events are recorded.
type recording struct {
	on    bool
	by    string // what switched it on, or off; "" if nothing says anything
	store record.Store
	// warning says why something that asks for it is ignored; "" if nothing is.
	warning string
}

// recording finds out whether events are recorded. said is what the user's
// hooks.toml says.
func (env *Env) recording(said config.Recording) recording {
	r := recording{store: record.Store{Dir: said.Dir, Keep: said.Keep}, by: said.Place, on: said.Enabled}
	if dir := env.Getenv(recordVar); filepath.IsAbs(dir) {
		r.store.Dir = filepath.Clean(dir)
		r.on, r.by = true, recordVar
		return r
	} else if dir != "" {
		r.warning = fmt.Sprintf("%s is %q, which is not an absolute path; it is ignored", recordVar, dir)
	}
	if r.store.Dir != "" {
		return r
	}
	if state := discovery.StateDir(env.Getenv); state != "" {
		r.store.Dir = filepath.Join(state, "events")
	} else if r.on {
		r.on, r.warning = false, "events cannot be recorded: neither XDG_STATE_HOME nor HOME is an absolute path, and hooks.toml names no dir"
	}
	return r
}

// recordRun keeps the event of a run and what came of it, if the user asks
// for that. Whatever happens to it, the answer stands.
func (env *Env) recordRun(said config.Recording, plan *agenthooks.Plan, report *agenthooks.Report) {
	if !said.Enabled && env.Getenv(recordVar) == "" {
		return
	}
	warn := func(format string, args ...any) {
		if !report.Blocked { // then stderr is the reason alone
			env.warn(format, args...)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			warn("the event was not recorded: internal error: %v", p)
		}
	}()
	r := env.recording(said)
	if r.warning != "" {
		warn("%s", r.warning)
	}
	if !r.on {
		return
	}
	if err := keepEvent(r.store, plan.Event, report); err != nil {
		warn("%v", err)
	}
}

func keepEvent(store record.Store, event *protocol.Event, report *agenthooks.Report) error {
	var b bytes.Buffer
	if !record.TooLarge(event.Size()) {
		if _, err := event.WriteTo(&b); err != nil {
			return err
		}
	}
	now := time.Now()
	text, err := recordOf(report, now).Encode(b.Bytes(), event.Size())
	if err != nil {
		return err
	}
	return store.Add(now, text)
}

// recordOf is what is kept of a report: nothing that a hook wrote.
func recordOf(report *agenthooks.Report, now time.Time) record.Record {
	r := record.Record{
		Time: now.UTC(), Trigger: report.Event, Agent: report.Agent, Project: report.Project, WorkDir: report.WorkDir,
		Blocked: report.Blocked, Decision: string(report.Answer.Decision), Modified: report.Answer.ModifiedInput != nil,
	}
	for _, h := range report.Hooks {
		kept := record.Hook{
			Hook: h.Hook, Scope: h.Scope, Async: h.Async, Outcome: string(h.Outcome),
			Decision: effect(h.Outcome, h.Async, h.Answer.Decision), Modified: h.Answer.ModifiedInput != nil,
			DurationMS: float64(h.Duration) / float64(time.Millisecond),
		}
		if h.Runs > 0 && h.Status >= 0 {
			kept.Status = &h.Status
		}
		r.Hooks = append(r.Hooks, kept)
	}
	return r
}
