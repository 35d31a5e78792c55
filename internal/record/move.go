package record

import (
	"path/filepath"
	"slices"
	"strings"
)

// Move says that what lies in a directory lies in another one now.
type Move struct{ From, To string }

// Relocate returns the event with each path in it moved, wherever it stands
// in a string. An event that cannot be read stays as it is.
func Relocate(event []byte, moves []Move) []byte {
	tree, err := parseTree(event)
	if err != nil {
		return event
	}
	moves = slices.Clone(moves)
	// The innermost directory counts.
	slices.SortStableFunc(moves, func(a, b Move) int { return len(b.From) - len(a.From) })
	moves = slices.DeleteFunc(moves, func(m Move) bool { return !movable(m.From) })
	if !tree.relocate(moves) {
		return event
	}
	return tree.encode()
}

// movable refuses what stands in too many texts to be meant.
func movable(dir string) bool { return filepath.IsAbs(dir) && filepath.Dir(dir) != dir }

func (n *node) relocate(moves []Move) (changed bool) {
	if n.open == 0 {
		if !n.isString() {
			return false
		}
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

// MovePaths returns text with the paths in it moved. The first move that
// fits counts.
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
		return Move{}, false // in the middle of another path
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

// isPathByte reports whether c goes on with a name in a path.
func isPathByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c > 0x7f }
