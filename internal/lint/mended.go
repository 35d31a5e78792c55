package lint

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// Mend is what a pattern with a slip was surely meant as.
type Mend struct {
	To  string // the whole expression
	Why string // what is wrong with the one that it mends
}

// Mended returns what could be meant by the blanks beside the bars of a
// pattern, and by the edges of words of other dialects. With other slips a
// pattern is found where it is not meant, not missed.
func Mended(source string) (all []Mend) {
	root, ok := regex.Parse(source)
	if !ok {
		return nil
	}
	root.Walk(func(n *regex.Node) {
		if n.Kind != regex.Alt || allSetOff(n.Children) {
			return
		}
		if either, _, first := withoutBlanks(source, n.Children); first >= 0 {
			all = append(all, Mend{either, "the blanks beside a bar must stand there, too"})
		}
	})
	if to := withEdges(source, root); to != source {
		all = append(all, Mend{to, `\< and \> take the signs < and >, and \b is the edge of a word`})
	}
	return all
}

// withEdges spells the edges of words as they are spelled here.
func withEdges(source string, root *regex.Node) string {
	root.Walk(func(n *regex.Node) {
		if n.Kind != regex.Concat {
			return
		}
		for _, f := range slices.Backward(wordEdges(source, n.Children)) {
			rest := strings.Replace(source[f.Offset:], `\<`, `\b`, 1)
			source = source[:f.Offset] + strings.Replace(rest, `\>`, `\b`, 1)
		}
	})
	return source
}
