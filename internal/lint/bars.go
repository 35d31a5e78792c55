package lint

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// barBlanks finds blanks on both sides of a bar: rm | mv. Alternatives that
// are set off by blanks or anchors, each at both ends, are meant so.
func barBlanks(source string, root *regex.Node) (found []Finding) {
	root.Walk(func(n *regex.Node) {
		if n.Kind == regex.Alt && !allSetOff(n.Children) {
			found = append(found, blanksIn(source, n.Children)...)
		}
	})
	return found
}

func blanksIn(source string, branches []*regex.Node) []Finding {
	either, pipe, first := withoutBlanks(source, branches)
	if first < 0 {
		return nil
	}
	return []Finding{{Slip, first, "has blanks beside a bar, which must stand there, too; for either of them write " +
		quote(either) + ", for a pipe " + quote(pipe)}}
}

// withoutBlanks spells what blanks beside bars were meant as, from the first
// of the bars on; first is -1 if there are none.
func withoutBlanks(source string, branches []*regex.Node) (either, pipe string, first int) {
	either, pipe, first = source, source, -1
	for i := len(branches) - 1; i > 0; i-- {
		before, after := branches[i-1], branches[i]
		if !endsInBlank(before) || !startsWithBlank(after) {
			continue
		}
		first = before.End
		either = strings.TrimRight(either[:first], " ") + "|" + strings.TrimLeft(either[first+1:], " ")
		pipe = pipe[:first] + `\` + pipe[first:]
	}
	return either, pipe, first
}

// startsWithBlank and endsInBlank are false of what is nothing but signs, as
// between two commands.
func startsWithBlank(n *regex.Node) bool { return !onlySigns(n) && isBlank(n.Items()[0]) }
func endsInBlank(n *regex.Node) bool     { return !onlySigns(n) && isBlank(n.Items()[len(n.Items())-1]) }

func onlySigns(n *regex.Node) bool {
	return !slices.ContainsFunc(n.Items(), func(item *regex.Node) bool { return item.Kind != regex.Char || isWord(string(item.Rune)) })
}

// isBlank reports whether n is a blank without a backslash.
func isBlank(n *regex.Node) bool { return isChar(n, ' ') && n.End-n.Begin == 1 }

// allSetOff reports whether each branch begins and ends with a blank or an
// anchor.
func allSetOff(branches []*regex.Node) bool {
	for _, branch := range branches {
		items := branch.Items()
		if len(items) == 0 || !isBlank(items[0]) && !items[0].IsStart() || !isBlank(items[len(items)-1]) && !items[len(items)-1].IsEnd() {
			return false
		}
	}
	return true
}

// lineFeed finds a line feed at the end, which YAML's | and > leave there.
func lineFeed(source string, root *regex.Node) (found []Finding) {
	root.Walk(func(n *regex.Node) {
		if isChar(n, '\n') && n.End == len(source) && n.End-n.Begin == 1 && len(found) == 0 && strings.Trim(source, "\n") != "" {
			found = []Finding{{Slip, n.Begin, "ends with a line feed, which must follow, too; write it on one line, or behind `|-`"}}
		}
	})
	return found
}
