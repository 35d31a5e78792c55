package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// agentRun is one call of `agent-hooks run --agent NAME [EVENT]` (D42).
type agentRun struct {
	env      *Env
	flags    runFlags
	call     *agent.Call
	hooks    *agenthooks.Hooks
	reports  []*agenthooks.Report
	verdict  agent.Verdict
	failures []alarm
	warnings []string // for stderr
	session  string
	answered bool
	status   int
	live     *agenthooks.Live // of a server, which handles signals itself; nil in a run
}

// alarm is a message that a hook did not run or failed. It is shown to the user once per
// session, hook and cause, even if its text varies (D45).
type alarm struct{ text, cause string }

func (r *agentRun) failed(text, cause string) {
	r.failures = append(r.failures, alarm{text, cause})
}

// runAgent runs the hooks of an agent's native event and answers in the agent's own form. Only
// an invalid call is an error, with exit status 1. An unreadable payload and an internal error
// are failures, for which the user's on-failure decides (D42).
func (env *Env) runAgent(flags runFlags, args []string) (status int, err error) {
	a, event, err := agentArguments(flags, args)
	if err != nil {
		return 0, err
	}
	if term.IsTerminal(env.Stdin) {
		return 0, usagef("agent-hooks run --agent "+a.Name+" < payload.json", "run reads the agent's payload as JSON from stdin, which is a terminal")
	}
	flags.run = !flags.dryRun
	ctx, cancel := flags.context(context.Background())
	defer cancel()
	r := &agentRun{env: env, flags: flags}
	r.verdict.Ask = askPolicy(flags)
	defer func() {
		if p := recover(); p != nil && !r.answered {
			r.fail(fmt.Errorf("internal error: %v", p))
			status = r.answer()
		}
	}()
	if err := r.read(ctx, a, event); err != nil {
		r.fail(err)
		return r.answer(), nil
	}
	if flags.dryRun {
		return spec.ExitContinue, r.dryRun()
	}
	defer r.log()
	r.run(ctx)
	return r.answer(), nil
}

// context returns the context of a run, which --deadline ends. Half of the time is reserved for
// the user's hooks (D32).
func (f *runFlags) context(parent context.Context) (context.Context, context.CancelFunc) {
	if f.deadline <= 0 {
		return parent, func() {}
	}
	deadline := time.Duration(f.deadline) * time.Millisecond
	f.until = time.Now().Add(deadline / 2)
	return context.WithTimeoutCause(parent, deadline, agenthooks.ErrDeadline)
}

// options returns the options of one run under the deadline.
func (f *runFlags) options() agenthooks.RunOptions {
	o := agenthooks.RunOptions{Wait: f.wait, LogLater: true}
	if f.deadline > 0 {
		o.ProjectTime = max(time.Until(f.until), 1)
	}
	return o
}

// agentArguments returns the agent and the event, if given, by the format's name or the agent's
// own.
func agentArguments(flags runFlags, args []string) (*agent.Agent, string, error) {
	a := agent.Find(flags.agent)
	if a == nil {
		hint := "known agents: " + strings.Join(agent.Names(), ", ")
		if near, ok := agent.Nearest(flags.agent); ok {
			hint = fmt.Sprintf("did you mean --agent %s?", near)
		}
		return nil, "", usagef(hint, "run: unknown agent %q", flags.agent)
	}
	if len(args) == 0 || a.Event(args[0]) != nil {
		return a, strings.Join(args, ""), nil
	}
	event, err := runArguments(args)
	return a, string(event), err
}

// read reads the payload.
func (r *agentRun) read(ctx context.Context, a *agent.Agent, event string) error {
	r.call, _ = a.Decode(nil, event)
	r.flags.caller = a.Name
	raw, extra, err := readEvent(ctx, r.env.Stdin, spec.StallTimeout)
	if err != nil {
		return err
	}
	if raw == nil {
		return errors.New("stdin is empty, but the agent sends a payload")
	}
	err = r.decode(a, event, raw)
	if extra {
		r.warnings = append(r.warnings, "more follows the payload on stdin; it is ignored")
	}
	return err
}

// decode decodes the payload. If its keys identify another agent, that agent's format is used:
// several agents read the same settings file.
func (r *agentRun) decode(a *agent.Agent, event string, raw []byte) (err error) {
	if sender := a.Sender(raw); sender != a {
		event = translated(a, event)
		a, r.flags.caller = sender, sender.Name
	}
	r.call, err = a.Decode(raw, event)
	r.warnings = append(r.warnings, r.call.Warnings...)
	return err
}

// translated converts the name of an agent's event to the format's.
func translated(a *agent.Agent, event string) string {
	row := a.Event(event)
	if row == nil {
		return event
	}
	if len(row.Spec) == 0 {
		return ""
	}
	return string(row.Spec[0])
}

// fail sets the answer to that of a failure (D42, D27).
func (r *agentRun) fail(cause error) {
	if r.hooks == nil {
		r.hooks = r.load(nil)
	}
	r.reports, r.failures = nil, nil
	r.verdict = agent.Verdict{Ask: askPolicy(r.flags)}
	text := singleLine(cause.Error())
	switch p := protocol.Decision(r.hooks.OnFailure()); p {
	case protocol.Deny, protocol.Ask:
		r.verdict.Answer = protocol.Answer{
			Decision: p,
			Reason:   protocol.Reason([]byte(fmt.Sprintf("agent-hooks: %s; no hook ran (on-failure: %s)", text, p))),
		}
	default:
		warning := "agent-hooks: " + text + "; no hook ran, operation allowed"
		r.failures = []alarm{{warning, warning}}
		r.warnings = append(r.warnings, text+"; no hook ran, operation allowed")
	}
}

// load returns the hooks for an event, which may be nil.
func (r *agentRun) load(event *protocol.Event) *agenthooks.Hooks {
	if r.live != nil {
		return r.live.LoadFor(r.env.options(r.flags.projectFlags, event))
	}
	return r.env.load(r.flags.projectFlags, event)
}

// run runs the hooks of each event of the call, up to the first block (D46).
func (r *agentRun) run(ctx context.Context) {
	dieIfCaught, catching := func() {}, false
	var answers []protocol.Answer
	for i, name := range r.call.Events {
		event, warnings := r.call.Parse(name, time.Now().UTC().Format(time.RFC3339))
		r.session = event.SessionID
		if i == 0 {
			r.warnings = append(r.warnings, warnings...)
			if r.continues(name) {
				return
			}
		}
		r.hooks = r.load(event)
		plan := r.hooks.Plan(event)
		if plan.Concerned() && !catching && r.live == nil {
			catching = true
			caught, signals := catchEnding(ctx)
			defer signals.release()
			r.env.Stdout, r.env.Stderr = survivor{r.env.Stdout}, survivor{r.env.Stderr}
			ctx, dieIfCaught = caught, signals.dieIfCaught
		}
		report := plan.Run(ctx, r.options())
		dieIfCaught()
		r.reports = append(r.reports, report)
		r.take(plan, report)
		if r.call.Derived(i) {
			answers = append(answers, r.derived(report))
			continue
		}
		answers = append(answers, report.Answer)
		if names := deciders(report); names != "" {
			r.verdict.Hook = names
		}
		if report.Blocked {
			break
		}
	}
	r.verdict.Answer = protocol.Merge(answers)
}

// options returns the options of one run for the agent. Changes that the agent cannot apply and
// the user wants ignored are dropped before the guards decide, so that they see the actual
// input of the tool.
func (r *agentRun) options() agenthooks.RunOptions {
	o := r.flags.options()
	o.Fit, o.Caller, o.Continues = r.call.Fit, r.call, r.call.Holds()
	if r.flags.modify == "ignore" && !r.call.TakesInput() {
		o.Modify = agenthooks.Ignore
	}
	if o.Continues && r.verdict.Ask == agent.DenyIt {
		o.Ask = agenthooks.DenyInstead
	}
	return o
}

func askPolicy(flags runFlags) agent.Policy {
	if flags.ask == "ignore" {
		return agent.IgnoreIt
	}
	return agent.DenyIt
}

// derived returns the remaining answer to an event that is over: a deny becomes a warning
// (D46).
func (r *agentRun) derived(report *agenthooks.Report) protocol.Answer {
	if report.Blocked {
		notEnforced(report)
		text := fmt.Sprintf("hook %s: %s; not enforced on %s", report.BlockedBy, singleLine(report.Answer.Reason), report.Event)
		r.failed(text, text)
	}
	return protocol.Answer{SystemMessage: report.Answer.SystemMessage}
}

// take classifies a run's warnings: those about hooks that did not run or failed are shown to
// the user (D45).
func (r *agentRun) take(plan *agenthooks.Plan, report *agenthooks.Report) {
	for _, w := range plan.Unguarded {
		r.failed(w, w)
	}
	for _, h := range report.Hooks {
		failed := h.Outcome == agenthooks.Failed || h.Outcome == agenthooks.TimedOut
		switch {
		case h.Failed == agenthooks.Trusted:
			text := fmt.Sprintf("hook %s: %s; it does not run", h.Hook, singleLine(h.Saw))
			r.failed(text, text)
		case failed && h.Answer.Decision == protocol.NoOpinion:
			r.failed(fmt.Sprintf("hook %s: %s; operation allowed", h.Hook, singleLine(h.Cause)), h.Hook+"\x00"+h.LogCause())
		}
	}
	r.warnings = append(r.warnings, report.Warnings...)
}

// deciders returns the names of the hooks whose answers decide.
func deciders(report *agenthooks.Report) string {
	if report.Blocked {
		return report.BlockedBy
	}
	var names []string
	for _, h := range report.Hooks {
		if h.Answer.Decision == protocol.Ask || h.Answer.ModifiedInput != nil {
			names = append(names, h.Hook)
		}
	}
	return strings.Join(names, ", ")
}

// notEnforced corrects the report of a deny that the agent cannot enforce, so that it is not
// logged as blocked (D44).
func notEnforced(report *agenthooks.Report) {
	report.Blocked = false
	for _, h := range report.Hooks {
		if h.Outcome == agenthooks.OutcomeDeny {
			h.Outcome = agenthooks.NotEnforced
		}
	}
}

func singleLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (r *agentRun) dryRun() error {
	if len(r.call.Events) == 0 {
		return nil
	}
	event, warnings := r.call.Parse(r.call.Events[0], time.Now().UTC().Format(time.RFC3339))
	plan := r.env.load(r.flags.projectFlags, event).Plan(event)
	return r.env.printDryRun(plan, append(r.warnings, warnings...), r.flags.json)
}

// log logs and records the runs after the answer.
func (r *agentRun) log() {
	for _, report := range r.reports {
		for _, w := range report.Log() {
			if r.status != spec.ExitBlock { // then stderr is the reason only
				r.env.warn("%s", w)
			}
		}
	}
}
