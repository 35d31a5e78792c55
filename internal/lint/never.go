package lint

import "github.com/agent-hooks/agent-hooks/internal/regex"

// edge is what is known of the character beside a place.
type edge struct {
	certain              bool // there is one, inside the match
	newline, word, other bool // it may be a line feed; a word character; neither
}

var anyEdge = edge{newline: true, word: true, other: true}

func (e edge) onlyWord() bool  { return e.certain && e.word && !e.other && !e.newline }
func (e edge) neverWord() bool { return e.certain && !e.word }
func (e edge) or(o edge) edge {
	return edge{e.certain && o.certain, e.newline || o.newline, e.word || o.word, e.other || o.other}
}

// contradiction returns a place in n that cannot hold although every match
// has to pass it, nil if none is known of.
func contradiction(n *regex.Node) *regex.Node {
	return stuck(n, anyEdge, ahead{edge: anyEdge})
}

// ahead is what must follow a place.
type ahead struct {
	edge
	least int // characters, 2 stands for more
}

// stuck is contradiction with what is known of the surroundings.
func stuck(n *regex.Node, before edge, after ahead) *regex.Node {
	switch n.Kind {
	case regex.Class:
		if n.Set.Empty() {
			return n
		}
	case regex.Assert:
		if !holds(n, before, after) {
			return n
		}
	case regex.Group:
		return stuck(n.Children[0], before, after)
	case regex.Concat:
		return stuckInRow(n.Children, before, after)
	case regex.Alt:
		return stuckEverywhere(n, before, after)
	case regex.Repeat:
		if n.Min == 0 {
			return nil
		}
		if n.Max != 1 {
			after = ahead{edge: anyEdge}
		}
		return stuck(n.Children[0], before, after)
	case regex.Look:
		return stuckLook(n, before)
	}
	return nil
}

func stuckEverywhere(n *regex.Node, before edge, after ahead) *regex.Node {
	var first *regex.Node
	for _, branch := range n.Children {
		at := stuck(branch, before, after)
		if at == nil {
			return nil
		}
		if first == nil {
			first = at
		}
	}
	return first
}

func stuckLook(n *regex.Node, before edge) *regex.Node {
	inner := n.Children[0]
	switch {
	case n.Negative && always(inner):
		return n
	case n.Negative:
		return nil
	case n.Behind:
		before = anyEdge
	}
	return stuck(inner, before, ahead{edge: anyEdge})
}

func stuckInRow(items []*regex.Node, before edge, after ahead) *regex.Node {
	follows := make([]ahead, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		follows[i] = after
		after = after.behind(items[i])
	}
	for i, item := range items {
		if at := stuck(item, before, follows[i]); at != nil {
			return at
		}
		before = before.past(item)
	}
	return nil
}

// behind is what follows the place before item.
func (a ahead) behind(item *regex.Node) ahead {
	first := side(item, false)
	if !first.certain {
		first = edge{a.certain, first.newline || a.newline, first.word || a.word, first.other || a.other}
	}
	return ahead{first, min(2, least(item)+a.least)}
}

// past is what precedes the place after item.
func (e edge) past(item *regex.Node) edge {
	last := side(item, true)
	if !last.certain {
		last = edge{e.certain, last.newline || e.newline, last.word || e.word, last.other || e.other}
	}
	return last
}

// holds reports whether an assertion can hold.
func holds(n *regex.Node, before edge, after ahead) bool {
	switch n.Rune {
	case 'A':
		return !before.certain
	case '^':
		return !before.certain || n.Lines && before.newline
	case 'Z':
		return !after.certain
	case '$':
		return !after.certain || after.newline && (n.Lines || after.least < 2)
	case 'b':
		return !(before.onlyWord() && after.onlyWord() || before.neverWord() && after.neverWord())
	case 'B':
		return !(before.onlyWord() && after.neverWord() || before.neverWord() && after.onlyWord())
	}
	return true
}

// side is what n's first or last character can be, certain if it has one.
func side(n *regex.Node, last bool) edge {
	switch n.Kind {
	case regex.Char:
		return charEdge(n.Rune)
	case regex.Any:
		return edge{true, n.DotAll, true, true}
	case regex.Class:
		return setEdge(n.Set)
	case regex.Group:
		return side(n.Children[0], last)
	case regex.Alt:
		all := side(n.Children[0], last)
		for _, branch := range n.Children[1:] {
			all = all.or(side(branch, last))
		}
		return all
	case regex.Concat:
		return rowSide(n.Children, last)
	case regex.Repeat:
		e := side(n.Children[0], last)
		e.certain = e.certain && n.Min > 0
		return e
	case regex.Opaque:
		return anyEdge
	}
	return edge{} // it is between characters
}

func rowSide(items []*regex.Node, last bool) edge {
	var all edge
	for i := range items {
		item := items[i]
		if last {
			item = items[len(items)-1-i]
		}
		e := side(item, last)
		all = edge{e.certain, all.newline || e.newline, all.word || e.word, all.other || e.other}
		if e.certain {
			break
		}
	}
	return all
}

// charEdge is certain of ASCII alone: what else is a word character is in the
// engine's tables.
func charEdge(r rune) edge {
	switch {
	case r == '\n':
		return edge{certain: true, newline: true}
	case r >= 0x80:
		return edge{certain: true, word: true, other: true}
	case isWord(string(r)):
		return edge{certain: true, word: true}
	}
	return edge{certain: true, other: true}
}

func setEdge(s regex.Set) edge {
	e := edge{certain: true, newline: s.TakesNewline()}
	if s.Negated {
		e.word, e.other = true, true
		return e
	}
	for _, c := range s.Classes {
		e.word = e.word || c != 's'
		e.other = e.other || c != 'w' && c != 'd'
	}
	for _, r := range s.Ranges {
		if r.From != r.To || r.From >= 0x80 {
			e.word, e.other = true, true
			continue
		}
		c := charEdge(r.From)
		e.word, e.other = e.word || c.word, e.other || c.other
	}
	return e
}

// least is how many characters n takes at least, 2 standing for more.
func least(n *regex.Node) int {
	switch n.Kind {
	case regex.Char, regex.Any, regex.Class:
		return 1
	case regex.Group:
		return least(n.Children[0])
	case regex.Alt:
		fewest := 2
		for _, branch := range n.Children {
			fewest = min(fewest, least(branch))
		}
		return fewest
	case regex.Concat:
		sum := 0
		for _, item := range n.Children {
			sum = min(2, sum+least(item))
		}
		return sum
	case regex.Repeat:
		return min(2, min(2, n.Min)*least(n.Children[0]))
	}
	return 0
}

// onlyEmpty reports whether n takes the empty text alone.
func onlyEmpty(n *regex.Node) bool {
	items := n.Items()
	if len(items) < 2 || !items[0].IsStart() || !items[len(items)-1].IsEnd() {
		return false
	}
	for _, item := range items {
		if item.Kind != regex.Assert {
			return false
		}
	}
	return true
}
