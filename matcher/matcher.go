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
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Budget is the longest that the engine may search in one Match call, all names
// and values together (D19). Nothing else that a call does counts, however long
// a busy machine takes for it.
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

	// Input, if not nil, is asked for Values, Text and InputUnknown when they
	// are first needed: decoding an input costs, and most hooks are decided
	// by the tool's name.
	Input func() (values []string, text, unknown string)
}

// Result is what Match found.
type Result struct {
	Matched bool
	Failed  string // the first part that did not match: "tool" or "pattern"
	Warning string // what counted as matched without being decided, "" if nothing
	// Err says that a part that was needed does not compile, which decides
	// nothing; an *Error, else nil.
	Err error
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

// Matcher is a compiled matcher. It is safe for concurrent use: its Match
// calls take turns, since the engine keeps the time that is left to a search
// in the expression itself. A call's budget begins when its turn comes.
type Matcher struct {
	turn          sync.Mutex
	tool, pattern expression
}

// New returns a matcher whose parts are compiled when a Match first needs
// them; "" means that a part is not given.
func New(tool, pattern string) *Matcher {
	return &Matcher{tool: newExpression("tool", tool), pattern: newExpression("pattern", pattern)}
}

// Compile compiles the two parts of a matcher; "" means that a part is not
// given. An error is an *Error.
func Compile(tool, pattern string) (*Matcher, error) {
	m := New(tool, pattern)
	if err := m.tool.prepare(); err != nil {
		return nil, err
	}
	if err := m.pattern.prepare(); err != nil {
		return nil, err
	}
	return m, nil
}

// Match decides whether the matcher concerns s: every part that is given must
// match (D15-D19). What cannot be decided counts as matched, with a warning.
// The pattern is looked at only if the tool matches (D6). It never panics. All
// its searches together end by Budget and the coarseness of the engine's
// clock, another 200 ms at most.
func (m *Matcher) Match(s Subject) Result {
	m.turn.Lock()
	defer m.turn.Unlock()
	var warnings []string
	left := Budget
	if m.tool.given() {
		if err := m.tool.prepare(); err != nil {
			return Result{Err: err}
		}
		matched, warning := m.matchTool(s, &left)
		if !matched {
			return Result{Failed: "tool"}
		}
		warnings = appendNotEmpty(warnings, warning)
	}
	if m.pattern.given() {
		if err := m.pattern.prepare(); err != nil {
			return Result{Err: err}
		}
		if s.Input != nil {
			s.Values, s.Text, s.InputUnknown = s.Input()
		}
		matched, warning := m.matchPattern(s, &left)
		if !matched {
			return Result{Failed: "pattern"}
		}
		warnings = appendNotEmpty(warnings, warning)
	}
	return Result{Matched: true, Warning: strings.Join(warnings, "; ")}
}

func (m *Matcher) matchTool(s Subject, left *time.Duration) (bool, string) {
	if s.NamesUnknown != "" {
		return true, s.NamesUnknown
	}
	names := s.Names
	if m.tool.negative {
		// Another name of the same tool would defeat "all but this one" (D17).
		names = s.Own
	}
	if len(names) == 0 {
		return true, m.tool.undecided(errors.New("meets no tool name"))
	}
	return m.tool.any(names, left)
}

func (m *Matcher) matchPattern(s Subject, left *time.Duration) (bool, string) {
	if s.InputUnknown != "" {
		return true, s.InputUnknown
	}
	matched, warning := m.pattern.any(s.Values, left)
	if matched && warning == "" {
		return true, ""
	}
	inText, textWarning := m.pattern.any([]string{s.Text}, left)
	if inText && textWarning == "" {
		return true, ""
	}
	return matched || inText, cmp.Or(warning, textWarning)
}

// any searches texts until one matches. What is too large is decided last,
// so that it does not hide a plain match.
func (e *expression) any(texts []string, left *time.Duration) (matched bool, warning string) {
	large := 0
	for _, text := range texts {
		if len(text) > MaxSearched {
			large = max(large, len(text))
			continue
		}
		found, err := e.search(text, left)
		if err != nil {
			return true, e.undecided(err)
		}
		if found {
			return true, ""
		}
	}
	if large > 0 {
		return true, e.undecided(fmt.Errorf("meets a value of %d bytes, above the %d that are searched", large, MaxSearched))
	}
	return false, ""
}

func appendNotEmpty(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}

// Difference is a place where Python's re refuses an expression, or reads it
// in another way (D19).
type Difference struct {
	Offset  int    // bytes
	Message string // what was found; what would do
}

// Differences lists where source means something else in Python's re or is
// refused there, although it compiles here. What can be translated is
// translated instead, so the list is short. Not listed, since they are in the
// engine's tables and not in the expression: \w and \b count combining marks
// and all connecting punctuation as word characters, and no numerals but the
// decimal digits.
func Differences(source string) []Difference { return translate(source).differences }
