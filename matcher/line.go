package matcher

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Passage is a text that is searched for a pattern (D78), in each of its spellings.
type Passage struct {
	Text string // as it is shown; the only spelling if Lines is nil
	// Lines are the spellings, in each of which the pattern is searched.
	Lines []Line
	// Whole are the spellings that Matcher.Unless compares as a whole; nil for Text.
	Whole []Line
	// Counts is the reason why the passage counts as matched whatever the pattern is;
	// "" if the pattern decides.
	Counts string
	// Moved is the text after the operation, which moves what it names; "" if there is none. A
	// passage does not count if the pattern is found in both.
	Moved string
	// Shallow means that only wildcards of the pattern match the unknown parts (D94).
	Shallow bool
}

// Line is a text with unknown parts, in order (D92).
type Line []Part

// Part is a part of a line.
type Part struct {
	Text string // of an unknown part, its source for messages
	Hole Hole
	// Shape is the shape of each of the words of Words; nil for any words.
	Shape Line
	// Stage means that what is unknown is in a stage of a pipeline: it has no |.
	Stage bool
}

// Hole is what an unknown part may be.
type Hole uint8

// The kinds of parts.
const (
	Known        Hole = iota
	Any               // any text
	Unspaced          // any text without white space
	Name              // any text without a slash
	UnspacedName      // any text without white space and slashes
	// Words are any number of words, also none, each after a space.
	Words
	Filename // the name of a file
	Below    // any path of at least one character, below a directory
)

// KnownLine returns a line without unknown parts.
func KnownLine(text string) Line { return Line{{Text: text}} }

// known returns the text of a line without unknown parts.
func (l Line) known() (text string, ok bool) {
	if len(l) == 1 && l[0].Hole == Known {
		return l[0].Text, true
	}
	for _, p := range l {
		if p.Hole != Known {
			return "", false
		}
		text += p.Text
	}
	return text, true
}

// placeholder stands for an unknown part where only wildcards may match it: a
// letter that no pattern has (D94).
const placeholder = "ꙮ"

// shown returns a line with a placeholder for each unknown part.
func (l Line) shown() string {
	var b strings.Builder
	for _, p := range l {
		switch {
		case p.Hole == Known:
			b.WriteString(p.Text)
		case p.Hole == Words && p.Shape != nil:
			b.WriteString(" " + p.Shape.shown())
		case p.Hole == Words:
			b.WriteString(" " + placeholder)
		default:
			b.WriteString(placeholder)
		}
	}
	return b.String()
}

// matchPassages searches for the pattern in the passages of a call. One with unknown
// parts counts as matched if it could match.
func (m *Matcher) matchPassages(s Subject, result *Result, left *time.Duration) (matched bool, warning string) {
	passages, unknown := s.Passages()
	for i := range passages {
		p := &passages[i]
		if p.Counts == "" && m.pattern.excludesAll(p) || m.excludes(p, left) {
			continue
		}
		if p.Moved != "" && !m.excluded(KnownLine(p.Moved), left) {
			if found, why := m.pattern.any([]string{p.Moved}, left); found && why == "" {
				continue
			}
		}
		if p.Counts != "" {
			result.Found, result.Unknown, result.Passed = p.Text, "", ""
			return true, ""
		}
		lines := p.Lines
		if lines == nil {
			lines = []Line{KnownLine(p.Text)}
		}
		for _, line := range lines {
			text, known := line.known()
			var hole *Part
			pass := m.pass || p.Shallow
			if !known && !p.Shallow && warning == "" && result.Passed == "" {
				hole = m.pattern.could(line, left)
			}
			if hole != nil {
				why := fmt.Sprintf("%s may match, because only the shell knows %s", excerpt(p.Text), excerpt(hole.Text))
				if m.pass {
					result.Passed = why
				} else {
					warning, result.Found, result.Unknown = why, p.Text, hole.Text
				}
			}
			if !known && !pass {
				continue
			}
			if !known {
				text = line.shown()
			}
			found, why := m.pattern.any([]string{text}, left)
			if found && why == "" {
				result.Found, result.Unknown, result.Passed = m.pattern.found, "", ""
				if !known {
					result.Found = p.Text
				}
				return true, ""
			}
			if found && warning == "" {
				warning = why
			}
		}
	}
	if warning == "" {
		warning = unknown
	}
	return warning != "", warning
}

// excludesAll reports whether the expression certainly does not match a line of a
// passage, by what is known of its beginning. Exceptions are dearer.
func (e *expression) excludesAll(p *Passage) bool {
	if p.Lines == nil {
		return e.excludes(p.Text, false)
	}
	return !slices.ContainsFunc(p.Lines, func(line Line) bool {
		text, known := line.known()
		if !known {
			text = ""
			if line[0].Hole == Known {
				text = line[0].Text
			}
		}
		return !e.excludes(text, !known)
	})
}

// excludes reports whether Unless excludes a passage.
func (m *Matcher) excludes(p *Passage, left *time.Duration) bool {
	if len(m.except) == 0 {
		return false
	}
	if p.Whole == nil {
		return m.excluded(KnownLine(p.Text), left)
	}
	return slices.ContainsFunc(p.Whole, func(line Line) bool { return m.excluded(line, left) })
}

// excerpt quotes the beginning of a text for a message.
func excerpt(text string) string {
	const limit = 100
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return "`" + text + "`"
}
