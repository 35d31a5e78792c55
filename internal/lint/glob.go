package lint

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// Special are the signs that mean something in an expression.
const Special = `\.+*?()|[{^$`

// Glob spells the shell's pattern of a file's name as an expression that finds
// such a name, whatever stands behind it.
func Glob(glob string) string {
	parts := strings.Split(strings.TrimLeft(glob, "*"), "**/")
	for i, part := range parts {
		names := strings.Split(part, "*")
		for j, name := range names {
			names[j], _ = Escape(name, Special[1:])
		}
		parts[i] = strings.Join(names, "[^/]*")
	}
	return strings.Join(parts, "(?:.*/)?")
}

// Escape puts a backslash before each of the signs that has none, and returns
// the first. If a backslash is one of them, none is taken for an escape.
func Escape(text, signs string) (escaped, first string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte(signs, c) >= 0:
			if first == "" {
				first = string(c)
			}
			b.WriteByte('\\')
		case c == '\\' && i+1 < len(text):
			b.WriteByte(c)
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), first
}

// isGlob reports whether an expression in which a glob's star stands before a
// dot has nothing that a glob has not.
func isGlob(source string, root *regex.Node) bool {
	plain := !strings.Contains(source, `\`)
	root.Walk(func(n *regex.Node) {
		switch n.Kind {
		case regex.Concat, regex.Char, regex.Any:
		case regex.Repeat:
			plain = plain && isStar(n)
		default:
			plain = false
		}
	})
	return plain
}

// isStar reports whether n is a star behind a sign, as it stands in src/*.ts.
func isStar(n *regex.Node) bool {
	return n.Kind == regex.Repeat && n.Min == 0 && n.Max < 0 && n.Children[0].Kind == regex.Char && n.End-n.Children[0].End == 1
}

// starred reports whether one of the dots stands behind a glob's star.
func starred(root *regex.Node, found []dot) (yes bool) {
	root.Walk(func(n *regex.Node) {
		for i := range n.Children {
			if n.Kind != regex.Concat || i == 0 || !isStar(n.Children[i-1]) {
				continue
			}
			for _, d := range found {
				yes = yes || d.at == n.Children[i].Begin
			}
		}
	})
	return yes
}
