// Package regex reads a regular expression of the format's dialect (D19) into
// a tree that knows where in the expression each part stands, so that tools
// for authors can say what is odd about it and what a small change would do.
//
// It is pure, searches nothing and decides nothing about an event: that is
// package matcher's. What it does not understand it refuses as a whole.
package regex

import "strings"

// Kind says what a Node is.
type Kind int

// The kinds of nodes.
const (
	Char   Kind = iota // the character Rune
	Any                // .
	Class              // one character of a set
	Assert             // a place: Rune is one of ^ $ A Z b B
	Group              // parentheses around Children[0]
	Look               // a look-around; Children[0] is looked for
	Alt                // one of Children
	Concat             // Children in a row
	Repeat             // Children[0], Min to Max times
	Opaque             // anything else that may consume anything, such as a back-reference
)

// Node is one part of an expression.
type Node struct {
	Kind       Kind
	Begin, End int // bytes in the source
	Children   []*Node

	Rune     rune // of Char and Assert
	Set      Set  // of Class
	Min, Max int  // of Repeat; Max is -1 if there is none
	Negative bool // of Look
	Behind   bool // of Look

	Fold   bool // case is ignored
	Lines  bool // ^ and $ are those of lines
	DotAll bool // . is a line feed too
}

// Text returns how the source spells n.
func (n *Node) Text(source string) string { return source[n.Begin:n.End] }

// Items returns the parts of n that stand in a row: those of a Concat, n
// itself if it is none. Groups around all of it are taken off.
func (n *Node) Items() []*Node {
	n = n.Inner()
	if n.Kind == Concat {
		return n.Children
	}
	return []*Node{n}
}

// Branches returns the alternatives of n, n itself if it has none. Groups
// around all of it are taken off.
func (n *Node) Branches() []*Node {
	n = n.Inner()
	if n.Kind == Alt {
		return n.Children
	}
	return []*Node{n}
}

// Inner takes groups off that enclose all of n.
func (n *Node) Inner() *Node {
	for {
		switch {
		case n.Kind == Group:
			n = n.Children[0]
		case n.Kind == Concat && len(n.Children) == 1:
			n = n.Children[0]
		default:
			return n
		}
	}
}

// Core returns what stands between anchors at the ends of n, if that is one
// thing, else n.
func (n *Node) Core() *Node {
	items := n.Items()
	for len(items) > 0 && items[0].Kind == Assert {
		items = items[1:]
	}
	for len(items) > 0 && items[len(items)-1].Kind == Assert {
		items = items[:len(items)-1]
	}
	if len(items) == 1 {
		return items[0]
	}
	return n
}

// Walk calls visit for n and all nodes below it, in the order of the source.
func (n *Node) Walk(visit func(*Node)) {
	visit(n)
	for _, child := range n.Children {
		child.Walk(visit)
	}
}

// Literal returns the text that n is, letter for letter. ok is false if it
// can be anything else as well.
func Literal(items []*Node) (text string, ok bool) {
	var b strings.Builder
	for _, n := range items {
		if n.Kind != Char || n.Fold {
			return "", false
		}
		b.WriteRune(n.Rune)
	}
	return b.String(), true
}

// IsStart reports whether n is ^ or \A, IsEnd whether it is $ or \Z.
func (n *Node) IsStart() bool { return n.Kind == Assert && (n.Rune == '^' || n.Rune == 'A') }

// IsEnd reports whether n is $ or \Z.
func (n *Node) IsEnd() bool { return n.Kind == Assert && (n.Rune == '$' || n.Rune == 'Z') }

// Set is what a Class takes.
type Set struct {
	Negated bool
	Ranges  []Range
	Classes string // letters of the shorthands in it: wWdDsS
}

// Range is a range of characters in a Set, From and To included.
type Range struct {
	From, To   rune
	Begin, End int // bytes in the source
}

// Full reports whether s takes every character, Empty whether it takes none.
func (s Set) Full() bool { return !s.Negated && s.covers() }

// Empty reports whether s takes no character.
func (s Set) Empty() bool { return s.Negated && s.covers() }

func (s Set) covers() bool {
	for _, pair := range [...]string{"wW", "dD", "sS"} {
		if strings.Contains(s.Classes, pair[:1]) && strings.Contains(s.Classes, pair[1:]) {
			return true
		}
	}
	return false
}

// TakesNewline reports whether s takes the line feed.
func (s Set) TakesNewline() bool {
	in := strings.ContainsAny(s.Classes, "WDs")
	for _, r := range s.Ranges {
		in = in || r.From <= '\n' && '\n' <= r.To
	}
	return in != s.Negated
}
