package lint

import "github.com/agent-hooks/agent-hooks/internal/regex"

// always reports whether n matches the empty text at any place.
func always(n *regex.Node) bool {
	switch n.Kind {
	case regex.Group:
		return always(n.Children[0])
	case regex.Concat:
		return alwaysAll(n.Children)
	case regex.Alt:
		for _, branch := range n.Children {
			if always(branch) {
				return true
			}
		}
	case regex.Repeat:
		return n.Min == 0 || always(n.Children[0])
	case regex.Look:
		return !n.Negative && always(n.Children[0])
	}
	return false
}

func alwaysAll(items []*regex.Node) bool {
	for _, item := range items {
		if !always(item) {
			return false
		}
	}
	return true
}

// isToolEverything reports whether n is found in every name of a tool, and
// isInputEverything whether it is found in every input's JSON text. Both are
// one line and not empty; the text begins and ends with a brace.
func isToolEverything(n *regex.Node) bool  { return everything(n, isAny) }
func isInputEverything(n *regex.Node) bool { return everything(n, isAnyOrSolid) }

func everything(n *regex.Node, free func(*regex.Node) bool) bool {
	if n = n.Inner(); n.Kind == regex.Alt {
		for _, branch := range n.Children {
			if everything(branch, free) {
				return true
			}
		}
		return false
	}
	items := n.Items()
	start, end := false, false
	for len(items) > 0 && items[0].IsStart() {
		start, items = true, items[1:]
	}
	for len(items) > 0 && items[len(items)-1].IsEnd() {
		end, items = true, items[:len(items)-1]
	}
	return rowEverything(items, start && end, free)
}

// rowEverything reports whether items are found everywhere or, if they are
// held at both ends, take any line as a whole.
func rowEverything(items []*regex.Node, held bool, free func(*regex.Node) bool) bool {
	if alwaysAll(items) && !held {
		return true
	}
	wanted, endless := 0, false
	for _, item := range items {
		item = item.Inner()
		switch {
		case item.Kind == regex.Repeat && isAny(item.Children[0].Inner()) && item.Max < 0 && item.Min < 2:
			wanted, endless = wanted+item.Min, true
		case !held && item.Kind == regex.Repeat && item.Min == 1 && free(item.Children[0].Inner()), !held && free(item):
			wanted++
		case !always(item):
			return false
		}
	}
	return wanted < 2 && (endless || !held)
}

// isAny reports whether n takes every character but, perhaps, a line feed.
func isAny(n *regex.Node) bool {
	return n.Kind == regex.Any || n.Kind == regex.Class && n.Set.Full()
}

// isAnyOrSolid takes what matches a brace for granted as well.
func isAnyOrSolid(n *regex.Node) bool {
	return isAny(n) || n.Kind == regex.Class && !n.Set.Negated && n.Set.Classes == "S"
}

// emptyBranch returns an alternative that was left empty.
func emptyBranch(n *regex.Node) *regex.Node {
	branches := n.Core().Branches()
	for _, branch := range branches {
		if len(branches) > 1 && branch.Begin == branch.End {
			return branch
		}
	}
	return nil
}
