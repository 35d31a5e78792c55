package spec

import "strings"

// Match is what a pattern is searched in (D78).
type Match string

// The values of metadata.match.
const (
	Values   Match = "values"   // each value of the input, and the input as JSON text (the default)
	Commands Match = "commands" // each simple command that a shell would run
	Paths    Match = "paths"    // each path that the call names
	// Pipelines are the ways that data takes from one command to others (D93).
	Pipelines Match = "pipelines"
	// UnknownMatch is any other value: every input counts as matched.
	UnknownMatch Match = "unknown"
)

// Access is a set of what a call does with a path (D95).
type Access uint8

// The values of metadata.access. A RemoveTree is a Remove, too. A Show is a Read of what a
// program does not only load (D127).
const (
	Read Access = 1 << iota
	Write
	Remove
	RemoveTree
	Show

	AnyAccess = Read | Write | Remove | RemoveTree | Show
)

// Covers reports whether a path that a call uses in the ways of used counts for a
// hook with the access a.
func (a Access) Covers(used Access) bool {
	if used&RemoveTree != 0 {
		used |= Remove
	}
	return a&used != 0
}

// String returns the words of metadata.access, joined by commas.
func (a Access) String() string {
	var words []string
	for i, word := range accessWords {
		if a&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// accessWords are the words of metadata.access in the order of their constants.
var accessWords = [...]string{"read", "write", "remove", "remove-tree", "show"}

// AccessWords returns the words of metadata.access in the order of their constants.
func AccessWords() []string { return accessWords[:] }
