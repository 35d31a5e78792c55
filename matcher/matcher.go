// Package matcher compiles and matches the two regular expressions of one
// hook's matcher: `tool`, searched in the names of a tool, and `pattern`,
// searched in what the tool is called with (D15-D19).
//
// The dialect is Python's re, as near as regexp2 gets. What cannot be decided
// counts as matched: a guard that is asked once too often costs a process, a
// guard that is skipped costs what it guards.
//
// The package knows no events and no hooks and does no I/O: tool names and
// input values come in as strings.
package matcher

import (
	"fmt"
	"time"
)

// Budget is the longest that one Match call may search, all names and values
// together (D19).
const Budget = 250 * time.Millisecond

// MaxSearched is the size in bytes of the largest value that is searched; a
// larger one counts as matched (D19).
const MaxSearched = 1 << 20

// Subject is what one tool event offers to a matcher.
type Subject struct {
	Own    []string // the tool names that the caller sent (one, unless the event repeats the key)
	Names  []string // every name by which those tools are known, Own included (D17)
	Values []string // each string, number and boolean inside tool_input, as text (D18)
	Text   string   // tool_input as JSON text, ", " and ": ", non-ASCII unescaped (D18)

	// NamesUnknown and InputUnknown say why that side cannot be decided;
	// not "": it counts as matched, with this warning.
	NamesUnknown, InputUnknown string
}

// Result is what Match found.
type Result struct {
	Matched bool
	Failed  string // the first part that did not match: "tool" or "pattern"
	Warning string // what counted as matched without being decided, "" if nothing
}

// Error is a regular expression that does not compile.
type Error struct {
	Part   string // "tool" or "pattern"
	Source string // the expression as written
	Offset int    // bytes in Source, -1 if unknown
	Err    error
}

// Error names the part, the expression and the cause.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %q: %v", e.Part, e.Source, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Matcher is a compiled matcher.
type Matcher struct {
	tool, pattern *expression
}

// Compile compiles the two parts of a matcher; "" means that a part is not
// given. An error is an *Error.
func Compile(tool, pattern string) (*Matcher, error) {
	return &Matcher{}, nil
}

// Match decides whether the matcher concerns s (D15-D19).
func (m *Matcher) Match(s Subject) Result {
	return Result{Matched: true}
}

// Difference is a place where Python's re and this engine differ (D19).
type Difference struct {
	Offset  int // bytes
	Message string
}

// Differences lists where source means something else in Python's re.
func Differences(source string) []Difference { return nil }

type expression struct{}
