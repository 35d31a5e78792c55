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

// markStart and markEnd stand around the kind of what was taken out.
const markStart, markEnd = "[redacted:", "]"

func mark(kind string) string { return markStart + kind + markEnd }

// isMark reports whether text is what mark returns.
func isMark(text string) bool {
	kind, ok := strings.CutPrefix(text, markStart)
	kind, closed := strings.CutSuffix(kind, markEnd)
	return ok && closed && kind != "" && strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz-") == ""
}

// mostPasses bounds how often a text is looked at again: what was taken out
// may have made a name of what stands around it.
const mostPasses = 4

// Text takes out of a text what looks like a secret, and returns the kinds of
// what it took, in order. What it returns has nothing left for it to take.
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
