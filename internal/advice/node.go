package advice

import "strings"

// kind is the type of a node.
type kind int

const (
	charNode   kind = iota // the character Rune
	anyNode                // .
	classNode              // one character of a set
	assertNode             // an assertion: Rune is one of ^ $ A Z b B
	groupNode              // parentheses around Children[0]
	lookNode               // a look-around for Children[0]
	altNode                // one of Children
	rowNode                // Children in a row
	repeatNode             // Children[0], Min to Max times
	opaqueNode             // anything else that may consume anything, such as a back-reference
)

// node is one part of an expression, with its position in the source.
type node struct {
	Kind       kind
	Begin, End int // bytes in the source
	Children   []*node

	Rune     rune // of a char or assertion
	Set      set  // of a class
	Min, Max int  // of a repetition; Max is -1 if there is none
	Negative bool // of a look-around
	Behind   bool // of a look-around

	Fold   bool // case is ignored
	Lines  bool // ^ and $ match at lines
	DotAll bool // . matches a newline
}

// text returns the source of n.
func (n *node) text(source string) string { return source[n.Begin:n.End] }

// inner returns n without the groups that enclose all of it.
func (n *node) inner() *node {
	for n.Kind == groupNode || n.Kind == rowNode && len(n.Children) == 1 {
		n = n.Children[0]
	}
	return n
}

// items returns the parts of n in a row; n itself if it is not a row.
func (n *node) items() []*node { return n.inner().childrenOf(rowNode) }

// branches returns the alternatives of n; n itself if it has none.
func (n *node) branches() []*node { return n.inner().childrenOf(altNode) }

func (n *node) childrenOf(k kind) []*node {
	if n.Kind == k {
		return n.Children
	}
	return []*node{n}
}

// core returns the part between anchors at the ends of n if it is a single node, otherwise n.
func (n *node) core() *node {
	items := n.items()
	for len(items) > 0 && items[0].Kind == assertNode {
		items = items[1:]
	}
	for len(items) > 0 && items[len(items)-1].Kind == assertNode {
		items = items[:len(items)-1]
	}
	if len(items) == 1 {
		return items[0]
	}
	return n
}

// walk calls visit for n and all nodes below it, in source order.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, child := range n.Children {
		child.walk(visit)
	}
}

// rows calls visit for the children of each row.
func (n *node) rows(visit func(items []*node)) {
	n.walk(func(n *node) {
		if n.Kind == rowNode {
			visit(n.Children)
		}
	})
}

// literalText returns the text that items match if there is only one.
func literalText(items []*node) (text string, ok bool) {
	for _, n := range items {
		if n.Kind != charNode || n.Fold {
			return "", false
		}
		text += string(n.Rune)
	}
	return text, true
}

// isStart reports whether n is ^ or \A, isEnd whether it is $ or \Z.
func (n *node) isStart() bool { return n.Kind == assertNode && (n.Rune == '^' || n.Rune == 'A') }
func (n *node) isEnd() bool   { return n.Kind == assertNode && (n.Rune == '$' || n.Rune == 'Z') }

func isChar(n *node, r rune) bool { return n != nil && n.Kind == charNode && n.Rune == r }
func isSpace(n *node) bool        { return n.Kind == classNode && n.Set.Classes == "s" }
func isLetter(n *node) bool       { return n != nil && n.Kind == charNode && wordRune(n.Rune) }

// set is the set of characters of a class.
type set struct {
	Negated bool
	Ranges  []runes
	Classes string // letters of the shorthands in it: wWdDsS
}

// runes is a range of characters, with its position in the source.
type runes struct {
	From, To   rune
	Begin, End int
}

// full reports whether s matches every character, and empty whether it matches none.
func (s set) full() bool  { return !s.Negated && s.covers() }
func (s set) empty() bool { return s.Negated && s.covers() }

func (s set) covers() bool {
	for _, pair := range [...]string{"wW", "dD", "sS"} {
		if strings.Contains(s.Classes, pair[:1]) && strings.Contains(s.Classes, pair[1:]) {
			return true
		}
	}
	return false
}

// takesNewline reports whether s matches a newline.
func (s set) takesNewline() bool {
	in := strings.ContainsAny(s.Classes, "WDs")
	for _, r := range s.Ranges {
		in = in || r.From <= '\n' && '\n' <= r.To
	}
	return in != s.Negated
}
