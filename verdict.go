package agenthooks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// settle takes a hook's answer.
func (s *state) settle(w world, i int, r result) {
	t := &s.turns[i]
	t.report, t.cause, t.version = r.report, r.cause, s.version
	a := t.observe(r.answer)
	if s.host.gate && a.Decision == protocol.Ask && s.host.ask.blocks() { // before blocks are counted, because it would also keep the agent working
		a.Decision, a.Reason = protocol.Deny, protocol.Reason([]byte("a person must approve this"+s.host.ask.undeclared(canAsk, "Ask")+": "+a.Reason))
	}
	if s.host.gate && a.Decision == protocol.Deny {
		n, err := w.count(t.report)
		a = s.limitBlocks(t, a, n, err)
	}
	a = s.takeChanges(t, s.ignore(t, a), r.script)
	t.answer, t.report.Answer = a, a
	if a.Decision == protocol.Deny {
		s.blocker = i
	}
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

// takeChanges lets an answer change the event: every other matching hook then runs on
// the result. Each hook may change the event once per run (D29, D88), and a managed
// hook once more after any other has, so that the result is its own (D82). This ends,
// because the others change it once each.
func (s *state) takeChanges(t *turn, a protocol.Answer, run script.Run) protocol.Answer {
	next, a := s.eventAfter(a, run)
	switch {
	case next == s.event && a.Decision != protocol.Deny:
		s.modified.add(protocol.Answer{Native: a.Native})
	case next == s.event:
	case t.hasChanged:
		t.report.warnf("changes the %s again; the change is ignored, and so is its allow", changedPart(a))
		a.ModifiedInput, a.ModifiedPrompt, a.UpdatedOutput = nil, "", nil
		if a.Decision != protocol.Deny { // otherwise it is how the operation stops
			a.Native = nil
		}
		if a.Decision == protocol.Allow {
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	default:
		for i := range s.turns {
			other := &s.turns[i]
			other.hasChanged = other.hasChanged && (isManaged(t.row.Hook) || !isManaged(other.row.Hook))
		}
		t.hasChanged = true
		s.version++
		t.version = s.version
		if s.host.complete != nil {
			next = s.host.complete(next)
		}
		s.event = next
		s.modified.add(a)
	}
	return a
}

// eventAfter returns the event with the changes of an answer, and the answer without
// the parts that change nothing.
func (s *state) eventAfter(a protocol.Answer, run script.Run) (*protocol.Event, protocol.Answer) {
	next := s.event
	if a.ModifiedInput != nil {
		if s.event.SameInput(a.ModifiedInput) {
			a.ModifiedInput = nil
		} else {
			next = next.WithInput(a.ModifiedInput)
		}
	}
	if a.ModifiedPrompt != "" {
		if changed := s.event.WithPrompt(a.ModifiedPrompt); s.event.Same("prompt", changed.Changed("prompt")) {
			a.ModifiedPrompt = ""
		} else {
			next = next.WithPrompt(a.ModifiedPrompt)
		}
	}
	if a.UpdatedOutput != nil {
		if s.event.SameOutput(a.UpdatedOutput) {
			a.UpdatedOutput = nil
		} else {
			next = next.WithOutput(a.UpdatedOutput)
		}
	}
	if a.Native != nil && run != nil {
		next = run.Changed(next, a.Native)
		if a.Decision != protocol.Deny {
			a.Native = run.Combined(s.modified.native, a.Native)
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

// modified are the current versions of the parts that hooks have changed; nil and ""
// for the others.
type modified struct {
	input, output, native json.RawMessage
	prompt                string
}

// add adds the changes of an answer.
func (m *modified) add(a protocol.Answer) {
	if a.ModifiedInput != nil {
		m.input = a.ModifiedInput
	}
	if a.UpdatedOutput != nil {
		m.output = a.UpdatedOutput
	}
	if a.Native != nil {
		m.native = a.Native
	}
	if a.ModifiedPrompt != "" {
		m.prompt = a.ModifiedPrompt
	}
}

// answer returns the merged answer with the changes. A block drops all of them except
// a changed output: the tool has run, and its output still reaches the model.
func (m *modified) answer(a protocol.Answer, blocked bool) protocol.Answer {
	if m.output != nil {
		a.UpdatedOutput = m.output
	}
	if blocked {
		return a
	}
	if m.input != nil {
		a.ModifiedInput = m.input
	}
	if m.prompt != "" {
		a.ModifiedPrompt = m.prompt
	}
	if m.native != nil && a.Native == nil {
		a.Native = m.native
	}
	return a
}

// ignore drops the parts of an answer that the caller cannot express and that
// the options say to ignore (D45). It is called before anything depends on
// them, so that guards see the input that the tool gets. An allow for a changed
// input is dropped with the change.
func (s *state) ignore(t *turn, a protocol.Answer) protocol.Answer {
	changes := a.ModifiedInput != nil && !s.event.SameInput(a.ModifiedInput) || a.ModifiedPrompt != ""
	drop := s.host.modify == Ignore && changes && !s.host.takesInput
	if drop && isManaged(t.row.Hook) {
		return protocol.Answer{Decision: protocol.Deny, Reason: "hook " + t.report.Hook + ": the agent cannot take its change", SystemMessage: a.SystemMessage, Log: a.Log}
	}
	if drop {
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
func (s *state) fallBack() {
	for i := range s.turns {
		if s.blocker >= 0 {
			return
		}
		t := &s.turns[i]
		a := &t.answer
		current := t.version == s.version
		switch {
		case s.host.modify.blocks() && t.hasChanged && s.modified.input != nil:
			s.refuse(i, "the agent cannot take a changed input"+s.host.modify.undeclared(canChange, "Modify")+"; request it yourself: "+string(s.modified.input))
		case s.host.modify.blocks() && a.ModifiedPrompt != "":
			s.refuse(i, "the agent cannot take a changed prompt"+s.host.modify.undeclared(canChange, "Modify")+": "+a.ModifiedPrompt)
		case s.host.modify.blocks() && s.host.modify != DenyInstead && t.hasChanged && a.UpdatedOutput != nil:
			s.refuse(i, "the agent cannot take a changed output"+s.host.modify.undeclared(canChange, "Modify"))
		case s.host.ask.blocks() && current && a.Decision == protocol.Ask, s.host.ask == Ignore && isManaged(t.row.Hook) && current && a.Decision == protocol.Ask:
			s.refuse(i, "a person must approve this, and the agent cannot ask"+s.host.ask.undeclared(canAsk, "Ask"))
		case s.host.ask == Ignore && current && a.Decision == protocol.Ask:
			t.report.warnf("its ask is ignored, because the agent cannot ask (--ask=ignore): %s", shown.OneLine(a.Reason))
			s.ignoredAsk = true
			a.Decision, a.Reason = protocol.NoOpinion, ""
		}
	}
}

// What a host can declare (D104).
const (
	canAsk    = "ask its user"
	canChange = "use a changed input, prompt or output"
)

// refuse turns the hook's answer into a block.
func (s *state) refuse(at int, why string) {
	t := &s.turns[at]
	reason := fmt.Sprintf("hook %s: %s", t.report.Hook, why)
	if t.answer.Decision == protocol.Ask {
		texts := []string{t.answer.Reason, reason, t.report.Exception}
		reason = strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
	}
	t.version = s.version
	t.answer = protocol.Answer{Decision: protocol.Deny, Reason: protocol.Reason([]byte(reason)), SystemMessage: t.answer.SystemMessage, Log: t.answer.Log}
	t.report.Answer = t.answer
	s.blocker = at
}

// limitBlocks turns a block into a warning after stop-limit consecutive blocks,
// because at least one agent has no limit of its own (D30). Where blocks cannot
// be counted, stop_hook_active indicates an earlier block. The user can write the
// count, so that it opens no managed gate on its own if the agent sends that field
// (D100).
func (s *state) limitBlocks(t *turn, a protocol.Answer, n int, err error) protocol.Answer {
	switch {
	case isManaged(t.row.Hook) && s.host.sendsActive && !s.host.active:
		return a
	case err == nil && n <= s.host.stopLimit(t.row.Hook), err != nil && !s.host.active:
		return a
	case err == nil:
		t.report.warnf("has kept the agent working %d times in a row, its stop-limit; the agent may stop: %s", n-1, shown.OneLine(a.Reason))
	default:
		t.report.warnf("blocks although stop_hook_active is true; the agent may stop: %s", shown.OneLine(a.Reason))
	}
	return protocol.Answer{SystemMessage: a.SystemMessage, Log: a.Log}
}

// merged returns the merged answers about the final event, without those about
// superseded ones (D29, D88). What several hooks found in the call is said once.
func (s *state) merged() protocol.Answer {
	var answers []protocol.Answer
	causes := map[string]bool{}
	for i := range s.turns {
		t := &s.turns[i]
		if t.version == s.version && !t.answer.Empty() {
			a := t.answer
			if without, ok := strings.CutSuffix(a.Reason, t.cause); ok && causes[string(a.Decision)+t.cause] {
				a.Reason = without
			}
			causes[string(a.Decision)+t.cause] = true
			answers = append(answers, a)
		}
	}
	merged := protocol.Merge(answers)
	if s.ignoredAsk && merged.Decision == protocol.Allow {
		// Another hook's allow must not replace the ask (D45).
		merged.Decision, merged.Reason = protocol.NoOpinion, ""
	}
	return merged
}

// hookWarnings returns the warnings from the hooks' reports. Warnings from the
// project's hooks are limited, because a project may have any number of hooks.
func (s *state) hookWarnings() (warnings []string) {
	shown, more, hooks := 0, 0, 0
	refused := map[string][]string{} // names of hooks with the same refusal, such as all of a checkout that a group can write
	for i := range s.turns {
		if text := s.turns[i].refusal(); text != "" {
			refused[text] = append(refused[text], s.turns[i].report.Hook)
		}
	}
	for i := range s.turns {
		t := &s.turns[i]
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
