package advice

import "slices"

// always reports whether n matches the empty string at any position.
func always(n *node) bool {
	switch n.Kind {
	case groupNode:
		return always(n.Children[0])
	case rowNode:
		return alwaysAll(n.Children)
	case altNode:
		return slices.ContainsFunc(n.Children, always)
	case repeatNode:
		return n.Min == 0 || always(n.Children[0])
	case lookNode:
		return !n.Negative && always(n.Children[0])
	}
	return false
}

func alwaysAll(items []*node) bool {
	return !slices.ContainsFunc(items, func(n *node) bool { return !always(n) })
}

// everything reports whether n matches every non-empty text of one line or, if braces is set,
// every such text that begins and ends with a brace. These are the names of tools, and the JSON
// text of inputs.
func everything(n *node, braces bool) bool {
	if n = n.inner(); n.Kind == altNode {
		return slices.ContainsFunc(n.Children, func(branch *node) bool { return everything(branch, braces) })
	}
	items := n.items()
	start, end := false, false
	for len(items) > 0 && items[0].isStart() {
		start, items = true, items[1:]
	}
	for len(items) > 0 && items[len(items)-1].isEnd() {
		end, items = true, items[:len(items)-1]
	}
	if held := start && end; held || !alwaysAll(items) {
		return takesLine(items, held, braces)
	}
	return true
}

// takesLine reports whether items match the whole of any line or, unless they are anchored at
// both ends, one character of it.
func takesLine(items []*node, held, braces bool) bool {
	wanted, endless := 0, false
	for _, item := range items {
		item = item.inner()
		switch {
		case item.Kind == repeatNode && isAny(item.Children[0].inner()) && item.Max < 0 && item.Min < 2:
			wanted, endless = wanted+item.Min, true
		case !held && item.Kind == repeatNode && item.Min == 1 && isFree(item.Children[0].inner(), braces), !held && isFree(item, braces):
			wanted++
		case !always(item):
			return false
		}
	}
	return wanted < 2 && (endless || !held)
}

// isAny reports whether n matches every character but, perhaps, a newline; isFree also reports
// whether it matches a brace, and there are braces.
func isAny(n *node) bool { return n.Kind == anyNode || n.Kind == classNode && n.Set.full() }
func isFree(n *node, braces bool) bool {
	return isAny(n) || braces && n.Kind == classNode && !n.Set.Negated && n.Set.Classes == "S"
}

// looseLook returns a negative look-ahead that is true at the end of every text, in a branch
// that consists only of it: (?!rm).
func looseLook(root *node) (look *node) {
	for _, branch := range root.branches() {
		var first *node
		for _, item := range branch.items() {
			if item.Kind == lookNode && item.Negative && !item.Behind && least(item.Children[0]) > 0 {
				first = item.or(first)
			} else if !always(item) {
				first = nil
				break
			}
		}
		if look == nil {
			look = first
		}
	}
	return look
}

// emptyBranch returns an empty alternative.
func emptyBranch(n *node) *node {
	branches := n.core().branches()
	for _, branch := range branches {
		if len(branches) > 1 && branch.Begin == branch.End {
			return branch
		}
	}
	return nil
}
