package nearest

import (
	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// allowList reports whether a branch of the expression is held by an anchor
// and is nothing but sets and wildcards: without the anchor it would be found
// in nearly everything.
func (t *trial) allowList() bool {
	for _, branch := range t.root.Branches() {
		items := branch.Items()
		held := len(items) > 0 && (items[0].IsStart() || items[len(items)-1].IsEnd())
		if held && onlySets(branch) {
			return true
		}
	}
	return false
}

// onlySets reports whether n has no letters or digits of its own, but sets;
// or nothing but anchors.
func onlySets(n *regex.Node) bool {
	letters, signs, sets := false, false, false
	n.Walk(func(n *regex.Node) {
		switch n.Kind {
		case regex.Char:
			letters, signs = letters || wordRune(n.Rune), true
		case regex.Class, regex.Any:
			sets = true
		case regex.Opaque:
			letters = true
		}
	})
	return !letters && (sets || !signs)
}

// Uncovered is a value that an expression had to take as a whole, and did not.
type Uncovered struct {
	Key   string // where the value stands in the input
	Taken string // what is taken, from its beginning
	Rest  string // what stands in the way behind that
}

// Uncovered returns the value of which a pattern that is held at its start,
// and is nothing but sets and wildcards, takes the most. ok is false if the
// pattern is none such.
func (m Matcher) Uncovered(values []Value) (best Uncovered, ok bool) {
	t := newTrial(m, "pattern")
	items := t.root.Items()
	if len(items) == 0 || !items[0].IsStart() || !onlySets(t.root) || t.excludes() || len(t.root.Branches()) > 1 {
		return Uncovered{}, false
	}
	source := t.source
	if last := items[len(items)-1]; last.IsEnd() && len(items) > 1 {
		source = t.edited(edit{last.Begin, last.End, ""})
	}
	for _, v := range values[:min(len(values), mostTried)] {
		begin, end, found := matcher.Find(source, v.Text, t.deadline)
		if !found || begin > 0 {
			end = 0
		}
		if v.Text != "" && (!ok || end > len(best.Taken)) {
			best, ok = Uncovered{v.Key, v.Text[:end], v.Text[end:]}, true
		}
	}
	return best, ok
}
