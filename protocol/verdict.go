package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Exit describes how a hook exited.
type Exit struct {
	Status         int // exit status
	Stdout, Stderr []byte
	Dropped        int64  // bytes of stdout above the limit, which were discarded
	Event          *Event // the hook's input; nil if unknown
	// Speaks returns the calling agent's name if it reads the output as at
	// least this decision, otherwise ""; nil if no agent called.
	Speaks func(d Decision) string
}

// Judge returns the meaning of a hook's exit (D25, D26, D27): status 0 with its
// stdout, 2 is a deny with stderr as its reason, any other status is an error,
// which is a failure of the hook. Warnings are single lines.
func Judge(event spec.EventType, hook string, exit Exit) (Answer, []string, error) {
	switch exit.Status {
	case spec.ExitContinue:
		a, warnings, err := decodeAnswer(exit.Stdout, exit.Event, exit.Speaks)
		if exit.Dropped > 0 { // of a truncated answer, only restrictions count (D25)
			err = fmt.Errorf("bad answer: stdout is above its limit by %d bytes", exit.Dropped)
			if a.Decision == Deny || a.Decision == Ask || a.Stop {
				d := answerDecoder{Answer: a}
				a, warnings, err = d.restricted(), append(warnings, err.Error()), nil
			}
		}
		if err != nil {
			return Answer{}, nil, err
		}
		return fit(event, hook, a, warnings)
	case spec.ExitBlock:
		var warnings []string
		out := firstLine(rawjson.ToValid(string(exit.Stdout)))
		if out != "" && strings.TrimFunc(rawjson.ToValid(string(exit.Stderr)), isBlank) == "" { // (D26)
			warnings = []string{fmt.Sprintf("exit status 2 with %q on stdout, which is not read; print the reason on stderr", clip(out, 80))}
		}
		return Answer{Decision: Deny, Reason: blockReason(hook, string(exit.Stderr))}, warnings, nil
	}
	return Answer{}, nil, statusError(exit)
}

// QuotingError is a failure whose message quotes output of the hook.
type QuotingError struct {
	Class   string // the message without any text from the hook, for logs (D33)
	Message string // a single line
}

// Error returns the full message.
func (e *QuotingError) Error() string { return e.Message }

// statusError returns the failure for a status other than 0 and 2. It includes
// the fix if the hook clearly meant to block or to answer.
func statusError(exit Exit) error {
	class := fmt.Sprintf("exit status %d", exit.Status)
	message := class
	text, crash := causeLine(rawjson.ToValid(string(exit.Stderr)))
	if text != "" {
		message += ": " + clip(text, 200)
	}
	out := firstLine(rawjson.ToValid(string(exit.Stdout)))
	switch {
	case findDecision(exit.Stdout) != NoOpinion:
		message += " (an answer on stdout counts only with exit status 0)"
	case exit.Status == 1 && text == "" && out != "":
		message += fmt.Sprintf(", with %q on stdout (only exit status 2 blocks, with the reason on stderr)", clip(out, 80))
	case exit.Status == 1 && text != "" && !crash:
		message += " (only exit status 2 blocks)"
	}
	return &QuotingError{class, message}
}

// blockReason returns a reason that is never empty, because several agents
// ignore a block without a reason (D26).
func blockReason(hook, reason string) string {
	if r := Reason([]byte(reason)); r != "" {
		return r
	}
	return DefaultReason(hook)
}

// DefaultReason returns the reason of a block for which the hook gave none.
func DefaultReason(hook string) string { return "blocked by hook " + hook }

// Complement returns a constant answer as Judge would return it if a script
// printed it (D77): a block has a reason and no context.
func Complement(event spec.EventType, hook string, a Answer) Answer {
	a, _, _ = fit(event, hook, a, nil)
	return a
}

// fit removes parts of an answer that do not apply to the event (D25, D28).
func fit(event spec.EventType, hook string, a Answer, warnings []string) (Answer, []string, error) {
	if a.ModifiedInput != nil && !event.ChangesInput() {
		a.ModifiedInput = nil
		warnings = append(warnings, fmt.Sprintf("modified_input is ignored on %s", event))
	}
	if a.ModifiedPrompt != "" && event != spec.PreAgentTurn {
		a.ModifiedPrompt = ""
		warnings = append(warnings, fmt.Sprintf("modified_prompt is ignored on %s", event))
	}
	if a.UpdatedOutput != nil && event != spec.PostToolCall {
		a.UpdatedOutput = nil
		warnings = append(warnings, fmt.Sprintf("updated_output is ignored on %s", event))
	}
	switch {
	case !a.Stop || !event.IsPre():
	case event == spec.PreAgentTurnStop:
		// The agent may stop. This does not revoke a deny: text that the hook
		// pastes into its answer must not open the gate.
		if a.StopReason != "" {
			warnings = append(warnings, "continue: false lets the agent stop: "+clip(firstLine(a.StopReason), 200))
		}
		a.Stop, a.StopReason = false, ""
	default:
		a = Answer{Decision: Deny, Reason: stopReason(a), SystemMessage: a.SystemMessage, Log: a.Log, Stop: true, StopReason: a.StopReason}
	}
	if a.Decision == Deny {
		a.Reason = blockReason(hook, a.Reason)
		a.ModifiedInput, a.ModifiedPrompt, a.AdditionalContext = nil, "", ""
	}
	a.Reason = Reason([]byte(a.Reason))
	return a, warnings, nil
}

// stopReason returns the reason for a block by continue: false. A reason that
// argues for an allow does not count.
func stopReason(a Answer) string {
	switch {
	case a.Decision == Deny:
		return join(a.Reason, a.StopReason)
	case a.StopReason == "" && a.Decision != Allow:
		return a.Reason
	}
	return a.StopReason
}

// Merge merges answers, given in the order in which their hooks ran (D28): deny
// before ask before allow, with the reasons of the winning level; contexts and
// messages joined; the first stop; the last modified input and updated output.
// A deny drops contexts and changes, except a changed output: the tool has run,
// and its output still reaches the model.
func Merge(answers []Answer) Answer {
	var m Answer
	var reasons, contexts, messages, logs []string
	for _, a := range answers {
		switch {
		case a.Decision.level() > m.Decision.level():
			m.Decision, reasons = a.Decision, append(reasons[:0], a.Reason)
			m.NativeAsk = a.NativeAsk
			if a.Decision == Deny {
				m.Native = a.Native
			}
		case a.Decision == m.Decision && a.Decision != NoOpinion:
			reasons = append(reasons, a.Reason)
			m.NativeAsk = m.NativeAsk && a.NativeAsk
		}
		contexts = append(contexts, a.AdditionalContext)
		messages = append(messages, a.SystemMessage)
		logs = append(logs, a.Log)
		if a.Stop && !m.Stop {
			m.Stop, m.StopReason = true, a.StopReason
		}
		if a.ModifiedInput != nil {
			m.ModifiedInput = a.ModifiedInput
		}
		if a.ModifiedPrompt != "" {
			m.ModifiedPrompt = a.ModifiedPrompt
		}
		if a.UpdatedOutput != nil {
			m.UpdatedOutput = a.UpdatedOutput
		}
		if a.Native != nil && m.Decision != Deny {
			m.Native = a.Native
		}
	}
	m.Reason, m.AdditionalContext = join(reasons...), join(contexts...)
	m.SystemMessage, m.Log = join(messages...), join(logs...)
	if m.Decision == Deny {
		m.AdditionalContext, m.ModifiedInput, m.ModifiedPrompt = "", nil, ""
	}
	return m
}

// join joins the texts that are not empty, each on lines of its own.
func join(texts ...string) string {
	texts = slices.DeleteFunc(texts, func(s string) bool { return s == "" })
	for i := range len(texts) - 1 {
		texts[i] = strings.TrimRight(texts[i], "\n")
	}
	return strings.Join(texts, "\n")
}
