package advice

import (
	"strings"
	"unicode"
)

// kind is the type of a node.
type kind int

const (
	charNode   kind = iota // the character Rune
	anyNode                // .
	classNode              // one character of a set or escape, such as [a-z], \w or \n
	assertNode             // an assertion: Rune is one of ^ $ A Z b B
	groupNode              // parentheses around Children[0]
	lookNode               // a look-around for Children[0]
	altNode                // one of Children
	rowNode                // Children in a row
	repeatNode             // Children[0], Min to Max times
	opaqueNode             // an expression that is not understood
)

// node is one part of an expression, with its position in the source.
type node struct {
	Kind       kind
	Begin, End int // bytes in the source
	Children   []*node

	Rune     rune   // of a char or assertion
	Min, Max int    // of a repetition; Max is -1 if there is none
	Flags    string // of the root: the flags set anywhere in the expression, of i, m and s
}

// text returns the source of n.
func (n *node) text(source string) string { return source[n.Begin:n.End] }

// flags returns the flags of a root as source.
func (n *node) flags() string {
	set := ""
	for _, flag := range [...]string{"i", "m", "s"} {
		if strings.Contains(n.Flags, flag) {
			set += "(?" + flag + ")"
		}
	}
	return set
}

// inner returns n without the groups that enclose all of it.
func (n *node) inner() *node {
	for n.Kind == groupNode || n.Kind == rowNode && len(n.Children) == 1 {
		n = n.Children[0]
	}
	return n
}

// items returns the parts of n in a row; n itself if it is not a row.
func (n *node) items() []*node { return n.inner().childrenOf(rowNode) }

// empty reports whether n has no parts.
func (n *node) empty() bool { return n.Begin == n.End }

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
	if items := bare(n.items()); len(items) == 1 {
		return items[0]
	}
	return n
}

// bare returns items without the assertions at both ends.
func bare(items []*node) []*node {
	for len(items) > 0 && items[0].Kind == assertNode {
		items = items[1:]
	}
	for len(items) > 0 && items[len(items)-1].Kind == assertNode {
		items = items[:len(items)-1]
	}
	return items
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

// isStart reports whether n is ^ or \A, isEnd whether it is $ or \Z.
func (n *node) isStart() bool { return n.Kind == assertNode && (n.Rune == '^' || n.Rune == 'A') }
func (n *node) isEnd() bool   { return n.Kind == assertNode && (n.Rune == '$' || n.Rune == 'Z') }

func isChar(n *node, r rune) bool { return n.Kind == charNode && n.Rune == r }
func isLetter(n *node) bool       { return n.Kind == charNode && wordRune(n.Rune) }

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
