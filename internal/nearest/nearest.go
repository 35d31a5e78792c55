// Package nearest finds the smallest change of a hook's matcher with which it
// would match an event, and the value that came closest. What it proposes has
// been tried with the real matcher, never guessed.
//
// It is pure and bounded in time; a run never needs it.
package nearest

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/lint"
	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// Budget bounds one search for a change, as the matcher's own bounds a match;
// the last trial may take one matcher.Budget more.
const Budget = matcher.Budget

// Matcher is what a hook's matcher says, and what it did not match.
type Matcher struct {
	Tool, Pattern string
	Subject       matcher.Subject
}

// Change is a small change of one expression.
type Change struct {
	Part string `json:"part"` // tool or pattern
	Kind string `json:"kind"` // case, escape, blank, anchor, lines, dot, key, quote, literal, glob, word, agent, list, server, branch or slip
	To   string `json:"to"`   // the expression that would match
	Why  string `json:"why"`  // what it was that did not match, for people
	// Left is "pattern" if the change is one of the tool and the pattern is
	// not found either, else "".
	Left string `json:"left,omitempty"`

	dropped edges
}

// maker proposes changes of one kind, the smaller first.
type maker func(*trial) []Change

// toolMakers and patternMakers are in the order of how little changes.
func toolMakers() []maker {
	return []maker{(*trial).toolCase, (*trial).trim, (*trial).unwrap, (*trial).otherAgent, (*trial).fold, (*trial).escapes, (*trial).toolAnchors, (*trial).toolWord,
		(*trial).nearAgent, (*trial).list, (*trial).server, (*trial).toolGlob, (*trial).looseToolAnchors, (*trial).anchors, (*trial).branch}
}

func patternMakers() []maker {
	return []maker{(*trial).jsonBlank, (*trial).jsonQuotes, (*trial).jsonEscapes, (*trial).key, (*trial).literal, (*trial).unwrap, (*trial).fold,
		(*trial).controls, (*trial).escapes, (*trial).blanks, (*trial).trim, (*trial).lines, (*trial).dotAll, (*trial).anchors, (*trial).dots,
		(*trial).glob, (*trial).word, (*trial).slips}
}

// pair is what may be needed together: one of the firsts, then one of the
// seconds.
type pair struct{ firsts, seconds []maker }

func toolPair() pair {
	return pair{[]maker{(*trial).trim, (*trial).unwrap, (*trial).fold}, []maker{(*trial).fold, (*trial).toolAnchors}}
}

func patternPair() pair {
	json := []maker{(*trial).jsonBlank, (*trial).jsonQuotes, (*trial).jsonEscapes, (*trial).key}
	text := []maker{(*trial).literal, (*trial).fold, (*trial).escapes, (*trial).blanks}
	held := []maker{(*trial).lines, (*trial).anchors}
	return pair{slices.Concat([]maker{(*trial).unwrap}, json, text, []maker{(*trial).trim}), slices.Concat(json, text, held)}
}

// trial is one search for a change.
type trial struct {
	Matcher
	part     string // the one that failed: tool or pattern
	source   string // its expression
	root     *regex.Node
	deadline time.Time
	over     bool // what is left cannot be decided
	dropped  edges
}

// Find returns the smallest change of the part that failed, tool or pattern;
// of one that does not compile, too. ok is false if nothing simple makes it
// match what was meant.
func (m Matcher) Find(part string) (change Change, ok bool) {
	t, makers, pair := newTrial(m, part), toolMakers(), toolPair()
	if part == "pattern" {
		makers, pair = patternMakers(), patternPair()
	}
	if t.excludes() {
		return Change{}, false // on purpose
	}
	for _, make := range makers {
		if change, ok = t.first(make(t)); ok || t.over {
			return change, ok
		}
	}
	if t.lacksWord() {
		return Change{}, false
	}
	return t.both(pair)
}

// first returns the first of the changes that does it.
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

// both looks for two changes that do it together.
func (t *trial) both(p pair) (Change, bool) {
	for _, make := range p.firsts {
		for _, c := range make(t) {
			next := newTrial(t.with(c.To), t.part)
			next.deadline, next.dropped = t.deadline, c.dropped
			for _, second := range p.seconds {
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

// lacksWord reports whether the expression has to find a word, no key's name,
// that is nowhere in what it is searched in, in whatever case: no pair mends
// that.
func (t *trial) lacksWord() bool {
	text := t.Subject.Text
	if t.part == "tool" {
		text = strings.Join(t.Subject.Names, " ")
	}
	text = strings.ToLower(text)
	for _, word := range wordsOf(t.root.Items()) {
		key := strings.HasPrefix(t.source[word.end:], `"`)
		if len(word.text) > 1 && !key && !strings.Contains(text, strings.ToLower(word.text)) {
			return true
		}
	}
	return false
}

// with is the matcher with another expression in the part.
func (t *trial) with(source string) Matcher {
	m := t.Matcher
	if t.part == "tool" {
		m.Tool = source
	} else {
		m.Pattern = source
	}
	return m
}

func newTrial(m Matcher, part string) *trial {
	t := trial{Matcher: m, part: part, source: m.Tool, deadline: time.Now().Add(Budget)}
	if part == "pattern" {
		t.source = m.Pattern
	}
	var ok bool
	if t.root, ok = regex.Parse(t.source); !ok {
		t.root = &regex.Node{Kind: regex.Opaque, End: len(t.source)}
	}
	return &t
}

// excludes reports whether the expression says what must not be there.
func (t *trial) excludes() bool {
	if t.root.Kind == regex.Opaque {
		return strings.Contains(t.source, "(?!") || strings.Contains(t.source, "(?<!")
	}
	return t.has(func(n *regex.Node) bool { return n.Negative })
}

// sensible reports whether an expression tells one event from another.
func (t *trial) sensible(source string) bool {
	check := lint.Tool
	if t.part == "pattern" {
		check = lint.Pattern
	}
	return !slices.ContainsFunc(check(source), func(f lint.Finding) bool { return f.Code == lint.Everything || f.Code == lint.Never && f.Whole() })
}

// try reports whether the part matches with the change, and notes whether the
// whole matcher does. If that cannot be decided, the search is over.
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

// Matches reports whether the whole matcher matches; not if that cannot be
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
