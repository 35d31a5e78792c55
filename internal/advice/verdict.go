package advice

import "slices"

// verdicts returns findings about the whole expression, or about a branch of it.
func verdicts(source string, root *node) []Finding {
	if at := contradiction(root); at != nil {
		return []Finding{never(source, at, "can never match")}
	}
	branches := root.branches()
	if empty := slices.IndexFunc(branches, (*node).empty); empty >= 0 && len(branches) > 1 {
		const what = "matches everything because of an empty alternative"
		return []Finding{{Code: Everything, Offset: branches[empty].Begin, What: what, Fix: "remove the extra |"}}
	}
	if slices.ContainsFunc(branches, everything) {
		return []Finding{{Code: Everything, What: "matches everything", Fix: "remove the key"}}
	}
	for _, branch := range root.core().branches() {
		if at := contradiction(branch); at != nil {
			found := never(source, at, "has an alternative that can never match")
			found.Branch = true
			return []Finding{found}
		}
	}
	return nil
}

func never(source string, at *node, what string) Finding {
	what += " because of " + quote(at.text(source))
	return Finding{Code: Never, Offset: at.Begin, What: what, Fix: "remove it or what conflicts with it"}
}

// contradiction returns a ^ after a character, or a $ before one, in the row n; nil if there is
// none.
func contradiction(n *node) *node {
	items := n.items()
	for i, item := range items {
		if item.isStart() && i > 0 && certain(items[i-1]) || item.isEnd() && i+1 < len(items) && certain(items[i+1]) {
			return item
		}
	}
	return nil
}

// certain reports whether n is a character that is not a newline.
func certain(n *node) bool { return n.Kind == charNode && n.Rune != '\n' }

// everything reports whether a branch matches every non-empty text of one line, such as the
// name of a tool. It recognizes only the simple forms: nothing, and one dot or repetition.
func everything(branch *node) bool {
	items := branch.items()
	start := len(items) > 0 && items[0].isStart()
	if start {
		items = items[1:]
	}
	end := len(items) > 0 && items[len(items)-1].isEnd()
	if end {
		items = items[:len(items)-1]
	}
	whole := start && end
	if len(items) == 1 {
		return anything(items[0], whole)
	}
	return len(items) == 0 && !whole
}

// anything reports whether n matches some part of every text, or all of it if whole is set.
func anything(n *node, whole bool) bool {
	if n.Kind != repeatNode {
		return n.Kind == anyNode && !whole
	}
	endless := n.Max < 0 && n.Min < 2 && n.Children[0].Kind == anyNode
	return endless || n.Min == 0 && !whole
}
