package matcher

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
)

// A matcher searches in passages.
type (
	Passage = passage.Passage
	Line    = passage.Line
	Part    = passage.Part
	Hole    = passage.Hole
)

// The kinds of parts.
const (
	Known, Any, Unspaced, Name, UnspacedName = passage.Known, passage.Any, passage.Unspaced, passage.Name, passage.UnspacedName
	Words, Filename, Below                   = passage.Words, passage.Filename, passage.Below
)

// placeholder stands for an unknown part (D94).
const placeholder = passage.Placeholder

// KnownLine returns a line without unknown parts.
func KnownLine(text string) Line { return passage.KnownLine(text) }

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
			text, known := line.Known()
			var hole *Part
			pass := m.pass || p.Shallow
			if !known && !p.Shallow && warning == "" && result.Passed == "" {
				hole = m.pattern.could(line, left)
			}
			if hole != nil && s.excepts(p) {
				break
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
				text = line.Shown()
			}
			found, why := m.pattern.any([]string{text}, left)
			if found && s.excepts(p) {
				break
			}
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

func (s *Subject) excepts(p *Passage) bool { return s.Except != nil && s.Except(p) }

// excludesAll reports whether the expression certainly does not match a line of a
// passage, by what is known of its beginning. Exceptions are dearer.
func (e *expression) excludesAll(p *Passage) bool {
	if p.Lines == nil {
		return e.excludes(p.Text, false)
	}
	return !slices.ContainsFunc(p.Lines, func(line Line) bool {
		text, known := line.Known()
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
