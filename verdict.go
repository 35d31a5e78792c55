package agenthooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	kept "github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// settle adds a hook's answer to the run.
func (r *verdict) settle(t *turn, a protocol.Answer) {
	t.report.reason = hookReason(t.report, a)
	a = t.observe(r.qualify(t, a))
	if a.Decision == protocol.Ask && t.report.Cause == "" {
		t.report.Exception = r.plan.exception(t.row, r.event)
	}
	if r.keepsWorking() {
		if a = r.askAtGate(a); a.Decision == protocol.Deny {
			a = r.limit(t, a)
		}
	}
	a = r.change(t, r.ignore(t, a))
	t.answer, t.report.Answer = a, a
	if a.Decision == protocol.Deny {
		r.block(t)
	}
}

// hookReason returns the reason that a hook itself gave for a block or a
// question, as one escaped line for the run log (D90).
func hookReason(h *HookReport, a protocol.Answer) string {
	if h.Outcome != OutcomeDeny && h.Outcome != OutcomeAsk || a.Reason == protocol.DefaultReason(h.Hook) {
		return ""
	}
	return runlog.Reason(a.Reason)
}

// observe returns the effective answer. A hook that is only observed decides
// and changes nothing; the report says what it would have done (D76).
func (t *turn) observe(a protocol.Answer) protocol.Answer {
	if !t.row.Hook.Observe {
		return a
	}
	t.report.Would = string(cmp.Or(a.Decision, protocol.Decision("none")))
	if a.Decision == protocol.NoOpinion && (a.ModifiedInput != nil || a.UpdatedOutput != nil || a.ModifiedPrompt != "") {
		t.report.Would = "change"
	}
	if t.report.Would != "none" {
		text := "is only observed; it would " + t.report.Would
		if a.Reason != "" {
			text += ": " + shown.OneLine(a.Reason)
		}
		t.report.warnf("%s", text)
	}
	return protocol.Answer{}
}

// block ends the run.
func (r *verdict) block(t *turn) {
	r.blocked, r.blocker = true, t
	r.report.Blocked, r.report.BlockedBy = true, t.report.Hook
}

// change applies a hook's changes of the event: every other matching hook then
// runs on the result. Each hook may change the event once per run (D29, D88).
func (r *verdict) change(t *turn, a protocol.Answer) protocol.Answer {
	next, a := r.changed(t, a)
	switch {
	case next == r.event && a.Decision != protocol.Deny:
		r.changes = r.changes.with(protocol.Answer{Native: a.Native})
	case next == r.event:
	case t.changed:
		t.report.warnf("changes the %s again; the change is ignored, and so is its allow", changedPart(a))
		a.ModifiedInput, a.ModifiedPrompt, a.UpdatedOutput = nil, "", nil
		if a.Decision != protocol.Deny { // otherwise it is how the operation stops
			a.Native = nil
		}
		if a.Decision == protocol.Allow {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	default:
		t.changed = true
		r.changeAgain(t)
		r.version++
		t.version = r.version
		if r.options.Caller != nil {
			next = r.options.Caller.Changed(next)
		}
		r.event = next
		r.changes = r.changes.with(a)
	}
	return a
}

// changeAgain lets managed hooks change the event again after another hook has
// changed it, so that the result is theirs (D82). This ends, because the others
// change it once each.
func (r *verdict) changeAgain(by *turn) {
	if isManaged(by.row.Hook) {
		return
	}
	for _, t := range r.turns {
		if isManaged(t.row.Hook) {
			t.changed = false
		}
	}
}

// changed returns the event as changed by an answer, and the answer without the
// parts that change nothing.
func (r *verdict) changed(t *turn, a protocol.Answer) (*protocol.Event, protocol.Answer) {
	next := r.event
	if a.ModifiedInput != nil {
		if r.event.SameInput(a.ModifiedInput) {
			a.ModifiedInput = nil
		} else {
			next = next.WithInput(a.ModifiedInput)
		}
	}
	if a.ModifiedPrompt != "" {
		if changed := r.event.WithPrompt(a.ModifiedPrompt); r.event.Same("prompt", changed.Changed("prompt")) {
			a.ModifiedPrompt = ""
		} else {
			next = next.WithPrompt(a.ModifiedPrompt)
		}
	}
	if a.UpdatedOutput != nil {
		if r.event.SameOutput(a.UpdatedOutput) {
			a.UpdatedOutput = nil
		} else {
			next = next.WithOutput(a.UpdatedOutput)
		}
	}
	if a.Native != nil && t.foreign != nil {
		next = t.foreign.Changed(next, a.Native)
		if a.Decision != protocol.Deny {
			a.Native = t.foreign.Combined(r.changes.native, a.Native)
		}
	}
	return next, a
}

// changedPart names the part of the event that an answer changes.
func changedPart(a protocol.Answer) string {
	switch {
	case a.ModifiedPrompt != "":
		return "prompt"
	case a.UpdatedOutput != nil:
		return "output"
	case a.ModifiedInput != nil:
		return "input"
	}
	return "request or the response"
}

// changes are the current versions of the parts that hooks have changed; nil
// and "" for the others.
type changes struct {
	input, output, native json.RawMessage
	prompt                string
}

// with returns the changes with those of an answer.
func (c changes) with(a protocol.Answer) changes {
	if a.ModifiedInput != nil {
		c.input = a.ModifiedInput
	}
	if a.UpdatedOutput != nil {
		c.output = a.UpdatedOutput
	}
	if a.Native != nil {
		c.native = a.Native
	}
	if a.ModifiedPrompt != "" {
		c.prompt = a.ModifiedPrompt
	}
	return c
}

// apply adds the changes to the merged answer. A block drops all of them except
// a changed output: the tool has run, and its output still reaches the model.
func (c changes) apply(a *protocol.Answer, blocked bool) {
	if c.output != nil {
		a.UpdatedOutput = c.output
	}
	if blocked {
		return
	}
	if c.input != nil {
		a.ModifiedInput = c.input
	}
	if c.prompt != "" {
		a.ModifiedPrompt = c.prompt
	}
	if c.native != nil && a.Native == nil {
		a.Native = c.native
	}
}

// failure returns the answer for a failed hook (D27, D12).
func (t *turn) failure(cause error) protocol.Answer {
	if errors.Is(cause, exec.ErrCanceled) {
		t.cancel()
		return protocol.Answer{}
	}
	cause = t.plan.explained(t.row, cause)
	t.report.Outcome, t.report.Cause, t.report.failure = Failed, cause.Error(), cause
	if errors.Is(cause, exec.ErrTimeout) {
		t.report.Outcome = TimedOut
	}
	policy, source := t.policy()
	reason := protocol.Reason([]byte(fmt.Sprintf("hook %s: %s (%s: %s)", t.report.Hook, cause, source, policy)))
	switch policy {
	case manifest.Deny:
		return protocol.Answer{Decision: protocol.Deny, Reason: reason}
	case manifest.Ask:
		return protocol.Answer{Decision: protocol.Ask, Reason: reason}
	}
	t.report.warnf("%s; operation allowed", shown.OneLine(cause.Error()))
	return protocol.Answer{}
}

// cancel records that the run ended before the hook had decided. This is not a
// failure of the hook, and allows nothing (D71).
func (t *turn) cancel() {
	t.report.Outcome, t.report.Cause, t.report.failure = Canceled, exec.ErrCanceled.Error(), exec.ErrCanceled
	t.report.warnf("%s", t.report.Cause)
}

// ignore drops the parts of an answer that the caller cannot express and that
// the options say to ignore (D45). It is called before anything depends on
// them, so that guards see the input that the tool gets. An allow for a changed
// input is dropped with the change.
func (r *verdict) ignore(t *turn, a protocol.Answer) protocol.Answer {
	changes := a.ModifiedInput != nil && !r.event.SameInput(a.ModifiedInput) || a.ModifiedPrompt != ""
	usable := r.options.Caller != nil && r.options.Caller.TakesInput()
	if r.options.Modify == Ignore && changes && !usable && isManaged(t.row.Hook) {
		return protocol.Answer{Decision: protocol.Deny, Reason: "hook " + t.report.Hook + ": the agent cannot take its change", SystemMessage: a.SystemMessage, Log: a.Log}
	}
	if r.options.Modify == Ignore && changes && !usable {
		t.report.warnf("its change is ignored, because the agent cannot take it (--modify=ignore)")
		a.ModifiedInput, a.ModifiedPrompt = nil, ""
		if a.Decision == protocol.Allow {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	}
	return a
}

// fallBack resolves an ask or a change that the caller cannot express, after
// all sync hooks have answered (D45).
func (r *verdict) fallBack() {
	if r.blocked {
		return
	}
	for _, t := range r.turns {
		a := &t.answer
		current := t.version == r.version
		switch {
		case r.options.Modify.blocks() && t.changed && r.changes.input != nil:
			r.refuse(t, "the agent cannot take a changed input"+r.options.Modify.undeclared(canChange, "Modify")+"; request it yourself: "+string(r.changes.input))
		case r.options.Modify.blocks() && a.ModifiedPrompt != "":
			r.refuse(t, "the agent cannot take a changed prompt"+r.options.Modify.undeclared(canChange, "Modify")+": "+a.ModifiedPrompt)
		case r.options.Modify.blocks() && r.options.Modify != DenyInstead && t.changed && a.UpdatedOutput != nil:
			r.refuse(t, "the agent cannot take a changed output"+r.options.Modify.undeclared(canChange, "Modify"))
		case r.options.Ask.blocks() && current && a.Decision == protocol.Ask, r.options.Ask == Ignore && isManaged(t.row.Hook) && current && a.Decision == protocol.Ask:
			r.refuse(t, "a person must approve this, and the agent cannot ask"+r.options.Ask.undeclared(canAsk, "Ask"))
		case r.options.Ask == Ignore && current && a.Decision == protocol.Ask:
			t.report.warnf("its ask is ignored, because the agent cannot ask (--ask=ignore): %s", shown.OneLine(a.Reason))
			r.ignoredAsk = true
			a.Decision, a.Reason = protocol.NoOpinion, ""
		default:
			continue
		}
		if r.blocked {
			return
		}
	}
}

// What a host can declare (D104).
const (
	canAsk    = "ask its user"
	canChange = "use a changed input, prompt or output"
)

// refuse turns the hook's answer into a block.
func (r *verdict) refuse(t *turn, why string) {
	reason := fmt.Sprintf("hook %s: %s", t.report.Hook, why)
	if t.answer.Decision == protocol.Ask {
		reason = joinLines(t.answer.Reason, reason, t.report.Exception)
	}
	t.version = r.version
	t.answer = protocol.Answer{Decision: protocol.Deny, Reason: protocol.Reason([]byte(reason)), SystemMessage: t.answer.SystemMessage, Log: t.answer.Log}
	t.report.Answer = t.answer
	r.block(t)
}

// joinLines joins the texts that are not empty.
func joinLines(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
}

// keepsWorking reports whether a block makes the agent keep working.
func (r *verdict) keepsWorking() bool {
	return r.plan.Event.Type == spec.PreAgentTurnStop || r.options.Caller != nil && r.options.Caller.Holds()
}

// askAtGate turns an ask that the caller cannot express into a deny before
// blocks are counted, because it would also keep the agent working.
func (r *verdict) askAtGate(a protocol.Answer) protocol.Answer {
	if a.Decision == protocol.Ask && r.options.Ask.blocks() {
		a.Decision, a.Reason = protocol.Deny, protocol.Reason([]byte("a person must approve this"+r.options.Ask.undeclared(canAsk, "Ask")+": "+a.Reason))
	}
	return a
}

// counter returns the counter of blocks for the event's session and agent.
func (r *verdict) counter() kept.Counter {
	if r.plan.hooks.records.config == nil || r.plan.hooks.continues {
		return kept.Counter{}
	}
	agent, _ := r.plan.Event.Field("agent_id")
	return kept.NewCounter(r.plan.hooks.records.state, r.plan.Event.SessionID, strings.Join(agent, "\x00"))
}

// limit turns a block into a warning after stop-limit consecutive blocks,
// because at least one agent has no limit of its own (D30). Where blocks cannot
// be counted, stop_hook_active indicates an earlier block. The user can write the
// count, so that it opens no managed gate on its own if the agent sends that field
// (D100).
func (r *verdict) limit(t *turn, a protocol.Answer) protocol.Answer {
	n, err := r.counter().Add(t.report.Scope + "/" + t.report.Hook)
	switch {
	case isManaged(t.row.Hook) && r.sendsActive() && !r.plan.Event.StopHookActive:
		return a
	case err == nil && n <= r.plan.hooks.ofHook(t.row.Hook).StopLimit(), err != nil && !r.plan.Event.StopHookActive:
		return a
	case err == nil:
		t.report.warnf("has kept the agent working %d times in a row, its stop-limit; the agent may stop: %s", n-1, shown.OneLine(a.Reason))
	default:
		t.report.warnf("blocks although stop_hook_active is true; the agent may stop: %s", shown.OneLine(a.Reason))
	}
	return protocol.Answer{SystemMessage: a.SystemMessage, Log: a.Log}
}

// sendsActive reports whether the event has the field stop_hook_active.
func (r *verdict) sendsActive() bool {
	values, undecided := r.plan.Event.Field("stop_hook_active")
	return len(values) > 0 || undecided != ""
}

// count records the result of the stop, and resets the count when the agent
// stops or a new prompt arrives. A prompt that repeats the last reason is the
// agent's own continuation.
func (r *verdict) count() {
	switch {
	case r.report.Canceled:
	case r.keepsWorking() && r.blocked:
		r.counter().Returned(r.report.Answer.Reason)
	case r.keepsWorking():
		r.counter().Reset()
	case r.plan.Event.Type == spec.PreAgentTurn:
		prompt, _ := r.plan.Event.Field("prompt")
		if c := r.counter(); !c.Repeats(strings.Join(prompt, "\n")) {
			c.ResetSession()
		}
	}
}

// finish merges the answers about the final event, and drops those about
// superseded ones (D29, D88). What several hooks found in the call is said once.
func (r *verdict) finish() {
	var answers []protocol.Answer
	causes := map[string]bool{}
	for _, t := range r.turns {
		if t.version == r.version && !t.answer.Empty() {
			a := t.answer
			if without, ok := strings.CutSuffix(a.Reason, t.cause); ok && causes[string(a.Decision)+t.cause] {
				a.Reason = without
			}
			causes[string(a.Decision)+t.cause] = true
			answers = append(answers, a)
		}
	}
	r.report.Answer = protocol.Merge(answers)
	if r.ignoredAsk && r.report.Answer.Decision == protocol.Allow {
		// Another hook's allow must not replace the ask (D45).
		r.report.Answer.Decision, r.report.Answer.Reason = protocol.NoOpinion, ""
	}
	if !r.blocked && r.ctx.Err() != nil && context.Cause(r.ctx) != ErrDeadline {
		r.report.Blocked, r.report.Canceled = true, true
		r.report.Answer = protocol.Answer{Decision: protocol.Deny, Reason: "the run was canceled before every hook had decided"}
	}
	r.changes.apply(&r.report.Answer, r.report.Blocked)
	r.report.Warnings = append(r.report.Warnings, replaced(r.plan)...)
	r.report.Warnings = append(r.report.Warnings, r.plan.Warnings...)
	r.report.Warnings = append(r.report.Warnings, r.hookWarnings()...)
}

// hookWarnings returns the warnings from the hooks' reports. Warnings from the
// project's hooks are limited, because a project may have any number of hooks.
func (r *verdict) hookWarnings() (warnings []string) {
	shown, more, hooks := 0, 0, 0
	refused := r.refusedAlike()
	for _, t := range r.turns {
		if names := refused[t.refusal()]; len(names) > 1 {
			if names[0] == t.report.Hook {
				const most = 5
				list := strings.Join(names[:min(len(names), most)], ", ")
				if len(names) > most {
					list += fmt.Sprintf(" and %d more", len(names)-most)
				}
				warnings = append(warnings, fmt.Sprintf("hooks %s: %s", list, t.report.Warnings[0]))
			}
			continue
		}
		if len(t.report.Warnings) > 0 && t.row.Hook.Scope == discovery.ProjectScope && shown >= maxAlike {
			more, hooks = more+len(t.report.Warnings), hooks+1
			continue
		}
		for _, w := range t.report.Warnings {
			warnings = append(warnings, fmt.Sprintf("hook %s: %s", t.report.Hook, w))
		}
		if t.row.Hook.Scope == discovery.ProjectScope {
			shown += len(t.report.Warnings)
		}
	}
	if more > 0 {
		warnings = append(warnings, fmt.Sprintf("%d more warnings about %d hooks of the project; run --report FILE lists them all", more, hooks))
	}
	return warnings
}

// refusal returns the only warning about a hook that others can change; "" for
// any other hook.
func (t *turn) refusal() string {
	if t.row.Failed != Safe || len(t.report.Warnings) != 1 {
		return ""
	}
	return t.report.Warnings[0]
}

// refusedAlike returns the names of the hooks with the same refusal, such as
// all hooks of a checkout that a group can write.
func (r *verdict) refusedAlike() map[string][]string {
	names := map[string][]string{}
	for _, t := range r.turns {
		if text := t.refusal(); text != "" {
			names[text] = append(names[text], t.report.Hook)
		}
	}
	return names
}

// replaced returns a warning for each user hook on the event that a project's
// hook replaces (D6), because the repository's author wrote the replacement.
func replaced(plan *Plan) []string {
	var warnings []string
	for _, row := range plan.Rows {
		if row.Failed == Replaced {
			warnings = append(warnings, fmt.Sprintf("%s hook %s does not run: %s", row.Hook.Scope, row.Hook.Shown(), row.Saw))
		}
	}
	return warnings
}

// qualify adds to the reason of a block or a question that the tool is guessed,
// and removes an allow that rests on the guess (D87).
func (r *verdict) qualify(t *turn, a protocol.Answer) protocol.Answer {
	t.report.Guessed = t.row.Guessed
	switch a.Decision {
	case protocol.Deny, protocol.Ask:
		t.cause = ""
		if found := t.row.found(); t.isConstant() && t.row.Runs && found != "" {
			t.cause = " (" + found + ")"
		}
		if t.row.Guessed != "" {
			t.cause += " (" + t.row.Guessed + ")"
		}
		if t.cause != "" {
			a.Reason = protocol.Reason([]byte(strings.TrimRight(a.Reason, "\n") + t.cause))
		}
	case protocol.Allow:
		g := r.guess(t.row.Hook)
		reads := t.guess != nil && g.Adds() && !g.Decided && (!g.Unknown || t.row.anyTool())
		if g != nil && (t.row.Guessed != "" || reads) {
			a.Decision, a.Reason = protocol.NoOpinion, ""
			t.report.warnf("its allow is ignored, because what the tool %q does is guessed; declare it in your hooks.toml: [tools] %s = \"Shell\"", shown.Short(g.Name), tomlKey(g.Name))
		}
	}
	return a
}

// anyTool reports whether the hook's matcher applies to tools of any name.
func (r *Row) anyTool() bool {
	return r.Hook.Tool == "" || r.matcher == nil || r.matcher.AnyTool()
}

// tomlKey returns a tool's name as a key in hooks.toml.
func tomlKey(name string) string {
	if strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" && name != "" {
		return name
	}
	return string(rawjson.AppendText(nil, shown.Short(name)))
}
