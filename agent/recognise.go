package agent

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/protocol"
)

// Recognise returns the agent that a payload's top-level keys prove beyond
// doubt, nil if they prove none or several (D42).
func Recognise(payload []byte) *Agent {
	var top []member
	if protocol.Members(payload, func(key string, value []byte) bool {
		top = append(top, member{key, value})
		return true
	}) != nil {
		return nil
	}
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

// proves reports whether every condition of a proof holds.
func proves(proof string, top []member) bool {
	for _, word := range strings.Fields(proof) {
		key, want, has := strings.Cut(word, "=")
		absent := strings.HasPrefix(key, "!")
		value := lookup(top, strings.TrimPrefix(key, "!"))
		if (value == nil) != absent {
			return false
		}
		if has {
			text, ok := protocol.Text(value)
			if !ok || !slices.Contains(strings.Split(want, "|"), text) {
				return false
			}
		}
	}
	return true
}
