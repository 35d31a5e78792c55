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
	Kind string `json:"kind"` // case, escape, blank, anchor, lines, dot, key, quote, literal, glob, word, agent, list, server or branch
	To   string `json:"to"`   // the expression that would match
	Why  string `json:"why"`  // what it was that did not match, for people
	// Left is "pattern" if the change is one of the tool and the pattern is
	// not found either, else "".
	Left string `json:"left,omitempty"`
}

// maker proposes changes of one kind, the smaller first.
type maker func(*trial) []Change

// toolMakers and patternMakers are in the order of how little changes.
func toolMakers() []maker {
	return []maker{(*trial).toolCase, (*trial).unwrap, (*trial).fold, (*trial).escapes, (*trial).toolAnchors, (*trial).otherAgent, (*trial).toolWord,
		(*trial).list, (*trial).server, (*trial).looseToolAnchors, (*trial).anchors, (*trial).branch}
}

func patternMakers() []maker {
	return []maker{(*trial).jsonBlank, (*trial).jsonQuotes, (*trial).jsonEscapes, (*trial).key, (*trial).literal, (*trial).unwrap, (*trial).fold,
		(*trial).controls, (*trial).escapes, (*trial).blanks, (*trial).lines, (*trial).dotAll, (*trial).anchors, (*trial).ends, (*trial).dots,
		(*trial).glob, (*trial).word}
}

// trial is one search for a change.
type trial struct {
	Matcher
	part     string // the one that failed: tool or pattern
	source   string // its expression
	root     *regex.Node
	deadline time.Time
}

// Find returns the smallest change of the part that failed, tool or pattern;
// of one that does not compile, too. ok is false if nothing simple makes it
// match what was meant.
func (m Matcher) Find(part string) (change Change, ok bool) {
	t, makers := newTrial(m, part), toolMakers()
	if part == "pattern" {
		makers = patternMakers()
	}
	if t.excludes() {
		return Change{}, false // on purpose
	}
	for _, make := range makers {
		for _, c := range make(t) {
			if time.Now().After(t.deadline) {
				return Change{}, false
			}
			c.Part = part
			matched, decided := t.try(&c)
			if !decided {
				return Change{}, false
			}
			if matched && t.sensible(c.To) {
				return c, true
			}
		}
	}
	return Change{}, false
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

// try reports whether the part matches with the change, and whether that
// could be decided. It notes whether the whole matcher does.
func (t *trial) try(c *Change) (matched, decided bool) {
	tool, pattern := t.Tool, c.To
	if t.part == "tool" {
		tool, pattern = c.To, t.Pattern
	}
	m, err := matcher.Compile(tool, pattern)
	if err != nil {
		return false, true
	}
	result := m.Match(t.Subject)
	if result.Warning != "" {
		return false, false
	}
	if !result.Matched && t.part == "tool" && result.Failed == "pattern" {
		c.Left = "pattern"
		return true, true
	}
	return result.Matched, true
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
