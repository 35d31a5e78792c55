package lint

import "github.com/agent-hooks/agent-hooks/internal/regex"

// looseLook returns a negative look-ahead that holds somewhere in every text,
// at its end at the latest, and with it all that is searched for: (?!rm).
func looseLook(root *regex.Node) (look *regex.Node) {
	for _, branch := range root.Branches() {
		if _, ok := fromEnd(branch, 0); !ok {
			continue
		}
		branch.Walk(func(n *regex.Node) {
			if look == nil && n.Kind == regex.Look && n.Negative && !n.Behind {
				look = n
			}
		})
	}
	return look
}

// fromEnd reports whether n matches the last characters of every line, at
// most one, before as many that something else takes, and how many they are
// together.
func fromEnd(n *regex.Node, taken int) (total int, ok bool) {
	switch n.Kind {
	case regex.Any:
		return taken + 1, taken == 0
	case regex.Class:
		return taken + 1, taken == 0 && n.Set.Full()
	case regex.Assert:
		return taken, n.IsEnd() && taken == 0
	case regex.Group:
		return fromEnd(n.Children[0], taken)
	case regex.Alt:
		return branchFromEnd(n, taken)
	case regex.Concat:
		for i := len(n.Children) - 1; i >= 0; i-- {
			if taken, ok = fromEnd(n.Children[i], taken); !ok {
				return 0, false
			}
		}
		return taken, true
	case regex.Repeat:
		if n.Min == 1 {
			return fromEnd(n.Children[0], taken)
		}
	case regex.Look:
		if n.Negative && !n.Behind {
			return taken, least(n.Children[0]) > taken
		}
	}
	return taken, always(n)
}

func branchFromEnd(n *regex.Node, taken int) (total int, ok bool) {
	for _, branch := range n.Children {
		if total, ok = fromEnd(branch, taken); ok {
			return total, true
		}
	}
	return 0, false
}

// forbidden spells what was meant by a look-ahead: that it holds from the
// beginning on. One that looks for a beginning itself means that of a value.
func (p part) forbidden(source string, look *regex.Node) string {
	inner := look.Children[0]
	items := inner.Items()
	start, text := p.start, p.gap+inner.Text(source)
	switch {
	case inner.Kind == regex.Alt:
		text = p.gap + "(?:" + inner.Text(source) + ")"
	case items[0].IsStart():
		start, text = "^", source[items[0].End:inner.End]
	case items[0].Kind == regex.Repeat && isAny(items[0].Children[0]):
		text = inner.Text(source)
	}
	if look.Fold {
		start = "(?i)" + start
	}
	return start + "(?!" + text + ")"
}
