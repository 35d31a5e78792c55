package record

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// span is a secret in a text.
type span struct {
	from, to int
	kind     string
}

// markStart precedes the kind of a removed secret.
const markStart = "[redacted:"

func mark(kind string) string { return markStart + kind + "]" }

var marked = pattern{text: `^\[redacted:[a-z-]+\]$`}

// isMark reports whether text is a result of mark.
func isMark(text string) bool { return marked.get().MatchString(text) }

// maxPasses is the maximum number of scans of a text: removing a secret may turn the text
// around it into a name.
const maxPasses = 4

// Text removes parts that look like secrets from a text, and returns their kinds in order. Text
// is idempotent.
func Text(text string) (string, []string) {
	var kinds []string
	for range maxPasses {
		spans := findSecrets(text)
		if len(spans) == 0 {
			return text, kinds
		}
		var b strings.Builder
		at := 0
		for _, s := range spans {
			if s.from >= at { // it does not continue the one before
				b.WriteString(text[at:s.from] + mark(s.kind))
				kinds = append(kinds, s.kind)
			}
			at = max(at, s.to)
		}
		b.WriteString(text[at:])
		text = b.String()
	}
	return mark("secret"), append(kinds, "secret")
}

// findSecrets returns the secrets in a text in order: those with a known form, and the values
// after the name or the flag of a secret.
func findSecrets(text string) []span {
	keys, _ := findKeys(text)
	spans := slices.Concat(keys, findTokens(text), findCredentials(text), findValues(text))
	spans = slices.DeleteFunc(spans, func(s span) bool { return s.from >= s.to || isMark(text[s.from:s.to]) })
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	return spans
}

// pattern is a regular expression that is compiled when it is first used: most runs record
// nothing.
type pattern struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

func (p *pattern) get() *regexp.Regexp {
	p.once.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// all returns the indexes of all matches and their groups.
func (p *pattern) all(text string) [][]int { return p.get().FindAllStringSubmatchIndex(text, -1) }
