package nearest

import (
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// edges tells which ends of an expression a change drops that stood for the
// end of a word, maybe: anchors, boundaries, blanks. Without it the expression
// is found inside words, which is another thing.
type edges struct{ start, blank, end bool } // blank: one at the start

func (e edges) and(more edges) edges {
	return edges{e.start || more.start, e.blank || more.blank, e.end || more.end}
}

// edgeOf returns the edge that an assertion stands for, behind before.
func edgeOf(n, before *regex.Node) edges {
	end := n.IsEnd() || n.Rune == 'b' && before != nil
	return edges{start: !end, end: end}
}

// cutsWord reports whether a pattern is found where a word goes on over an end
// that was dropped.
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

// Unreached says what stands behind the pattern where it is found but for an
// anchor or a boundary at the end of a word, that the word goes on there; not
// ok if there is none such.
func (m Matcher) Unreached() (why string, ok bool) {
	t := newTrial(m, "pattern")
	if t.excludes() || t.allowList() {
		return "", false
	}
	t.inRow(func(n, before, _ *regex.Node) {
		if ok || n.Kind != regex.Assert || before == nil || !edgeOf(n, before).end {
			return
		}
		to := t.edited(edit{n.Begin, n.End, ""})
		if to == "" || !t.cutsWord(to, edges{end: true}) {
			return
		}
		_, _, after, _ := t.around(to)
		why, ok = notReached(n.Text(t.source), after), true
	})
	return why, ok
}
