package advice

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// budget is the maximum time of one search for a change, like that of a match in package
// matcher. The last trial may take as long again.
const budget = spec.MatchBudget

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

// with returns the matcher with another expression for a part.
func (m Matcher) with(part, source string) Matcher {
	if part == "tool" {
		m.Tool = source
	} else {
		m.Pattern = source
	}
	return m
}

// Change is a small change of one expression.
type Change struct {
	Part string `json:"part"` // tool or pattern
	Kind string `json:"kind"` // case, escape, space, anchor, literal, glob, slip, word or agent
	To   string `json:"to"`   // the expression that would match
	Why  string `json:"why"`  // the cause of the mismatch, for people
	// Left is "pattern" if the change is for the tool and the pattern does not match either;
	// otherwise "".
	Left string `json:"left,omitempty"`
}

// maker proposes changes of one kind, smallest first.
type maker func(*trial) []Change

// trial is one search for a change.
type trial struct {
	Matcher
	part     string // the one that failed: tool or pattern
	source   string // its expression
	deadline time.Time
	over     bool // the rest cannot be decided
}

func newTrial(m Matcher, part string) *trial {
	return &trial{Matcher: m, part: part, source: m.Source(part), deadline: time.Now().Add(budget)}
}

// Find returns the smallest change of the part that failed, tool or pattern, even if it does
// not compile. ok is false if no simple change makes it match as intended.
func (m Matcher) Find(part string) (Change, bool) {
	t := newTrial(m, part)
	if strings.Contains(t.source, "(?!") || strings.Contains(t.source, "(?<!") {
		return Change{}, false // the mismatch is intended
	}
	makers := []maker{(*trial).literal, (*trial).fold, (*trial).escapes, (*trial).spaces, (*trial).findings, (*trial).anchors, (*trial).glob}
	if part == "tool" {
		makers = []maker{(*trial).findings, (*trial).fold, (*trial).escapes}
	}
	for _, make := range makers {
		for _, c := range make(t) {
			t.over = t.over || time.Now().After(t.deadline)
			if t.over {
				return Change{}, false
			}
			c.Part = part
			if t.try(&c) && !t.pointless(c) {
				return c, true
			}
		}
	}
	return Change{}, false
}

// findings proposes the expressions of the findings.
func (t *trial) findings() (changes []Change) {
	for _, f := range Check(t.part, t.source) {
		kind, why := "word", "it "+f.What
		switch f.Code {
		case Case:
			kind, why = "case", "case counts"
		case Some:
			kind = "agent"
		case Slip:
			kind = "slip"
		}
		changes = append(changes, t.rewritten(kind, why, f.To)...)
	}
	return changes
}

// try reports whether the part matches with the change, and records whether the whole matcher
// does. If that cannot be decided, the search ends.
func (t *trial) try(c *Change) (matched bool) {
	result, ok := t.with(t.part, c.To).match()
	t.over = result.Warning != ""
	if ok && t.part == "tool" && result.Failed == "pattern" {
		c.Left = "pattern"
		return true
	}
	return ok && result.Matched
}

// pointless reports whether the changed part also matches unrelated text.
func (t *trial) pointless(c Change) bool {
	return slices.ContainsFunc([]string{"z ~", "~ z", "7"}, func(text string) bool {
		return matcher.Finds(c.To, text, t.deadline)
	})
}

// AboutJSON reports whether the pattern can match only in the input's JSON text, because it
// contains a key.
func (m Matcher) AboutJSON() bool { return strings.Contains(m.Pattern, `":`) }

// match compiles and searches the matcher. ok is false if it does not compile, or the result
// cannot be decided.
func (m Matcher) match() (result matcher.Result, ok bool) {
	compiled, err := matcher.Compile(m.Tool, m.Pattern)
	if err != nil {
		return result, false
	}
	result = compiled.Match(m.Subject)
	return result, result.Warning == ""
}

// Matches reports whether the whole matcher matches. It returns false if that cannot be
// decided.
func (m Matcher) Matches() bool {
	result, ok := m.match()
	return ok && result.Matched
}

// Broken returns the part that does not compile, tool or pattern; "" if both do.
func (m Matcher) Broken() (part string) {
	var broken *matcher.Error
	if _, err := matcher.Compile(m.Tool, m.Pattern); errors.As(err, &broken) {
		return broken.Part
	}
	return ""
}
