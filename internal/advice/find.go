package advice

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/matcher"
)

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
	Kind string `json:"kind"` // literal, case, escape, space, anchor, glob, slip, word or agent
	To   string `json:"to"`   // the expression that would match
	Why  string `json:"why"`  // the cause of the mismatch, for people
	// Left is "pattern" if the change is for the tool and the pattern does not match either;
	// otherwise "".
	Left string `json:"left,omitempty"`
}

// Find returns the smallest change of the part that failed, tool or pattern, even if it does
// not compile. ok is false if no simple change makes it match as intended, or a
// search cannot be decided in time.
func (m Matcher) Find(part string) (change Change, ok bool) {
	source := m.Source(part)
	if strings.Contains(source, "(?!") || strings.Contains(source, "(?<!") {
		return Change{}, false // the mismatch is intended
	}
	for _, c := range changes(part, source) {
		if c.To == source || c.To == "" {
			continue
		}
		c.Part = part
		result, ok := m.with(part, c.To).match()
		if result.Warning != "" {
			return Change{}, false
		}
		if ok && part == "tool" && result.Failed == "pattern" {
			c.Left = "pattern"
		} else if !ok || !result.Matched {
			continue
		}
		unrelated := func(text string) bool { return matcher.Finds(c.To, text, time.Now().Add(time.Second)) }
		if !slices.ContainsFunc([]string{"z ~", "~ z", "7"}, unrelated) {
			return c, true
		}
	}
	return Change{}, false
}

// changes proposes changes of an expression, the smallest first; some do not change it.
func changes(part, source string) []Change {
	var found []Change
	for _, f := range Check(part, source) {
		kind, why := "word", "it "+f.What
		switch f.Code {
		case Case:
			kind, why = "case", "case counts"
		case Some:
			kind = "agent"
		case Slip:
			kind = "slip"
		}
		found = append(found, Change{Kind: kind, To: f.To, Why: why})
	}
	all := []Change{
		{Kind: "literal", To: regexp.QuoteMeta(source), Why: "it occurs as literal text; special characters need a backslash"},
		{Kind: "case", To: "(?i)" + source, Why: "case counts"},
		{Kind: "escape", To: strings.ReplaceAll(source, "\b", `\b`), Why: `in double quotes, YAML turns \b into a backspace; use single quotes`},
		{Kind: "escape", To: strings.ReplaceAll(source, `\\`, `\`), Why: "`\\\\` matches a backslash"},
	}
	if part == "tool" {
		return append(found, all[1:]...)
	}
	all = append(all, Change{Kind: "space", To: strings.ReplaceAll(source, " ", `\s+`), Why: "a space matches exactly one space"})
	all = append(all, found...)
	// Without the word boundary, the changed ^rm would match in "format".
	rest, begins := strings.CutPrefix(source, "^")
	inner, ends := strings.CutSuffix(rest, "$")
	ends = ends && !strings.HasSuffix(inner, `\`)
	if begins {
		all = append(all, Change{Kind: "anchor", To: `\b` + rest, Why: "other text precedes it"})
	}
	if ends {
		all = append(all, Change{Kind: "anchor", To: strings.TrimSuffix(source, "$") + `\b`, Why: "other text follows it"})
	}
	if begins && ends {
		all = append(all, Change{Kind: "anchor", To: `\b` + inner + `\b`, Why: "other text surrounds it"})
	}
	if strings.Contains(source, "*") {
		all = append(all, Change{Kind: "glob", To: globText(source) + "$", Why: "it looks like a glob, and in an expression `*` repeats what precedes it"})
	}
	return all
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
