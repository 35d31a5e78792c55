package agent

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Sender returns the agent that sent a payload to an entry of a. Several agents
// run the entries of another agent's settings file.
func (a *Agent) Sender(payload []byte) *Agent {
	top := topOf(payload)
	if found := recognize(top); found != nil {
		if a.Kin == found.Name {
			return a
		}
		return found
	}
	for _, guest := range agents {
		if guest.Guest.Of == a.Name && proves(guest.Guest.Proof, top) {
			return guest
		}
	}
	return a
}

// topOf returns the members of a payload, nil if it cannot be read.
func topOf(payload []byte) (top []member) {
	if rawjson.Members(payload, func(key string, value []byte) bool {
		top = append(top, member{key, value})
		return true
	}) != nil {
		return nil
	}
	return top
}

// recognize returns the agent that a payload's top-level keys prove, nil if they
// prove none or several (D42).
func recognize(top []member) *Agent {
	var found *Agent
	for _, a := range agents {
		if !slices.ContainsFunc(a.Proof, func(p string) bool { return proves(p, top) }) {
			continue
		}
		if found != nil {
			return nil
		}
		found = a
	}
	return found
}

// proves reports whether every condition of a proof is met. It allocates only
// the strings that it compares, because every call of an agent is compared with
// every proof.
func proves(proof string, top []member) bool {
	for proof != "" {
		var word string
		word, proof, _ = strings.Cut(proof, " ")
		key, want, has := strings.Cut(word, "=")
		absent := strings.HasPrefix(key, "!")
		value := lookup(top, strings.TrimPrefix(key, "!"))
		if (value == nil) != absent || has && !isOneOf(value, want) {
			return false
		}
	}
	return true
}

// isOneOf reports whether a JSON string is one of the alternatives separated by
// bars.
func isOneOf(value []byte, want string) bool {
	if len(value) < 2 || value[0] != '"' {
		return false
	}
	for want != "" {
		var word string
		if word, want, _ = strings.Cut(want, "|"); string(value[1:len(value)-1]) == word {
			return true
		}
	}
	return false
}
