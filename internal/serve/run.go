package serve

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Run is one call by an agent (D42).
type Run struct {
	// Load returns the hooks for an event, which may be nil, of the agent with a name. whole is
	// agenthooks.Options.Whole.
	Load func(agent string, event *protocol.Event, whole func(root, state string) bool) *agenthooks.Hooks
	// Options returns the options of a run that begins now.
	Options func() agenthooks.RunOptions
	// Execute runs the plan for an event of the call.
	Execute func(*agenthooks.Plan, agenthooks.RunOptions) *agenthooks.Report
	// Getenv returns a variable of the agent's hooks; nil if they are unknown.
	Getenv func(name string) string
	// IgnoreAsk and IgnoreModify drop results that the agent cannot express, instead of denying the
	// call (D45).
	IgnoreAsk, IgnoreModify bool
	// Managed means that this is the entry of the agent's managed settings.
	Managed bool
	// Own means that the payload is the named agent's, even if its keys identify another one.
	Own bool

	Warnings []string // for stderr; Encode adds its own
	Reports  []*agenthooks.Report

	agent    string // the agent that sent the payload
	call     *agent.Call
	hooks    *agenthooks.Hooks
	verdict  agent.Verdict
	failures []alarm
	session  string
	began    bool     // the session is known to work in the project
	pending  []string // which hooks are paused or await a review, for the report
	reported *state.Facts
}

// alarm is a message that a hook did not run or failed. It is shown to the user once per
// session, hook and cause, even if its text varies (D45).
type alarm struct {
	text, cause string
	own         bool     // about agent-hooks itself, not about a hook
	once        []string // shown once for this fact, in whatever session, instead of once per session and cause
}

func (r *Run) failed(text, cause string) {
	r.failures = append(r.failures, alarm{text: text, cause: cause})
}

// Answer runs the hooks for a payload. Errors, including those of read, and panics are failures,
// to which the user's on-failure applies (D42).
func (r *Run) Answer(a *agent.Agent, event string, read func() ([]byte, error)) {
	r.agent = a.Name
	r.call, _ = a.Decode(nil, event)
	r.verdict.IgnoreAsk = r.IgnoreAsk
	defer func() {
		if p := recover(); p != nil {
			r.fail(fmt.Errorf("internal error: %v", p))
		}
	}()
	payload, err := read()
	if err == nil {
		err = r.Decode(a, event, payload)
	}
	if err != nil {
		r.fail(err)
		return
	}
	r.run()
}

// Decode decodes the payload. Several agents run entries in other agents' settings: if the payload
// proves one of them, its format is used (D86).
func (r *Run) Decode(a *agent.Agent, event string, payload []byte) (err error) {
	if !r.Own {
		sender, warning := a.Sender(payload, translated(a, event))
		if warning != "" {
			r.Warnings = append(r.Warnings, warning)
		}
		if sender != a {
			event = translated(a, event)
			a = sender
		}
	}
	r.agent = a.Name
	r.call, err = a.Decode(payload, event)
	r.Warnings = append(r.Warnings, r.call.Warnings...)
	return err
}

// translated converts the name of an agent's event to the format's.
func translated(a *agent.Agent, event string) string {
	row := a.Event(event)
	if row == nil {
		return event
	}
	if len(row.Spec()) == 0 {
		return ""
	}
	return string(row.Spec()[0])
}

// fail sets the answer to that of a failure (D42, D27).
func (r *Run) fail(cause error) {
	if r.hooks == nil {
		r.hooks = r.Load(r.agent, nil, nil)
	}
	r.Reports, r.failures = nil, nil
	r.verdict = agent.Verdict{IgnoreAsk: r.IgnoreAsk}
	text := shown.OneLine(cause.Error())
	switch p := protocol.Decision(r.hooks.OnFailure()); p {
	case protocol.Deny, protocol.Ask:
		text = fmt.Sprintf("%s; no hook ran (on-failure: %s)", text, p)
		if p == protocol.Ask { // Encode names the source of a deny
			text = "agent-hooks: " + text
		}
		r.verdict.Answer = protocol.Answer{Decision: p, Reason: protocol.Reason([]byte(text))}
	default:
		text += "; no hook ran, operation allowed"
		r.failures = append(r.failures, alarm{text: text, cause: text, own: true})
		r.Warnings = append(r.Warnings, text)
	}
}

// ErrLate means that a run did not end in time.
var ErrLate = errors.New("the run did not end at its deadline: a file system does not respond, or the machine is too busy")

// Late returns the answer of a run that did not end: which hooks would have run is not known, so it
// denies. It uses no files.
func (r *Run) Late(a *agent.Agent, event string, payload *[]byte) agent.Output {
	r.agent = a.Name
	r.call, _ = a.Decode(nil, event)
	if payload != nil {
		_ = r.Decode(a, event, *payload)
	}
	text := ErrLate.Error() + "; no hook decided (on-failure: deny)"
	r.verdict.Answer = protocol.Answer{Decision: protocol.Deny, Reason: protocol.Reason([]byte(text))}
	return r.call.Encode(r.verdict)
}

// Plan returns the plan for the call's first event, nil if it has none.
func (r *Run) Plan() *agenthooks.Plan {
	if len(r.call.Events) == 0 {
		return nil
	}
	event := r.event(r.call.Events[0])
	return r.Load(r.agent, event, nil).Plan(event)
}

// event returns an event of the call.
func (r *Run) event(name spec.EventType) *protocol.Event {
	event, warnings := r.call.Parse(name, time.Now().UTC().Format(time.RFC3339))
	if name == r.call.Events[0] {
		r.Warnings = append(r.Warnings, warnings...)
	}
	return event
}

// run runs the hooks of each event of the call, up to the first block (D46).
func (r *Run) run() {
	var answers []protocol.Answer
	for i, name := range r.call.Events {
		event := r.event(name)
		r.session = event.SessionID
		r.hooks = r.elsewhere(r.Load(r.agent, event, func(root, dir string) bool {
			first := i == 0 && r.session != "" && !r.Managed
			r.began = first && state.FactsIn(dir).Has(r.begun(root)...)
			return first && !r.began
		}))
		if i == 0 && r.continues(name) {
			if !r.hooks.HasManaged() {
				return
			}
			r.hooks = r.hooks.Continuation()
		}
		if i == 0 {
			r.announce(name)
		}
		plan := r.hooks.Plan(event)
		report := r.Execute(plan, r.options())
		if i == 0 {
			report.Warnings = append(report.Warnings, r.pending...)
		}
		r.Reports = append(r.Reports, report)
		if slices.ContainsFunc(report.Hooks, func(h *agenthooks.HookReport) bool {
			return h.Scope == string(discovery.ManagedScope) && h.Answer.Decision == protocol.Ask
		}) {
			r.verdict.IgnoreAsk = false // no option can make the run ignore a managed hook's question (D82)
		}
		r.take(plan, report)
		if r.call.Derived(i) {
			// An event that can no longer be blocked: a deny becomes a warning (D46).
			if report.Blocked {
				notEnforced(report)
				text := fmt.Sprintf("hook %s: %s; not enforced on %s", report.BlockedBy, shown.OneLine(report.Answer.Reason), report.Event)
				r.failed(text, text)
			}
			answers = append(answers, protocol.Answer{SystemMessage: report.Answer.SystemMessage})
			continue
		}
		answers = append(answers, report.Answer)
		if report.Blocked {
			r.verdict.Hook = cmp.Or(report.BlockedBy, r.verdict.Hook)
			break
		}
		var deciding []string
		for _, h := range report.Hooks {
			if h.Answer.Decision == protocol.Ask || h.Answer.ModifiedInput != nil {
				deciding = append(deciding, h.Hook)
			}
		}
		r.verdict.Hook = cmp.Or(strings.Join(deciding, ", "), r.verdict.Hook)
	}
	r.verdict.Answer = protocol.Merge(answers)
}

// announce tells the user at the start of a session, or at its first event, which hooks are paused,
// and which of the project's hooks await a review (D83), once for a content of these hooks.
func (r *Run) announce(event spec.EventType) {
	root, paused := r.hooks.Project.Root, r.hooks.Paused()
	reviewed := r.hooks.RequiresTrust() && r.hooks.Project.Hooks != ""
	if !reviewed && paused == "" {
		return
	}
	begun := r.begun(root)
	if event != spec.PreSession && (r.session == "" || r.began || r.memory().Has(begun...)) {
		return
	}
	r.memory().Add(begun...)
	if event != spec.PreSession && !r.memory().Has(begun...) {
		return // it cannot be remembered
	}
	if paused != "" {
		r.failures = append(r.failures, alarm{text: paused, cause: paused, own: true})
		r.pending = append(r.pending, paused)
	}
	if !reviewed {
		return
	}
	pending := r.hooks.Pending()
	text := pending.Message()
	if text == "" {
		return
	}
	once := []string{"pending", root, pending.Content}
	if r.call.Shows() && !r.memory().Has(once...) { // then no message for each of them follows
		for _, name := range pending.Awaiting {
			r.memory().Add(r.fact("told", pendingCause(name))...)
		}
	}
	r.failures = append(r.failures, alarm{text: text, own: true, once: once})
	r.pending = append(r.pending, text)
}

// begun is the fact that the session works in a project.
func (r *Run) begun(root string) []string { return r.fact("begun", root) }

func pendingCause(folder string) string { return "pending " + folder }

// options returns the options of one run for the agent. Changes that the agent cannot apply and
// the user wants ignored are dropped before the guards decide, so that they see the actual
// input of the tool.
func (r *Run) options() agenthooks.RunOptions {
	o := r.Options()
	o.Caller, o.Ask, o.Modify = r.call, agenthooks.Express, agenthooks.Express // Encode expresses them for the agent
	if r.IgnoreModify {
		o.Modify = agenthooks.Ignore
	}
	if r.call.Holds() && !r.IgnoreAsk {
		o.Ask = agenthooks.DenyInstead
	}
	return o
}

// take classifies a run's warnings: those about hooks that did not run or failed are shown to
// the user (D45).
func (r *Run) take(plan *agenthooks.Plan, report *agenthooks.Report) {
	for _, w := range plan.Unguarded {
		r.failed(w, w)
	}
	for _, h := range report.Hooks {
		if h.Exception != "" && h.Answer.Decision == protocol.Ask {
			r.verdict.Exceptions = strings.TrimPrefix(r.verdict.Exceptions+"\n"+h.Exception, "\n")
		}
		failed := h.Outcome == agenthooks.Failed || h.Outcome == agenthooks.TimedOut
		switch {
		case h.Failed == agenthooks.Trusted:
			text := fmt.Sprintf("hook %s: %s; it does not run", h.Hook, shown.OneLine(h.Saw))
			r.failed(text, pendingCause(h.Hook))
		case failed && h.Answer.Decision == protocol.NoOpinion:
			r.failed(fmt.Sprintf("hook %s: %s; operation allowed", h.Hook, shown.OneLine(h.Cause)), h.Hook+"\x00"+h.LogCause())
		}
	}
	r.Warnings = append(r.Warnings, report.Warnings...)
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

// Encode returns the native answer, and adds to Warnings. It is called once.
func (r *Run) Encode() agent.Output {
	r.verdict.Failures = r.unreported()
	out := r.call.Encode(r.verdict)
	if out.NotEnforced && len(r.Reports) > 0 {
		notEnforced(r.Reports[0])
	}
	if out.Blocked && r.call.Holds() {
		r.memory().Add(r.fact("reason", strings.TrimSpace(out.Reason))...)
	}
	var once []string
	for _, w := range append(r.Warnings, out.Warnings...) {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	r.Warnings = once
	return out
}

// Canceled reports whether a run was canceled.
func (r *Run) Canceled() bool {
	return slices.ContainsFunc(r.Reports, func(report *agenthooks.Report) bool { return report.Canceled })
}

// Log logs and records the runs, notes that the agent has called, and returns warnings.
func (r *Run) Log() (warnings []string) {
	if r.hooks != nil {
		state.NoteCall(r.hooks.StateDir(), r.agent, r.call.Release(r.Getenv))
	}
	for _, report := range r.Reports {
		warnings = append(warnings, report.Log()...)
	}
	return warnings
}

// unreported returns the messages that have not been shown in this session (D45): all of them if
// the session is unknown, or the answer cannot show them.
func (r *Run) unreported() (messages []string) {
	remember := r.session != "" && r.call.Shows()
	for _, f := range r.failures {
		text := f.text
		if f.own && r.call.Shows() { // the program that prints a warning names itself
			text = "agent-hooks: " + text
		}
		isNew := !remember || r.memory().Add(r.fact("told", f.cause)...)
		if f.once != nil {
			// The user sees it if the agent shows it and is not known to work without a person.
			isNew = !(r.call.Shows() && r.call.Agent.Attended(r.Getenv)) || r.memory().Add(f.once...)
		}
		if isNew && !slices.Contains(messages, text) {
			messages = append(messages, text)
		}
	}
	return messages
}

// continues reports whether a prompt does not come from a person: some agents also fire the
// prompt event for each continuation (D30). It is derived from a file that the user can write, so
// that it does not concern managed hooks (D100).
func (r *Run) continues(event spec.EventType) bool {
	if event != spec.PreAgentTurn || r.session == "" {
		return false
	}
	const longest = 1 << 20 // a payload with a reason of a hook as its prompt is shorter
	prompt := ""
	if len(r.call.Payload) < longest {
		prompt = strings.TrimSpace(r.call.Text("prompt"))
	}
	if prompt != "" && r.memory().Has(r.fact("reason", prompt)...) {
		return true
	}
	switch fresh, known := r.call.Fresh(); {
	case !known:
		return false
	case fresh:
		r.memory().Add(r.fact("fresh", "prompt")...)
		return false
	}
	// A missing mark means a continuation only if the client is known to mark fresh prompts.
	return r.memory().Has(r.fact("fresh", "prompt")...)
}

func (r *Run) fact(kind, text string) []string {
	return []string{kind, r.call.Agent.Name, r.session, text}
}

// memory returns what was reported in a session. The user can write
// there, so that the agent's managed entry has none (D100).
func (r *Run) memory() state.Facts {
	if r.Managed || r.hooks == nil {
		return state.Facts{}
	}
	if r.reported == nil {
		m := state.FactsIn(r.hooks.StateDir())
		r.reported = &m
	}
	return *r.reported
}
