package protocol

import (
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Restriction is what one JSON object in the output of a program means if the
// program may only restrict (D79).
type Restriction struct {
	// Answer has a deny or an ask with its reason, and the stop of the agent. It
	// never allows or changes anything.
	Answer Answer
	// Known means that the object answers: it decides, stops or changes something,
	// or tries to.
	Known bool
	// Dropped means that the object would allow or change the operation, which does
	// not count.
	Dropped bool
	// Err is why the object is not a valid answer. It is nil if the object
	// restricts.
	Err error
}

// Restricts reports whether the object denies, asks or stops.
func (r *Restriction) Restricts() bool { return r.Answer.Decision != NoOpinion || r.Answer.Stop }

// Restrict reads an object for a program that may only restrict. Restrictions in
// other systems' keys count, as in a hook's answer (D25).
func Restrict(object []byte) Restriction {
	d := answerDecoder{stdout: object}
	if err := rawjson.Each(object, d.member); err != nil {
		return Restriction{Err: err}
	}
	d.noDecision(object)
	deciding := func(key string) bool {
		return !slices.Contains([]string{"reason", "stop_reason", "log", "additional_context", "system_message"}, key)
	}
	r := Restriction{Known: slices.ContainsFunc(d.seen, deciding) || d.foreign.key != "" || d.misspelled != nil}
	r.Dropped = d.Decision == Allow || d.ModifiedInput != nil || d.UpdatedOutput != nil || d.ModifiedPrompt != ""
	a, _, err := d.result()
	r.Err = err
	r.Answer = a.OnlyRestricting()
	return r
}

// OnlyRestricting returns the decision, if it is a deny or an ask, with its
// reason, and the stop of the agent.
func (a Answer) OnlyRestricting() Answer {
	kept := Answer{Stop: a.Stop, StopReason: a.StopReason}
	if a.Decision == Deny || a.Decision == Ask {
		kept.Decision, kept.Reason = a.Decision, a.Reason
	}
	return kept
}
