package record

import (
	"slices"
	"strings"
)

// span is a secret in a text.
type span struct {
	from, to int
	kind     string
}

// markStart and markEnd enclose the kind of a removed secret.
const markStart, markEnd = "[redacted:", "]"

func mark(kind string) string { return markStart + kind + markEnd }

// isMark reports whether text is a result of mark.
func isMark(text string) bool {
	kind, ok := strings.CutPrefix(text, markStart)
	kind, closed := strings.CutSuffix(kind, markEnd)
	return ok && closed && kind != "" && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// mostPasses is the maximum number of scans of a text: removing a secret may turn the text
// around it into a name.
const mostPasses = 4

// Text removes parts that look like secrets from a text, and returns their kinds in order. Text
// is idempotent.
func Text(text string) (string, []string) {
	var kinds []string
	for range mostPasses {
		spans := merge(findSecrets(text))
		spans = slices.DeleteFunc(spans, func(s span) bool { return isMark(text[s.from:s.to]) })
		if len(spans) == 0 {
			return text, kinds
		}
		var b strings.Builder
		at := 0
		for _, s := range spans {
			b.WriteString(text[at:s.from])
			b.WriteString(mark(s.kind))
			kinds, at = append(kinds, s.kind), s.to
		}
		b.WriteString(text[at:])
		text = b.String()
	}
	return mark("secret"), append(kinds, "secret")
}

func findSecrets(text string) []span {
	spans := findKeys(text)
	spans = append(spans, findTokens(text)...)
	spans = append(spans, findURLs(text)...)
	spans = append(spans, findBearers(text)...)
	spans = append(spans, findCommands(text)...)
	return append(spans, findNamed(text)...)
}

// merge sorts spans and joins those that overlap.
func merge(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var merged []span
	for _, s := range spans {
		if last := len(merged) - 1; last >= 0 && s.from < merged[last].to {
			merged[last].to = max(merged[last].to, s.to)
			continue
		}
		if s.from < s.to {
			merged = append(merged, s)
		}
	}
	return merged
}
