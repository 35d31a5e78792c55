package matcher

import "regexp"

// maxExcepted limits the texts for which Exceptions returns expressions.
const maxExcepted = 8

// Exceptions returns expressions for Unless that except exactly the texts of s in which
// the pattern is found; nil if a text has unknown parts, or there are too many. What was
// matched for another reason they do not except.
func (m *Matcher) Exceptions(s Subject) (expressions []string) {
	if !m.pattern.given() {
		return nil
	}
	var passages []Passage
	if s.Passages != nil {
		passages, _ = s.Passages()
	} else if s.Input != nil {
		values, _, _ := s.Input()
		for _, v := range values {
			passages = append(passages, Passage{Text: v})
		}
	}
	for _, p := range passages {
		s.Passages = func() ([]Passage, string) { return []Passage{p}, "" }
		if !m.Match(s).Matched {
			continue
		}
		text, known := p.Text, true
		if p.Whole != nil {
			known = len(p.Whole) > 0
			if known {
				text, known = p.Whole[0].Known()
			}
		}
		if !known || len(expressions) == maxExcepted {
			return nil
		}
		expressions = append(expressions, regexp.QuoteMeta(text))
	}
	return expressions
}
