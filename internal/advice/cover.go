package advice

import (
	"github.com/agent-hooks/agent-hooks/matcher"
)

// allowList reports whether a branch of the expression is anchored and would match nearly
// everything without the anchor.
func (t *trial) allowList() bool {
	for _, branch := range t.root.branches() {
		items := branch.items()
		held := len(items) > 0 && (items[0].isStart() || items[len(items)-1].isEnd())
		if held && t.wide(branch) {
			return true
		}
	}
	return false
}

// wide reports whether a branch consists only of sets and wildcards, or matches the empty
// string.
func (t *trial) wide(branch *node) bool {
	if onlySets(branch) {
		return true
	}
	_, _, empty := matcher.Find(flagsOf(branch.items())+branch.text(t.source), "", t.deadline)
	return empty
}

// onlySets reports whether n has sets and no literal letters or digits, or consists only of
// anchors.
func onlySets(n *node) bool {
	letters, signs, sets := false, false, false
	n.walk(func(n *node) {
		switch n.Kind {
		case charNode:
			letters, signs = letters || wordRune(n.Rune), true
		case classNode, anyNode:
			sets = true
		case opaqueNode:
			letters = true
		}
	})
	return !letters && (sets || !signs)
}

// Uncovered is a value that an expression had to match as a whole, but matched only in part.
type Uncovered struct {
	Key   string // where the value is in the input
	Taken string // the matched part, from its beginning
	Rest  string // the part after Taken that prevents a match
}

// Uncovered returns the value of which a branch of the pattern that is wide and anchored at its
// start matches the most. ok is false if the pattern has no such branch.
func (m Matcher) Uncovered(values []Value) (best Uncovered, ok bool) {
	t := newTrial(m, "pattern")
	if t.excludes() {
		return Uncovered{}, false
	}
	for _, branch := range t.root.branches()[:min(len(t.root.branches()), mostBranches)] {
		items := branch.items()
		if len(items) == 0 || !items[0].isStart() || !t.wide(branch) {
			continue
		}
		if last := len(items) - 1; items[last].isEnd() && last > 0 {
			items = items[:last]
		}
		source := flagsOf(items) + t.source[items[0].Begin:items[len(items)-1].End]
		for _, v := range values[:min(len(values), mostTried)] {
			begin, end, found := matcher.Find(source, v.Text, t.deadline)
			if !found || begin > 0 {
				end = 0
			}
			if v.Text != "" && (!ok || end > len(best.Taken)) {
				best, ok = Uncovered{v.Key, v.Text[:end], v.Text[end:]}, true
			}
		}
	}
	return best, ok
}

// Inside returns the place inside a word of the values where the pattern would match without
// its anchors and boundaries, and the text before it.
func (m Matcher) Inside(values []Value) (key, before string, ok bool) {
	t := newTrial(m, "pattern")
	var all []edit
	t.inRow(func(n, _, _ *node) {
		if n.Kind == assertNode {
			all = append(all, edit{n.Begin, n.End, ""})
		}
	})
	bare := t.edited(all...)
	if len(all) == 0 || bare == "" || t.excludes() || onlySets(t.root) {
		return "", "", false
	}
	for _, v := range values[:min(len(values), mostTried)] {
		begin, _, found := matcher.Find(bare, v.Text, t.deadline)
		if found && endsInWord(v.Text[:begin]) {
			return v.Key, v.Text[:begin], true
		}
	}
	return "", "", false
}
