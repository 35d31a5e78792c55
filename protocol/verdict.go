package protocol

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Exit is how a hook left.
type Exit struct {
	Status         int // exit status
	Stdout, Stderr []byte
	Dropped        int64 // bytes of stdout above the limit, not kept
}

// Judge says what a hook means that left by itself (D25, D26, D27): exit
// status 0 with its stdout, 2 a deny with stderr as its reason, any other
// status an error, which is a failure of the hook. Warnings are single lines.
func Judge(event spec.Event, hook string, exit Exit) (Answer, []string, error) {
	switch exit.Status {
	case spec.ExitContinue:
		if exit.Dropped > 0 {
			return Answer{}, nil, fmt.Errorf("bad answer: stdout is above its limit by %d bytes", exit.Dropped)
		}
		a, warnings, err := DecodeAnswer(exit.Stdout)
		if err != nil {
			return Answer{}, nil, err
		}
		return fit(event, hook, a, warnings)
	case spec.ExitBlock:
		return Answer{Decision: Deny, Reason: blockReason(hook, string(exit.Stderr))}, nil, nil
	}
	return Answer{}, nil, statusError(exit)
}

func statusError(exit Exit) error {
	if line := firstLine(valid(string(exit.Stderr))); line != "" {
		return fmt.Errorf("exit status %d: %s", exit.Status, clip(line, 200))
	}
	return fmt.Errorf("exit status %d", exit.Status)
}

// blockReason is never empty: several agents ignore a block without a reason
// (D26).
func blockReason(hook, reason string) string {
	if r := Reason([]byte(reason)); r != "" {
		return r
	}
	return "blocked by hook " + hook
}

// fit takes from an answer what the event has no use for (D25, D28).
func fit(event spec.Event, hook string, a Answer, warnings []string) (Answer, []string, error) {
	if a.ModifiedInput != nil && event != spec.PreToolCall {
		a.ModifiedInput = nil
		warnings = append(warnings, fmt.Sprintf("modified_input is ignored on %s", event))
	}
	if a.UpdatedOutput != nil && event != spec.PostToolCall {
		a.UpdatedOutput = nil
		warnings = append(warnings, fmt.Sprintf("updated_output is ignored on %s", event))
	}
	if a.Stop && event.IsPre() {
		if a.Decision != Deny {
			a.Reason = ""
		}
		a = Answer{Decision: Deny, Reason: join(a.Reason, a.StopReason), SystemMessage: a.SystemMessage, Log: a.Log}
	}
	if a.Decision == Deny {
		a.Reason = blockReason(hook, a.Reason)
		a.ModifiedInput, a.UpdatedOutput, a.AdditionalContext = nil, nil, ""
	}
	a.Reason = Reason([]byte(a.Reason))
	return a, warnings, nil
}

// Merge makes one answer of several, given in the order in which their hooks
// ran (D28): deny before ask before allow, with the reasons of the winning
// level; contexts and messages joined; the first stop; the last modified
// input and updated output. A deny drops contexts and changes.
func Merge(answers []Answer) Answer {
	var m Answer
	for _, a := range answers {
		switch {
		case a.Decision.level() > m.Decision.level():
			m.Decision, m.Reason = a.Decision, a.Reason
		case a.Decision == m.Decision && a.Decision != NoOpinion:
			m.Reason = join(m.Reason, a.Reason)
		}
		m.AdditionalContext = join(m.AdditionalContext, a.AdditionalContext)
		m.SystemMessage = join(m.SystemMessage, a.SystemMessage)
		m.Log = join(m.Log, a.Log)
		if a.Stop && !m.Stop {
			m.Stop, m.StopReason = true, a.StopReason
		}
		if a.ModifiedInput != nil {
			m.ModifiedInput = a.ModifiedInput
		}
		if a.UpdatedOutput != nil {
			m.UpdatedOutput = a.UpdatedOutput
		}
	}
	if m.Decision == Deny {
		m.AdditionalContext, m.ModifiedInput, m.UpdatedOutput = "", nil, nil
	}
	return m
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimRight(a, "\n") + "\n" + b
}
