package advice

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/matcher"
)

// edges records which anchors, boundaries and spaces at the ends of an expression a change
// removes. They may mark the end of a word; without them the expression also matches inside
// words, which changes its meaning.
type edges struct{ start, blank, end bool } // blank: one at the start

func (e edges) and(more edges) edges {
	return edges{e.start || more.start, e.blank || more.blank, e.end || more.end}
}

// edgeOf returns the edge of a word that the assertion n may mark. before is the node before
// it, or nil.
func edgeOf(n, before *node) edges {
	end := n.isEnd() || n.Rune == 'b' && before != nil
	return edges{start: !end, end: end}
}

// cutsWord reports whether a pattern matches where a word continues past a dropped end.
func (t *trial) cutsWord(source string, dropped edges) bool {
	if t.part != "pattern" || dropped == (edges{}) {
		return false
	}
	before, found, after, ok := t.around(source)
	if !ok {
		return false
	}
	start := dropped.blank || dropped.start && beginsWithWord(found)
	return start && endsInWord(before) || dropped.end && beginsWithWord(after)
}

func beginsWithWord(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return wordRune(first)
}

func endsInWord(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return wordRune(last)
}

// Unreached explains a pattern that matches except for an anchor or a boundary at the end of a
// word, because the word continues there. ok is false for other patterns.
func (m Matcher) Unreached() (why string, ok bool) {
	t := newTrial(m, "pattern")
	if t.excludes() || t.allowList() {
		return "", false
	}
	t.inRow(func(n, before, _ *node) {
		if ok || n.Kind != assertNode || before == nil || !edgeOf(n, before).end {
			return
		}
		to := t.edited(edit{n.Begin, n.End, ""})
		if to == "" || !t.cutsWord(to, edges{end: true}) {
			return
		}
		_, _, after, _ := t.around(to)
		why, ok = notReached(n.text(t.source), after), true
	})
	return why, ok
}

func notReached(anchor, after string) string {
	return "`" + anchor + "` is not reached: `" + leadingWord(after) + "` follows"
}

// leadingWord returns the word at the beginning of text, or its first character.
func leadingWord(text string) string {
	const most = 40
	text = text[:min(len(text), most)]
	if end := strings.IndexFunc(text, func(r rune) bool { return !wordRune(r) }); end > 0 {
		return text[:end]
	} else if end == 0 {
		_, size := utf8.DecodeRuneInString(text)
		return text[:size]
	}
	return strings.ToValidUTF8(text, "")
}

// around returns the first match of an expression in the text that the part searches, and the
// text before and after it.
func (t *trial) around(source string) (before, found, after string, ok bool) {
	texts := t.Subject.Names
	if t.part == "pattern" {
		texts = slices.Clone(t.Subject.Values[:min(len(t.Subject.Values), mostTried)])
		texts = append(texts, t.Subject.Text)
	}
	for _, text := range texts {
		if begin, end, ok := matcher.Find(source, text, t.deadline); ok {
			return text[:begin], text[begin:end], text[end:], true
		}
	}
	return "", "", "", false
}
