package advice

// side describes the characters that are certain on one side of a position.
type side struct {
	least   int  // number of characters; 2 means two or more
	newline bool // the nearest one may be a newline
}

// and returns s with item between it and the position.
func (s side) and(item *node) side {
	n := least(item)
	newline := mayTakeNewline(item)
	if n == 0 {
		newline = newline || s.newline
	}
	return side{min(2, s.least+n), newline}
}

// contradiction returns a node in n that can never match although every match has to include
// it, or nil.
func contradiction(n *node) *node { return stuck(n, side{newline: true}, side{newline: true}) }

func stuck(n *node, before, after side) *node {
	switch n.Kind {
	case classNode:
		if n.Set.empty() {
			return n
		}
	case assertNode:
		if !holds(n, before, after) {
			return n
		}
	case groupNode:
		return stuck(n.Children[0], before, after)
	case rowNode:
		return stuckInRow(n.Children, before, after)
	case altNode:
		return stuckEverywhere(n, before, after)
	case repeatNode:
		if n.Min > 0 {
			return stuck(n.Children[0], before, side{newline: true})
		}
	case lookNode:
		return stuckLook(n, before)
	}
	return nil
}

func stuckInRow(items []*node, before, after side) *node {
	follows := make([]side, len(items))
	for i := len(items) - 1; i >= 0; i-- {
		follows[i] = after
		after = after.and(items[i])
	}
	for i, item := range items {
		if at := stuck(item, before, follows[i]); at != nil || insideWord(items, i) {
			return item.or(at)
		}
		before = before.and(item)
	}
	return nil
}

func (n *node) or(at *node) *node {
	if at != nil {
		return at
	}
	return n
}

// insideWord reports whether items[i] is a \b between two word characters or two others, or a
// \B between a word character and another one.
func insideWord(items []*node, i int) bool {
	if items[i].Kind != assertNode || i == 0 || i+1 == len(items) {
		return false
	}
	before, after := items[i-1], items[i+1]
	if before.Kind != charNode || after.Kind != charNode || before.Rune >= 0x80 || after.Rune >= 0x80 {
		return false
	}
	same := wordRune(before.Rune) == wordRune(after.Rune)
	return items[i].Rune == 'b' && same || items[i].Rune == 'B' && !same
}

func stuckEverywhere(n *node, before, after side) (first *node) {
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

func stuckLook(n *node, before side) *node {
	inner := n.Children[0]
	switch {
	case n.Negative && always(inner):
		return n
	case n.Negative:
		return nil
	case n.Behind:
		before = side{newline: true}
	}
	return stuck(inner, before, side{newline: true})
}

// holds reports whether an assertion can be true.
func holds(n *node, before, after side) bool {
	switch n.Rune {
	case 'A':
		return before.least == 0
	case '^':
		return before.least == 0 || n.Lines && before.newline
	case 'Z':
		return after.least == 0
	case '$':
		return after.least == 0 || after.newline && (n.Lines || after.least < 2)
	}
	return true
}

// mayTakeNewline reports whether a match of n may contain a newline.
func mayTakeNewline(n *node) (may bool) {
	n.walk(func(n *node) {
		may = may || isChar(n, '\n') || n.Kind == anyNode && n.DotAll || n.Kind == classNode && n.Set.takesNewline() || n.Kind == opaqueNode
	})
	return may
}

// least returns the minimum number of characters of a match of n; 2 means two or more.
func least(n *node) int {
	switch n.Kind {
	case charNode, anyNode, classNode:
		return 1
	case groupNode:
		return least(n.Children[0])
	case altNode:
		fewest := 2
		for _, branch := range n.Children {
			fewest = min(fewest, least(branch))
		}
		return fewest
	case rowNode:
		sum := 0
		for _, item := range n.Children {
			sum += least(item)
		}
		return min(2, sum)
	case repeatNode:
		return min(2, min(2, n.Min)*least(n.Children[0]))
	}
	return 0
}
