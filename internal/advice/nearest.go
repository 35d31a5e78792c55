package advice

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// Budget is the maximum time of one search for a change, like that of a match in package
// matcher. The last trial may take one matcher.Budget more.
const Budget = matcher.Budget

// Matcher is a hook's matcher and the tool call that it did not match.
type Matcher struct {
	Tool, Pattern string
	Subject       matcher.Subject
}

// Source returns the expression of a part, tool or pattern.
func (m Matcher) Source(part string) string {
	if part == "tool" {
		return m.Tool
	}
	return m.Pattern
}

// Change is a small change of one expression.
type Change struct {
	Part string `json:"part"` // tool or pattern
	Kind string `json:"kind"` // case, escape, blank, anchor, lines, dot, key, quote, literal, glob, word, agent, list, server or branch
	To   string `json:"to"`   // the expression that would match
	Why  string `json:"why"`  // the cause of the mismatch, for people
	// Left is "pattern" if the change is for the tool and the pattern does not match either;
	// otherwise "".
	Left string `json:"left,omitempty"`

	dropped edges
}

// maker proposes changes of one kind, smallest first.
type maker func(*trial) []Change

// makers returns the makers of changes for a part, smallest change first, and the makers whose
// changes may be needed in pairs.
func makers(part string) (all, firsts, seconds []maker) {
	if part == "tool" {
		firsts = []maker{(*trial).trim, (*trial).unwrap, (*trial).fold}
		return []maker{(*trial).toolCase, (*trial).trim, (*trial).unwrap, (*trial).otherAgent, (*trial).fold, (*trial).escapes, (*trial).toolWord,
			(*trial).list, (*trial).server, (*trial).glob, (*trial).anchors, (*trial).branch}, firsts, []maker{(*trial).fold, (*trial).anchors}
	}
	both := []maker{(*trial).json, (*trial).key, (*trial).literal, (*trial).fold, (*trial).escapes, (*trial).blanks}
	return []maker{(*trial).json, (*trial).key, (*trial).literal, (*trial).unwrap, (*trial).fold, (*trial).controls, (*trial).escapes, (*trial).blanks,
			(*trial).trim, (*trial).flags, (*trial).anchors, (*trial).dots, (*trial).glob, (*trial).word},
		slices.Concat([]maker{(*trial).unwrap}, both, []maker{(*trial).trim}), slices.Concat(both, []maker{(*trial).flags, (*trial).anchors})
}

// trial is one search for a change.
type trial struct {
	Matcher
	part     string // the one that failed: tool or pattern
	source   string // its expression
	root     *node
	deadline time.Time
	over     bool // the rest cannot be decided
	dropped  edges
}

func newTrial(m Matcher, part string) *trial {
	t := trial{Matcher: m, part: part, source: m.Source(part), deadline: time.Now().Add(Budget)}
	var ok bool
	if t.root, ok = parse(t.source); !ok {
		t.root = &node{Kind: opaqueNode, End: len(t.source)}
	}
	return &t
}

// Find returns the smallest change of the part that failed, tool or pattern, even if it does
// not compile. ok is false if no simple change makes it match as intended.
func (m Matcher) Find(part string) (change Change, ok bool) {
	t := newTrial(m, part)
	if t.excludes() {
		return Change{}, false // the mismatch is intended
	}
	all, firsts, seconds := makers(part)
	for _, make := range all {
		if change, ok = t.first(make(t)); ok || t.over {
			return change, ok
		}
	}
	if t.lacksWord() {
		return Change{}, false
	}
	return t.both(firsts, seconds)
}

// first returns the first of the changes with which the part matches.
func (t *trial) first(changes []Change) (Change, bool) {
	for _, c := range changes {
		if t.over = t.over || time.Now().After(t.deadline); t.over {
			break
		}
		c.Part = t.part
		if t.try(&c) && t.sensible(c.To) && !t.cutsWord(c.To, t.dropped.and(c.dropped)) {
			return c, true
		}
	}
	return Change{}, false
}

// both searches for two changes with which the part matches.
func (t *trial) both(firsts, seconds []maker) (Change, bool) {
	for _, make := range firsts {
		for _, c := range make(t) {
			next := newTrial(t.with(c.To), t.part)
			next.deadline, next.dropped = t.deadline, c.dropped
			for _, second := range seconds {
				both, ok := next.first(second(next))
				if both.Kind, both.Why = c.Kind, c.Why+", and "+both.Why; ok {
					return both, true
				}
				if next.over {
					return Change{}, false
				}
			}
		}
	}
	return Change{}, false
}

// lacksWord reports whether the expression requires a word that does not occur in the searched
// text, ignoring case. Then no pair of changes helps.
func (t *trial) lacksWord() bool {
	text := t.Subject.Text
	if t.part == "tool" {
		text = strings.Join(t.Subject.Names, " ")
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(wordsOf(t.root.items()), func(word run) bool {
		key := strings.HasPrefix(t.source[word.end:], `"`)
		return len(word.text) > 1 && !key && !strings.Contains(text, strings.ToLower(word.text))
	})
}

// with returns the matcher with another expression for the part.
func (t *trial) with(source string) Matcher {
	m := t.Matcher
	if t.part == "tool" {
		m.Tool = source
	} else {
		m.Pattern = source
	}
	return m
}

// excludes reports whether the expression requires that something does not occur.
func (t *trial) excludes() bool {
	if t.root.Kind == opaqueNode {
		return strings.Contains(t.source, "(?!") || strings.Contains(t.source, "(?<!")
	}
	return t.has(func(n *node) bool { return n.Negative })
}

// sensible reports whether an expression distinguishes events.
func (t *trial) sensible(source string) bool {
	found := Check(t.part, source)
	return !CanNeverMatch(found) && !slices.ContainsFunc(found, func(f Finding) bool { return f.Code == Everything })
}

// try reports whether the part matches with the change, and records whether the whole matcher
// does. If that cannot be decided, the search ends.
func (t *trial) try(c *Change) (matched bool) {
	m := t.with(c.To)
	compiled, err := matcher.Compile(m.Tool, m.Pattern)
	if err != nil {
		return false
	}
	result := compiled.Match(t.Subject)
	if t.over = result.Warning != ""; t.over {
		return false
	}
	if t.part == "tool" && result.Failed == "pattern" {
		c.Left = "pattern"
		return true
	}
	return result.Matched
}

// Matches reports whether the whole matcher matches. It returns false if that cannot be
// decided.
func (m Matcher) Matches() bool {
	compiled, err := matcher.Compile(m.Tool, m.Pattern)
	if err != nil {
		return false
	}
	result := compiled.Match(m.Subject)
	return result.Matched && result.Warning == ""
}

// Broken returns the part that does not compile, tool or pattern; "" if both
// do.
func (m Matcher) Broken() (part string) {
	var broken *matcher.Error
	if _, err := matcher.Compile(m.Tool, m.Pattern); errors.As(err, &broken) {
		return broken.Part
	}
	return ""
}
