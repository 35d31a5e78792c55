package trust

import (
	"strings"
	"time"
	"unicode/utf8"
)

// recordLines reads a record line by line, as writeRecord has written it. It is only a fast
// path: for the input that it accepts, its result equals that of encoding/json (FuzzRecordLines
// compares the two); other input is left to encoding/json. Each run reads the record, and
// reflection takes about twenty times as long.
type recordLines struct {
	rest string
	bad  bool
}

// readRecordLines returns false if encoding/json must read the record.
func readRecordLines(text string) (r Record, ok bool) {
	l := recordLines{rest: text}
	l.expect("{", `  "version": 2,`)
	r.Version = recordVersion
	r.Repository = l.text(`  "repository": `, ",")
	l.expect(`  "hooks": [`)
	for more := true; more && !l.bad; {
		var h Hook
		l.expect("    {")
		h.Project = l.text(`      "project": `, ",")
		h.Name = l.text(`      "hook": `, ",")
		h.Everywhere = l.truth(`      "everywhere": `)
		h.Reviews = l.reviews()
		more = l.ends("    }")
		r.Hooks = append(r.Hooks, h)
	}
	l.expect("  ]", "}")
	return r, !l.bad && l.rest == ""
}

func (l *recordLines) reviews() (reviews []Review) {
	l.expect(`      "reviews": [`)
	for more := true; more && !l.bad; {
		l.expect("        {")
		digest := l.text(`          "digest": `, ",")
		var at time.Time
		err := at.UnmarshalText([]byte(l.text(`          "trusted_at": `, "")))
		l.bad = l.bad || err != nil
		more = l.ends("        }")
		reviews = append(reviews, Review{digest, at})
	}
	l.expect("      ]")
	return reviews
}

func (l *recordLines) line() (line string) {
	line, rest, ended := strings.Cut(l.rest, "\n")
	l.rest, l.bad = rest, l.bad || !ended
	return line
}

// expect consumes the given lines.
func (l *recordLines) expect(lines ...string) {
	for _, want := range lines {
		l.bad = l.line() != want || l.bad
	}
}

// text consumes a line with a string between a prefix and a suffix.
func (l *recordLines) text(prefix, suffix string) string {
	value, begins := strings.CutPrefix(l.line(), prefix+`"`)
	value, ends := strings.CutSuffix(value, `"`+suffix)
	l.bad = l.bad || !begins || !ends || !isPlain(value)
	return value
}

// truth consumes a line with a boolean after a prefix.
func (l *recordLines) truth(prefix string) bool {
	value, begins := strings.CutPrefix(l.line(), prefix)
	l.bad = l.bad || !begins || value != "true," && value != "false,"
	return value == "true,"
}

// isPlain reports whether a string needs no escaping in JSON.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.ValidString(s)
}

// ends consumes the line that ends an element, and reports whether another one follows.
func (l *recordLines) ends(line string) (more bool) {
	got := l.line()
	l.bad = l.bad || got != line && got != line+","
	return got == line+","
}
