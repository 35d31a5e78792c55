package advice

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// behindKey reports whether n is the colon after a key of JSON text.
func behindKey(n, before *node) bool { return isChar(n, ':') && isChar(before, '"') }

// aboutJSON reports whether the expression contains a key of JSON text.
func (t *trial) aboutJSON() (about bool) {
	t.inRow(func(n, before, _ *node) { about = about || behindKey(n, before) })
	return about
}

// AboutJSON reports whether the pattern can match only in the input's JSON text, because it
// contains a key.
func (m Matcher) AboutJSON() bool { return newTrial(m, "pattern").aboutJSON() }

// json rewrites the expression in the style of the JSON text: a space after each colon, and
// quotes only around strings.
func (t *trial) json() (changes []Change) {
	var blanks []edit
	t.inRow(func(n, before, next *node) {
		if behindKey(n, before) && next != nil && !isChar(next, ' ') && !isSpace(next) {
			blanks = append(blanks, edit{n.End, n.End, " "})
		}
	})
	changes = t.edits("blank", "the JSON text has a space after each colon", blanks...)
	if bare := bareWords(t.source); bare != t.source {
		changes = append(changes, Change{Kind: "quote", To: bare, Why: "the value is no string, so it has no quotes"})
	}
	if strings.Contains(t.source, "':") {
		changes = append(changes, Change{Kind: "quote", To: strings.ReplaceAll(t.source, "'", `"`), Why: "the JSON text has double quotes"})
	}
	return changes
}

// bareWords removes the quotes around values that are not strings.
func bareWords(source string) string {
	parts := strings.Split(source, `"`)
	for i := 1; i+1 < len(parts); i++ {
		word := parts[i]
		bare := strings.Trim(word, `0123456789.-\d+`) == "" || word == "true" || word == "false" || word == null
		if bare && word != "" && !strings.HasPrefix(parts[i+1], ":") {
			parts[i-1] += word + parts[i+1]
			parts = append(parts[:i], parts[i+2:]...)
			i--
		}
	}
	return strings.Join(parts, `"`)
}

// key replaces a key by the equivalent keys of the input.
func (t *trial) key() (changes []Change) {
	values, _ := Values(t.Subject.Text)
	have := keys(values)
	for _, word := range t.runs() {
		if word.begin == 0 || t.source[word.begin-1] != '"' || !strings.HasPrefix(t.source[word.end:], `":`) {
			continue
		}
		for _, name := range have {
			if name != word.text && len(changes) < mostPlaces && sameKey(word.text, name) {
				changes = append(changes, Change{Kind: "key", To: t.edited(edit{word.begin, word.end, name}), Why: "the key is " + quoted(name)})
			}
		}
	}
	return changes
}

// sameKey reports whether two keys are similar, or one of them is the format's name for the
// other (D43).
func sameKey(a, b string) bool {
	if strings.ContainsFunc(b, func(r rune) bool { return !wordRune(r) }) {
		return false
	}
	bare := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	for _, group := range [...]string{" cmd command commandline ", " path file filepath filename targetfile ", " content text filetext "} {
		if strings.Contains(group, " "+bare(a)+" ") && strings.Contains(group, " "+bare(b)+" ") {
			return true
		}
	}
	_, near := spec.Nearest(a, []string{b})
	return near
}
