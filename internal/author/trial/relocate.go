package trial

import (
	"path/filepath"
	"slices"
	"strings"
)

// Move describes a directory that has been moved.
type Move struct{ From, To string }

// Relocate returns the event with each path in its strings moved. An event that cannot be
// parsed is returned unchanged.
func Relocate(event []byte, moves []Move) []byte {
	tree, err := parseTree(event)
	if err != nil {
		return event
	}
	moves = slices.Clone(moves)
	// The innermost directory takes precedence.
	slices.SortStableFunc(moves, func(a, b Move) int { return len(b.From) - len(a.From) })
	moves = slices.DeleteFunc(moves, func(m Move) bool { return !movable(m.From) })
	if !tree.relocate(moves) {
		return event
	}
	return tree.encode()
}

// movable rejects relative paths and roots, which occur in too many texts.
func movable(dir string) bool { return filepath.IsAbs(dir) && filepath.Dir(dir) != dir }

func (n *node) relocate(moves []Move) (changed bool) {
	if n.open == 0 {
		text := MovePaths(n.text, moves)
		if changed = text != n.text; changed {
			n.setText(text)
		}
		return changed
	}
	for i := range n.members {
		m := &n.members[i]
		if key := MovePaths(m.key, moves); key != m.key {
			m.raw, m.key, changed = nil, key, true
		}
		changed = m.value.relocate(moves) || changed
	}
	return changed
}

// MovePaths returns text with the paths in it moved. The first move that matches is used.
func MovePaths(text string, moves []Move) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		m, ok := moveAt(text, at, moves)
		if !ok {
			b.WriteByte(text[at])
			at++
			continue
		}
		b.WriteString(m.To)
		at += len(m.From)
	}
	return b.String()
}

// moveAt returns the move of the path that begins at at.
func moveAt(text string, at int, moves []Move) (Move, bool) {
	if at > 0 && isPathByte(text[at-1]) {
		return Move{}, false // inside another path
	}
	for _, m := range moves {
		if !strings.HasPrefix(text[at:], m.From) {
			continue
		}
		if end := at + len(m.From); end == len(text) || !isPathByte(text[end]) {
			return m, true
		}
	}
	return Move{}, false
}

// isPathByte reports whether c continues a name in a path.
func isPathByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c > 0x7f
}
