// Package matcher compiles and matches the two regular expressions of one
// hook's matcher: `tool`, matched against the names of a tool, and `pattern`,
// matched against the tool's input (D15-D19).
//
// The dialect is Python's re, as closely as regexp2 permits. An undecidable
// part counts as matched: running a guard once too often costs a process, and
// skipping it costs what it protects.
//
// The package does not use events or hooks and does no I/O: tool names and
// input values are passed as strings.
package matcher

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Subject is the data of one tool event that a matcher is matched against.
type Subject struct {
	Own    []string // the tool names that the caller sent (one, unless the event repeats the key)
	Names  []string // all names of those tools, including Own (D17)
	Values []string // each string, number and boolean in tool_input, as text (D18)
	Text   string   // tool_input as JSON text, ", " and ": ", non-ASCII unescaped (D18)

	// NamesUnknown and InputUnknown are the reason why the names or the input
	// cannot be decided. If not "", that side counts as matched, with this
	// warning.
	NamesUnknown, InputUnknown string

	// Input, if not nil, returns Values, Text and InputUnknown. It is called
	// when they are first needed, because decoding an input is expensive and
	// the tool's name decides most matchers.
	Input func() (values []string, text, unknown string)

	// Passages, if not nil, returns what the pattern is searched in instead of the
	// values and the text: the commands or paths of a call (D78). unknown is the
	// reason why they cannot be determined; they then count as matched.
	Passages func() (passages []Passage, unknown string)

	// Except, if not nil, reports whether a passage in which the pattern is found, or may be, does
	// not count.
	Except func(p *Passage) bool

	// Guess, if not nil, returns what a tool that no table knows may be, and the
	// texts that such tools would have in their input (D87). It is called when
	// the names, or the values, do not match. An expression with a negative
	// look-around does not use it.
	Guess func() (tools []Guess, values []string)
}

// Guess is a tool that an unknown one may be.
type Guess struct {
	Tool  string   // its canonical name
	Names []string // its names
}

// Result is the result of Match.
type Result struct {
	Matched bool
	Failed  string // the first part that did not match: "tool" or "pattern"
	Warning string // why something counted as matched without being decided, "" if nothing did
	Guessed string // the canonical name of Guess by which the tool matched, "" if it matched by its own
	// GuessedInput means that the pattern matched only in a text of Guess.
	GuessedInput bool
	// Found is the text in which the pattern was found, or the passage in which it
	// may be; "" if there is no pattern or neither is determined.
	Found string
	// Unknown is the part of Found that is unknown and may match, "" if there is none.
	Unknown string
	// Passed is the reason why the pattern, which was not found, may match; "" if there
	// is none. Only a matcher with PassUndecided has it.
	Passed string
	// Err is an *Error if a part that was needed does not compile, so that
	// nothing is decided; otherwise nil.
	Err error
}

// Error describes a regular expression that does not compile.
type Error struct {
	Part   string // "tool" or "pattern"
	Source string // the expression as written
	Offset int    // bytes in Source, -1 if unknown
	Err    error
}

// Error returns a message with the part, the expression and the cause.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %q: %v", e.Part, e.Source, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Matcher is a compiled matcher. Safe for concurrent use. Match calls run one
// at a time, because the engine stores the remaining search time in the
// expression. A call's budget begins when the call starts to run.
type Matcher struct {
	turn          sync.Mutex
	tool, pattern expression
	except        []string     // expressions; what one of them matches as a whole does not count
	unless        []*exception // those that compile; nil until needed
	pass          bool         // set by PassUndecided
}

// New returns a matcher whose parts are compiled when Match first needs them.
// "" means that a part is not given.
func New(tool, pattern string) *Matcher {
	return &Matcher{tool: newExpression("tool", tool), pattern: newExpression("pattern", pattern)}
}

// Unless excludes the texts that one of the expressions matches completely: the
// pattern is not searched in them (D78). It must be called before the first Match.
// Expressions that do not compile exclude nothing.
func (m *Matcher) Unless(expressions []string) { m.except = append(m.except, expressions...) }

// PassUndecided makes only wildcards of the pattern match the unknown parts of
// passages (D94). It must be called before the first Match.
func (m *Matcher) PassUndecided() { m.pass = true }

// whole returns an expression that matches only whole texts.
func whole(source string) string { return `\A(?:` + source + `)\Z` }

// Whole reports whether an expression matches a whole text. It is false if that
// cannot be decided.
func Whole(source, text string) bool {
	if _, err := compileEngine("pattern", source); err != nil {
		return false
	}
	e := newExpression("pattern", whole(source))
	left := spec.MatchBudget
	found, err := e.search(text, &left)
	return found && err == nil
}

// WholeLine reports whether an expression matches a whole line for every value of its
// unknown parts. It is false if that cannot be decided, as for one with a look-around, a
// reference or a possessive quantifier.
func WholeLine(source string, line Line) bool {
	if text, known := line.Known(); known {
		return Whole(source, text)
	}
	x, err := newException(source)
	if err != nil {
		return false
	}
	left := spec.MatchBudget
	return x.excepts(line, &left)
}

// WholeName reports whether an expression matches a whole name of a tool. With a
// negative look-around it must match all names, because "all but this one" is true
// of every other name of the same tool.
func WholeName(source string, names []string) bool {
	e := newExpression("tool", source)
	if len(names) == 0 || e.prepare() != nil {
		return false
	}
	matches := func(name string) bool { return Whole(source, name) }
	if e.negative {
		return !slices.ContainsFunc(names, func(name string) bool { return !matches(name) })
	}
	return slices.ContainsFunc(names, matches)
}

// Compile compiles the two parts of a matcher. "" means that a part is not
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

// Match decides whether the matcher matches s: every part that is given must
// match (D15-D19). An undecidable part counts as matched, with a warning. The
// pattern is checked only if the tool matches (D6). Match never panics. All its
// searches together use at most spec.MatchBudget plus the coarseness of the
// engine's clock, at most another 200 ms. Only the processor time of the engine and the
// steps of simulations count; on a busy machine, they may take five times as long. A value of
// more than spec.MaxSearched bytes is not searched and counts as matched.
func (m *Matcher) Match(s Subject) Result {
	m.turn.Lock()
	defer m.turn.Unlock()
	var warnings []string
	var result Result
	left := spec.MatchBudget
	if m.tool.given() {
		if err := m.tool.prepare(); err != nil {
			return Result{Err: err}
		}
		matched, warning := m.matchTool(s, &left)
		if !matched {
			result.Guessed, warning = m.guessTool(s, &left)
			if result.Guessed == "" {
				return Result{Failed: "tool"}
			}
		}
		warnings = appendNotEmpty(warnings, warning)
	}
	if m.pattern.given() {
		if err := m.pattern.prepare(); err != nil {
			return Result{Err: err}
		}
		matched, warning := false, ""
		m.pattern.found = ""
		if s.Passages != nil {
			matched, warning = m.matchPassages(s, &result, &left)
		} else {
			matched, result.GuessedInput, warning = m.matchInput(s, &left)
			if warning == "" {
				result.Found = m.pattern.found
			}
		}
		if !matched {
			return Result{Failed: "pattern", Passed: result.Passed}
		}
		warnings = appendNotEmpty(warnings, warning)
	}
	result.Matched, result.Warning = true, strings.Join(warnings, "; ")
	return result
}

// guessTool returns the first tool of s.Guess that has a name that matches, ""
// if there is none.
func (m *Matcher) guessTool(s Subject, left *time.Duration) (tool, warning string) {
	if s.Guess == nil || m.tool.negative {
		return "", ""
	}
	tools, _ := s.Guess()
	for _, t := range tools {
		if matched, warning := m.tool.any(t.Names, left); matched {
			return t.Tool, warning
		}
	}
	return "", ""
}

// AnyTool reports whether the matcher applies to tools of any name: it has no
// tool, or one that is found in every name.
func (m *Matcher) AnyTool() bool {
	m.turn.Lock()
	defer m.turn.Unlock()
	if !m.tool.given() || m.tool.prepare() != nil {
		return true
	}
	left := spec.MatchBudget
	matched, _ := m.tool.any([]string{"\x00"}, &left)
	return matched
}

func (m *Matcher) matchTool(s Subject, left *time.Duration) (bool, string) {
	if s.NamesUnknown != "" {
		return true, s.NamesUnknown
	}
	names := s.Names
	if m.tool.negative {
		// Another name of the same tool would defeat a pattern for "all but
		// this one" (D17).
		names = s.Own
	}
	if len(names) == 0 {
		return true, m.tool.undecided(errors.New("meets no tool name"))
	}
	return m.tool.any(names, left)
}

// matchInput searches for the pattern in the values and the text of the input,
// and in what Guess adds.
func (m *Matcher) matchInput(s Subject, left *time.Duration) (matched, guessed bool, warning string) {
	if s.Input != nil {
		s.Values, s.Text, s.InputUnknown = s.Input()
	}
	if len(m.except) > 0 {
		s.Values, s.Text = m.counted(s.Values, s.Text, left)
	}
	matched, warning = m.matchPattern(s, left)
	if !matched && s.Guess != nil && !m.pattern.negative {
		_, values := s.Guess()
		values, _ = m.counted(values, "", left)
		matched, warning = m.pattern.any(values, left)
		guessed = matched
	}
	return matched, guessed, warning
}

// counted returns the values without those that Unless excludes, and the text
// with empty strings in their place.
func (m *Matcher) counted(values []string, text string, left *time.Duration) ([]string, string) {
	if len(m.except) == 0 {
		return values, text
	}
	var counted []string
	for _, v := range values {
		if !m.excluded(KnownLine(v), left) {
			counted = append(counted, v)
		} else if v != "" {
			text = withoutValue(text, string(rawjson.AppendText(nil, v)))
		}
	}
	return counted, text
}

// withoutValue replaces a string in a JSON text by an empty one, except a key.
func withoutValue(text, value string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, value)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if strings.HasPrefix(after, ":") {
			b.WriteString(value)
		} else {
			b.WriteString(`""`)
		}
		text = after
	}
}

// excluded reports whether Unless excludes a line.
func (m *Matcher) excluded(line Line, left *time.Duration) bool {
	if m.unless == nil {
		m.unless = make([]*exception, 0, len(m.except))
		for _, source := range m.except {
			if x, err := newException(source); err == nil {
				m.unless = append(m.unless, x)
			}
		}
	}
	return slices.ContainsFunc(m.unless, func(x *exception) bool { return x.excepts(line, left) })
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

// any searches texts until one matches. Texts that are too large come last, so
// that they do not hide a plain match.
func (e *expression) any(texts []string, left *time.Duration) (matched bool, warning string) {
	large := 0
	for _, text := range texts {
		if len(text) > spec.MaxSearched {
			large = max(large, len(text))
			continue
		}
		found, err := e.search(text, left)
		if err != nil {
			return true, e.undecided(err)
		}
		if found {
			e.found = text
			return true, ""
		}
	}
	if large > 0 {
		return true, e.undecided(fmt.Errorf("meets a value of %d bytes, above the %d that are searched", large, spec.MaxSearched))
	}
	return false, ""
}

func appendNotEmpty(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}

// Difference is a place where Python's re rejects an expression or interprets
// it differently (D19).
type Difference struct {
	Offset  int    // bytes
	Message string // what was found and what to do
}

// Differences lists the places where source compiles but has another meaning in
// Python's re or is rejected there. Differences that can be translated are not
// listed, so the list is short. Also not listed are differences in the engine's
// tables: \w and \b treat combining marks and all connecting punctuation as
// word characters, and no numerals except the decimal digits.
func Differences(source string) []Difference { return translate(source).differences }
