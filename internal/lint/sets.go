package lint

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// sets finds what a set in brackets was surely not meant to take.
func sets(source string, n *regex.Node) []Finding {
	if found := wideRange(source, n); found != nil {
		return found
	}
	signs := single(n.Set)
	if name, meant := posixIn(signs); name != "" {
		return []Finding{{Slip, n.Begin, "has " + quote(name) + ", which is no class here but its letters; inside the brackets write " + quote(meant)}}
	}
	if !n.Set.Negated && n.Set.Classes == "" && (isChoice(signs) || isText(signs)) {
		return []Finding{{Slip, n.Begin, "has " + quote(n.Text(source)) + ", which takes one character of these; write " + quote("("+signs+")")}}
	}
	return nil
}

// single returns the characters of a set as they are written, and NUL for
// each range.
func single(s regex.Set) string {
	var b strings.Builder
	for _, r := range s.Ranges {
		if r.From != r.To {
			r.From = 0
		}
		b.WriteRune(r.From)
	}
	return b.String()
}

// posixClasses are what other dialects have in sets, and its spelling here.
var posixClasses = [...][2]string{
	{"[:space:]", `\s`}, {"[:blank:]", ` \t`}, {"[:digit:]", "0-9"}, {"[:alpha:]", "a-zA-Z"}, {"[:alnum:]", "a-zA-Z0-9"},
	{"[:upper:]", "A-Z"}, {"[:lower:]", "a-z"}, {"[:xdigit:]", "0-9a-fA-F"}, {"[:word:]", `\w`}, {"[:punct:]", "!-/:-@\\[-`{-~"},
}

// posixIn finds one of them at the end of a set, whose bracket closes it, or as
// all of the set.
func posixIn(signs string) (name, meant string) {
	for _, class := range posixClasses {
		if strings.HasSuffix("["+signs+"]", class[0]) {
			return class[0], class[1]
		}
	}
	return "", ""
}

// isChoice reports whether the characters of a set are words with bars
// between them: [main|master].
func isChoice(signs string) bool {
	words := strings.Split(signs, "|")
	long := false
	for _, word := range words {
		letters := strings.NewReplacer("-", "", " ", "", "_", "").Replace(word)
		if !isWord(letters) {
			return false
		}
		long = long || len(letters) > 1
	}
	return long && len(words) > 1
}

// isText reports whether the characters of a set are letters, one of them
// twice: [npm publish].
func isText(signs string) bool {
	letters := strings.ReplaceAll(signs, " ", "")
	if !isWord(letters) || strings.ContainsAny(letters, "0123456789_") || len(letters) < 3 {
		return false
	}
	for i, r := range letters {
		if strings.ContainsRune(letters[i+1:], r) {
			return true
		}
	}
	return false
}
