package trial

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Move describes a directory that has been moved.
type Move struct{ From, To string }

// Relocate returns the event with each path in its strings moved, and with spaces only after
// colons and commas, in the form that hooks read. An event without such a path, or that cannot be
// parsed, is returned unchanged.
func Relocate(event []byte, moves []Move) []byte {
	if !rawjson.Valid(event) {
		return event
	}
	moves = slices.Clone(moves)
	// The innermost directory takes precedence.
	slices.SortStableFunc(moves, func(a, b Move) int { return len(b.From) - len(a.From) })
	// Relative paths and roots occur in too many texts.
	moves = slices.DeleteFunc(moves, func(m Move) bool { return !filepath.IsAbs(m.From) || filepath.Dir(m.From) == m.From })
	var b []byte
	changed := false
	for i := 0; i < len(event); i++ {
		switch c := event[i]; {
		case c == '"':
			end := rawjson.StringEnd(event, i+1)
			source := event[i:end]
			text := rawjson.ToValid(string(rawjson.Unquote(source)))
			moved := movePaths(text, moves)
			if moved == text && utf8.Valid(source) {
				b = append(b, source...) // with its escapes
			} else {
				b = rawjson.AppendText(b, moved)
			}
			changed = changed || moved != text
			i = end - 1
		case c == ':' || c == ',':
			b = append(b, c, ' ')
		case !rawjson.IsSpace(c):
			b = append(b, c)
		}
	}
	if !changed {
		return event
	}
	return b
}

// movePaths returns text with the paths in it moved. The first move that matches is used.
func movePaths(text string, moves []Move) string {
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
