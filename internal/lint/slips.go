package lint

import (
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// slips finds what the author of any expression surely did not mean.
func slips(source string, root *regex.Node) (found []Finding) {
	escaped := false
	root.Walk(func(n *regex.Node) {
		switch {
		case n.Kind == regex.Concat:
			found = append(found, wordEdges(source, n.Children)...)
		case n.Kind == regex.Class:
			found = append(found, sets(source, n)...)
		case isControl(n) && !escaped:
			escaped = true // once is enough
			found = append(found, Finding{Slip, n.Begin, "has the control character " + strconv.QuoteRune(n.Rune) +
				", which YAML makes of a backslash between double quotes; use single quotes"})
		}
	})
	return append(found, halfAnchored(source, root)...)
}

// wideRange finds [A-z], which has six signs between the letters.
func wideRange(source string, n *regex.Node) []Finding {
	for _, r := range n.Set.Ranges {
		if r.From >= 'A' && r.From <= 'Z' && r.To >= 'a' && r.To <= 'z' {
			meant := "A-Za-z"
			if r.From != 'A' || r.To != 'z' {
				meant = string(r.From) + "-Za-" + string(r.To)
			}
			return []Finding{{Slip, r.Begin, "has " + quote("["+source[r.Begin:r.End]+"]") + ", which takes [ \\ ] ^ _ and ` too; write " + quote("["+meant+"]")}}
		}
	}
	return nil
}

// isControl reports whether n is a control character in the expression itself,
// which only an escape between YAML's double quotes writes.
func isControl(n *regex.Node) bool {
	return n.Kind == regex.Char && n.End-n.Begin == 1 && n.Rune < ' ' && !strings.ContainsRune("\t\n\r", n.Rune)
}

// halfAnchored finds ^a|b$, in which each anchor holds for one branch alone.
func halfAnchored(source string, root *regex.Node) []Finding {
	branches := root.Branches()
	last := len(branches) - 1
	if last < 1 || allSetOff(branches) {
		return nil
	}
	for i, branch := range branches {
		items := branch.Items()
		if len(items) == 0 || items[0].IsStart() != (i == 0) || items[len(items)-1].IsEnd() != (i == last) {
			return nil
		}
	}
	first, end := branches[0].Items()[0], branches[last].Items()
	close := end[len(end)-1]
	inner := source[first.End:close.Begin]
	return []Finding{{Slip, first.Begin, "holds its first branch at the start alone and its last at the end alone; for all of them write " +
		quote(first.Text(source)+"(?:"+inner+")"+close.Text(source))}}
}
