package agent

import (
	"bytes"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Sender returns the agent that sent a payload to an entry of a: a itself,
// unless the payload proves to come from one of the agents that are known to
// run a's entries (D86). event is the format's event from the command line, ""
// if it names none. If the sender does not know the event, the result is a, with
// a warning.
func (a *Agent) Sender(payload []byte, event string) (sender *Agent, warning string) {
	top := topOf(payload)
	for _, guest := range a.Guests() {
		switch {
		case !slices.ContainsFunc(guest.Guest.Proof, func(e Evidence) bool { return e.proves(top) }):
		case sender != nil: // two different proofs prove nothing
			return a, ""
		default:
			sender = guest
		}
	}
	switch {
	case sender == nil:
		return a, ""
	case !sender.knows(top, event):
		return a, "the payload is one of " + sender.Title + ", which has no such event; it is read as one of " + a.Title
	}
	return sender, ""
}

// Guests returns the agents that are known to run a's entries.
func (a *Agent) Guests() (guests []*Agent) {
	for _, other := range agents {
		if hasWord(other.Guest.Of, a.Name) {
			guests = append(guests, other)
		}
	}
	return guests
}

// knows reports whether a has the event that a payload names or, if it names
// none, that of the command line.
func (a *Agent) knows(top []member, event string) bool {
	c := Call{Agent: a, members: top}
	rows, unknown := c.named()
	if len(rows) > 0 || unknown != "" {
		return unknown == ""
	}
	return a.EventFor(spec.EventType(event)) != nil
}

// lacks reports whether a payload has a key that the agent's own payloads lack.
func (a *Agent) lacks(top []member) bool {
	absent := func(c Condition) bool {
		return c.Absent && slices.ContainsFunc(c.Keys, func(key string) bool { return lookup(top, key) != nil })
	}
	return slices.ContainsFunc(a.Proof, func(e Evidence) bool { return slices.ContainsFunc(e, absent) })
}

// topOf returns the members of a payload, nil if it cannot be read.
func topOf(payload []byte) []member {
	top, readable := membersOf(payload)
	if !readable {
		return nil
	}
	return top
}

// recognize returns the agent that a payload's top-level keys prove, nil if they
// prove none or several (D42). It is only for payloads whose agent is not
// named.
func recognize(top []member) *Agent {
	var found *Agent
	for _, a := range agents {
		if !slices.ContainsFunc(a.Proof, func(e Evidence) bool { return e.proves(top) }) {
			continue
		}
		if found != nil {
			return nil
		}
		found = a
	}
	return found
}

// proves reports whether every condition is met. It allocates only the strings
// that it compares, because every call of an agent is compared with every proof.
func (e Evidence) proves(top []member) bool {
	for i := range e {
		if !e[i].met(top) {
			return false
		}
	}
	return true
}

func (c *Condition) met(top []member) bool {
	for _, key := range c.Keys {
		value := lookup(top, key)
		switch {
		case (value == nil) != c.Absent, c.OneOf != nil && !isOneOf(value, c.OneOf), c.Part != "" && !bytes.Contains(value, []byte(c.Part)):
			return false
		}
	}
	return true
}

// isOneOf reports whether a JSON string is one of the words.
func isOneOf(value []byte, words []string) bool {
	if len(value) < 2 || value[0] != '"' {
		return false
	}
	for _, word := range words {
		if string(value[1:len(value)-1]) == word {
			return true
		}
	}
	return false
}

// Complete adds missing fields, such as the tool's name and input, to a payload
// that came without the name of its agent (D42). It changes nothing else: a
// caller that does not name itself is answered in the format's own form. If the
// payload's top-level keys prove no agent, or several, the agent is nil and the
// payload is unchanged.
func Complete(payload []byte, event spec.EventType) ([]byte, *Agent) {
	a := recognize(topOf(payload))
	if a == nil {
		return payload, nil
	}
	c, err := a.Decode(payload, string(event))
	if err != nil {
		return payload, a
	}
	out := payload[: len(payload)-1 : len(payload)-1]
	for _, f := range c.fields() {
		if c.Has(f.key) || strings.HasPrefix(f.key, renamed) {
			continue
		}
		out = rawjson.AppendText(append(out, ", "...), f.key)
		out = append(append(out, ": "...), f.value...)
	}
	return append(out, '}'), a
}
