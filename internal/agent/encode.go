package agent

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Verdict is the result of a run.
type Verdict struct {
	Answer protocol.Answer
	Hook   string // the hook that decided; "" if none or several
	// Exceptions says how the user lets pass what the hooks ask about, for an agent that
	// cannot ask; "" if no exception does.
	Exceptions string
	// Failures are warnings for the user that a hook did not run or failed.
	Failures []string
	// IgnoreAsk drops an ask that the agent cannot express, with a warning.
	// Otherwise, Encode denies the operation (D45).
	IgnoreAsk bool
}

// Output is a native answer.
type Output struct {
	Status int
	Stdout []byte
	Stderr string // for the agent: the reason of a block by exit status
	Reason string // the reason of a block, as the agent gets it
	// Blocked reports that the answer tells the agent not to continue.
	Blocked bool
	// NotEnforced reports a deny that the agent cannot enforce on the event. It
	// is never logged as blocked (D44).
	NotEnforced bool
	// Warnings describe the parts that the answer could not express.
	Warnings []string
}

// Encode returns the native answer to a call (D44, D45). A part that the agent
// cannot express becomes something stricter or a warning. It never becomes a
// grant and is never dropped silently.
func (c *Call) Encode(v Verdict) Output {
	e := encoder{call: c, row: c.row(), a: v.Answer, verdict: v}
	e.stop()
	e.ask()
	e.input()
	e.inOutput()
	e.deny()
	e.rest()
	out := e.output()
	if bytes.HasPrefix(out.Stdout, []byte("{")) {
		out.Stdout = rawjson.EscapeInvisible(out.Stdout)
	}
	return out
}

// row returns the native event. A payload with an unknown event may be a tool
// call, so a deny for it must be effective.
func (c *Call) row() *NativeEvent {
	if c.Row != nil {
		return c.Row
	}
	if row := c.Agent.EventFor(spec.PreToolCall); row != nil {
		return row
	}
	return &c.Agent.Events()[0]
}

// encoder builds a native answer.
type encoder struct {
	call     *Call
	row      *NativeEvent
	verdict  Verdict
	a        protocol.Answer
	messages []string
	change   bool   // the answer includes the changed input
	native   []byte // the whole answer, instead of forms
	out      Output
}

func (e *encoder) warnf(format string, args ...any) {
	e.out.Warnings = append(e.out.Warnings, fmt.Sprintf(format, args...))
}

// gate reports whether the event can still be blocked.
func (e *encoder) gate() bool { return e.call.Gates > 0 || e.call.Row == nil }

// asks reports whether the agent is known to wait for a person after an ask
// (D45), or every ask was made by its own hooks (D61).
func (e *encoder) asks() bool {
	if e.row.Ask.silent() {
		return true
	}
	modes := e.call.Agent.AskModes
	return e.askForm() != nil && (e.a.NativeAsk || slices.Contains(modes, e.call.Mode) || slices.Contains(modes, "*"))
}

// askForm returns the form of an ask; nil if there is none. For the agent's own
// hooks it may be a form that the agent is only known to read; then it is nested
// as a deny is.
func (e *encoder) askForm() Form {
	if e.row.Ask == nil && e.a.NativeAsk {
		for _, also := range e.call.Agent.Judging.Also {
			if also.Ask != nil && also.Ask.nested() == e.row.Deny.nested() {
				return also.Ask
			}
		}
	}
	return e.row.Ask
}

// stop handles continue: false (D28). Before an operation it is a deny, because
// some agents run the tool first. Where a block keeps the agent working,
// continue: false would cancel the block.
func (e *encoder) stop() {
	switch {
	case !e.a.Stop:
	case e.call.stops():
		e.a.Stop = e.a.Decision != protocol.Deny
	case e.before() && e.a.Decision != protocol.Deny:
		e.refuse(e.a.StopReason)
	}
}

// ask handles an ask that the agent cannot express.
func (e *encoder) ask() {
	if e.a.Decision != protocol.Ask || e.asks() {
		return
	}
	switch {
	case !e.before():
		e.warnf("%s cannot ask a person on %s: %s", e.call.Agent.Title, e.row.Name, oneLine(e.a.Reason))
		e.a.Decision, e.a.Reason = protocol.NoOpinion, ""
	case e.verdict.IgnoreAsk:
		e.warnf("%s cannot ask a person on %s; the question is ignored: %s", e.call.Agent.Title, e.row.Name, oneLine(e.a.Reason))
		e.a.Decision, e.a.Reason = protocol.NoOpinion, ""
	default:
		reason := "a person must approve this: " + e.a.Reason
		if e.a.ModifiedInput != nil {
			reason += "\nthe input would be changed to: " + string(e.call.nativeInput(e.a.ModifiedInput))
		}
		if e.verdict.Exceptions != "" {
			reason += "\n" + e.verdict.Exceptions
		}
		e.refuse(reason)
	}
}

// before reports whether the event precedes the operation.
func (e *encoder) before() bool {
	return e.call.Row == nil || slices.ContainsFunc(e.call.Events, spec.EventType.IsPre)
}

// refuse makes the answer a deny.
func (e *encoder) refuse(reason string) {
	e.a.Decision, e.a.Reason = protocol.Deny, reason
	e.a.ModifiedInput, e.a.AdditionalContext, e.a.Native = nil, "", nil
}

// input handles a changed input. Sending it must not grant a call that no hook
// allowed.
func (e *encoder) input() {
	if e.a.ModifiedInput == nil || e.a.Decision == protocol.Deny {
		return
	}
	can := e.row.Input != nil
	switch {
	case can && (e.a.Decision == protocol.Allow || e.a.Decision == protocol.Ask && !e.row.Ask.silent() || e.row.Harmless):
		e.change = true
	case can && e.a.Decision == protocol.NoOpinion && !e.row.Ask.silent() && e.asks():
		e.a.Decision, e.change = protocol.Ask, true
		if e.a.Reason == "" {
			e.a.Reason = "a hook changed the input"
		}
	default:
		// Ignoring the change here would run an input that the guards have not
		// seen.
		e.refuse(join(e.a.Reason, "the input must be changed; call the tool again with exactly this input: "+string(e.call.nativeInput(e.a.ModifiedInput))))
	}
}

// nativeInput converts a canonical input to the keys of the agent's tool (D43).
func (c *Call) nativeInput(input []byte) []byte {
	members := c.strip(input)
	if c.rawPatch > 0 {
		return c.quoted(lookup(members, patchKey))
	}
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(rawjson.AppendText(out, m.key), ':'), m.value...)
	}
	return append(out, '}')
}

// inOutput adds a reason or a context for the model to the tool's output, where
// the event takes it nowhere else.
func (e *encoder) inOutput() {
	if !e.row.InOutput || !e.gate() {
		return
	}
	text := e.a.AdditionalContext
	denied := e.a.Decision == protocol.Deny && e.a.Native == nil
	if denied { // a deny has no context
		text = named(e.verdict.Hook, e.a.Reason)
	}
	output := e.a.UpdatedOutput
	if output == nil {
		own, _ := e.call.canonical("tool_output")
		output = append(own, nil)[0]
	}
	if text == "" || e.a.Native != nil || output == nil {
		return
	}
	e.a.UpdatedOutput, e.a.AdditionalContext = appended(output, text), ""
	if denied {
		e.out.Blocked, e.out.Reason = true, named(e.verdict.Hook, e.a.Reason)
		e.a.Decision, e.a.Reason = protocol.NoOpinion, ""
	}
}

// appended returns a tool's output with text added to the part that the model
// reads.
func appended(output []byte, text string) []byte {
	if members := latest(output); lookup(members, "for_llm") != nil {
		said, _ := rawjson.Text(lookup(members, "for_llm"))
		return objectOf(assign(members, member{"for_llm", rawjson.AppendText(nil, join(said, text))}))
	}
	said, isText := rawjson.Text(output)
	if !isText {
		said = string(output)
	}
	return rawjson.AppendText(nil, join(said, text))
}

// deny handles a block that the event cannot enforce.
func (e *encoder) deny() {
	if e.a.Decision != protocol.Deny {
		return
	}
	e.a.Reason = named(e.verdict.Hook, e.a.Reason)
	e.out.Reason = e.a.Reason
	if e.gate() && (e.row.Deny != nil || e.row.Exit2) {
		e.out.Blocked = true
		if e.row.Hides && e.a.SystemMessage == "" && !e.a.Stop { // which are shown
			e.messages = append(e.messages, "blocked: "+e.a.Reason)
		}
		if e.a.UpdatedOutput != nil && e.row.Deny.contradicts(e.row.Output) {
			e.warnf("%s takes no changed output together with a block; it is not delivered", e.call.Agent.Title)
			e.a.UpdatedOutput = nil
		}
		return
	}
	e.out.NotEnforced = true
	text := fmt.Sprintf("%s cannot block %s; not enforced: %s", e.call.Agent.Title, e.row.Name, e.a.Reason)
	e.messages = append(e.messages, text)
	e.a.Decision, e.a.Reason = protocol.NoOpinion, ""
}

// named returns a reason that names the hook (D44), as many hooks already do.
// It is never JSON, which some agents would read as an answer.
func named(hook, reason string) string {
	switch prefix := "hook " + hook + ": "; {
	case hook == "":
		return "agent-hooks: " + reason
	case strings.HasPrefix(reason, prefix), strings.HasPrefix(reason, "blocked by "+hook+": "), reason == "blocked by hook "+hook:
		return reason
	default:
		return prefix + reason
	}
}

// rest handles the parts of the answer other than the decision.
func (e *encoder) rest() {
	e.messages = append(e.messages, e.verdict.Failures...)
	if e.a.SystemMessage != "" {
		e.messages = append(e.messages, e.a.SystemMessage)
	}
	if e.a.Decision == protocol.Ask && e.row.Ask.silent() && e.a.Reason != "" {
		e.messages = append(e.messages, e.a.Reason)
	}
	if _, text := e.row.Context.whole(); e.row.Message == nil || text && e.a.AdditionalContext != "" {
		e.out.Warnings = append(e.out.Warnings, e.messages...)
		e.messages = nil
	}
	if e.a.ModifiedPrompt != "" && e.row.Prompt == nil {
		if e.row.Context == nil {
			e.warnf("%s cannot change the prompt on %s; the change is not delivered", e.call.Agent.Title, e.row.Name)
		} else {
			e.a.AdditionalContext = join(e.a.AdditionalContext, "the prompt was changed to: "+e.a.ModifiedPrompt)
		}
		e.a.ModifiedPrompt = ""
	}
	if e.call.Agent.Converses {
		e.native = picoclawNative(e)
	}
	if e.a.AdditionalContext != "" && (e.row.Context == nil || !e.gate()) {
		e.warnf("%s takes no context on %s; it is not delivered", e.call.Agent.Title, e.row.Name)
		e.a.AdditionalContext = ""
	}
	if e.a.Decision == protocol.Allow && !e.change && (e.row.Allow == nil || !e.gate()) {
		if e.before() {
			e.warnf("%s takes no allow on %s; its own permissions decide", e.call.Agent.Title, e.row.Name)
		}
		e.a.Decision, e.a.Reason = protocol.NoOpinion, ""
	}
	if e.a.Stop && e.row.Stop == nil {
		e.warnf("%s cannot be stopped on %s: %s", e.call.Agent.Title, e.row.Name, oneLine(e.a.StopReason))
		e.a.Stop = false
	}
}

// output returns the finished answer.
func (e *encoder) output() Output {
	if e.out.Blocked && e.row.Exit2 && !e.uncertain() && (e.briefly()) {
		e.out.Status = spec.ExitBlock
		e.out.Stderr = strings.Join(append([]string{e.a.Reason}, e.messages...), "\n")
		return e.out
	}
	if e.native != nil {
		e.out.Stdout = append(e.native, '\n')
		return e.out
	}
	if e.a.Decision == protocol.Ask && e.a.Reason == "" {
		e.a.Reason = "a hook asks for a person's approval"
	}
	v := values{
		reason: e.a.Reason, stopReason: e.a.StopReason, context: e.a.AdditionalContext, message: strings.Join(e.messages, "\n"),
		output: e.a.UpdatedOutput, event: e.row.Name, tool: e.call.Text("tool_name"),
	}
	if e.a.ModifiedPrompt != "" {
		v.prompt = rawjson.AppendText(nil, e.a.ModifiedPrompt)
	}
	if e.change {
		v.input = e.call.nativeInput(e.a.ModifiedInput)
	}
	var o object
	for _, f := range e.forms() {
		if p, ok := f.whole(); ok {
			if text, isText := rawjson.Text(v.json(p)); isText && len(o.keys) == 0 {
				e.out.Stdout = []byte(text + "\n")
			}
			continue
		}
		f.apply(&o, &v)
	}
	if e.call.Row != nil && e.call.Row.Native != "" {
		o.addNative(e.a.Native)
	}
	if len(o.keys) > 0 {
		e.out.Stdout = append(o.append(nil), '\n')
	} else if len(e.out.Stdout) == 0 && e.row.Silent != "" {
		e.out.Stdout = []byte(e.row.Silent + "\n")
	}
	return e.out
}

// briefly reports whether a block is exit status 2, although the event may have a
// form for it.
func (e *encoder) briefly() bool {
	switch by := e.call.Agent.Blocks; {
	case e.row.Deny == nil:
		return true
	case by == BlockByStatus && e.before():
		return true
	case by == BlockStopsByForm && e.call.stops():
		return false
	default:
		return by != BlockByForm && e.plain()
	}
}

// uncertain reports whether a block of a stop may be for another agent, which
// runs the entries of this one and does not obey exit status 2.
func (e *encoder) uncertain() bool {
	return e.row.Deny != nil && e.call.stops() && e.call.Agent.Guests() != nil && e.call.Agent.lacks(e.call.members)
}

// plain reports whether the verdict is only a reason.
func (e *encoder) plain() bool {
	return len(e.messages) == 0 && !e.a.Stop && e.a.UpdatedOutput == nil
}

// forms returns the forms of all parts of the answer.
func (e *encoder) forms() (forms []Form) {
	add := func(says bool, f Form) {
		if says {
			forms = append(forms, f)
		}
	}
	add(e.a.Decision == protocol.Deny && e.a.Native == nil, e.row.Deny)
	add(e.a.Decision == protocol.Ask, e.askForm())
	add(e.a.Decision == protocol.Allow, e.row.Allow)
	add(e.change, e.row.Input)
	add(e.a.ModifiedPrompt != "", e.row.Prompt)
	add(e.a.UpdatedOutput != nil, e.row.Output)
	add(e.a.AdditionalContext != "", e.row.Context)
	add(len(e.messages) > 0, e.row.Message)
	add(e.a.Stop, e.row.Stop)
	return forms
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "\n" + b
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Without returns what the agent must get on a native event if agent-hooks is
// not there: its answer without an opinion, with a message for the user if the
// event can show one (D84). It is empty if silence means no opinion.
func (a *Agent) Without(event, message string) []byte {
	row := a.Event(event)
	if row == nil {
		return nil
	}
	c := &Call{Agent: a, Row: row, Events: row.Spec(), Payload: []byte("{}"), readable: true}
	return c.Encode(Verdict{Answer: protocol.Answer{SystemMessage: message}}).Stdout
}
