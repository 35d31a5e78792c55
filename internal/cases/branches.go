package cases

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// branch is one alternative of an expression.
type branch struct {
	text       string // as it is written
	expression string // the whole expression, found only where this alternative takes part
}

// mostBranches bounds what one expression is cut into.
const mostBranches = 200

// branches cuts an expression into its innermost alternatives, at the top and
// in groups, without those that only delimit. One without any, or that is not
// understood, is a branch itself; of the empty one there are none.
func branches(source string) []branch {
	if source == "" {
		return nil
	}
	whole := []branch{{source, source}}
	plain, ok := withoutBlanks(source)
	root, parsed := regex.Parse(plain)
	if !ok || !parsed {
		return whole
	}
	all := alternatives(plain, root)
	if len(all) == 0 || len(all) > mostBranches || refers(root) {
		return whole
	}
	for _, b := range all {
		if _, err := matcher.Compile("", b.expression); err != nil {
			return whole
		}
	}
	return all
}

// alternatives returns the innermost ones below n: what takes part in one of
// them takes part in those around it.
func alternatives(source string, n *regex.Node) []branch {
	if n.Kind == regex.Look && n.Negative {
		return nil // to leave some out means the opposite
	}
	var all []branch
	for i, child := range n.Children {
		inner := alternatives(source, child)
		if len(inner) == 0 && n.Kind == regex.Alt && counts(child, n.Begin == 0) {
			inner = []branch{{alternativeText(source, child, i), through(source, child.End)}}
		}
		all = append(all, inner...)
	}
	return all
}

// counts reports whether an alternative is one to be exercised, and not just an
// anchor or a delimiter beside the others: it has a letter or digit. At the top
// of an expression nothing delimits, and any character will do.
func counts(n *regex.Node, top bool) (found bool) {
	n.Walk(func(n *regex.Node) {
		switch n.Kind {
		case regex.Char:
			found = found || top || wordly(n.Rune)
		case regex.Class:
			found = found || top || !n.Set.Negated && takesWords(n.Set)
		case regex.Any:
			found = found || top
		}
	})
	return found
}

func takesWords(s regex.Set) bool {
	return strings.ContainsAny(s.Classes, "wd") || slices.ContainsFunc(s.Ranges, func(r regex.Range) bool {
		return wordly(r.From) || wordly(r.To) || r.From < 'a' && 'a' < r.To
	})
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// through returns source so that it is found only where a match goes through
// that place of it: an empty group there must have been set at the end. To
// leave the other alternatives out would not do, since a quantifier around them
// may take none.
func through(source string, at int) string {
	return "(?:" + source[:at] + "(?P<exercised>)" + source[at:] + `)(?(exercised)|[^\s\S])`
}

// refers reports whether something may refer to a group by its number, which
// another group would change.
func refers(root *regex.Node) (found bool) {
	root.Walk(func(n *regex.Node) { found = found || n.Kind == regex.Opaque })
	return found
}

// alternativeText is an alternative without the flags before the first one,
// which concern all of them.
func alternativeText(source string, n *regex.Node, i int) string {
	if i == 0 && n.Kind == regex.Concat && len(n.Children) > 0 {
		return source[n.Children[0].Begin:n.End]
	}
	return n.Text(source)
}

// withoutBlanks returns an expression that begins with (?x), alone or among
// other flags, as it is written without that flag: without its blanks and
// comments. Any other comes back as it is. ok is false if that cannot be done.
func withoutBlanks(source string) (plain string, ok bool) {
	flags, rest := leadingFlags(source)
	if !strings.Contains(flags, "x") {
		return source, true
	}
	var b strings.Builder
	if others := strings.ReplaceAll(flags, "x", ""); others != "" {
		b.WriteString("(?" + others + ")")
	}
	for at := 0; at < len(rest); {
		end := at + 1
		switch c := rest[at]; {
		case strings.IndexByte(" \t\n\r\v\f", c) >= 0:
			at = end
			continue
		case c == '#':
			at += indexOrEnd(rest[at:], "\n")
			continue
		case c == '\\':
			end++
		case c == '[':
			end = classEnd(rest, at)
		case strings.HasPrefix(rest[at:], "(?#"):
			end = at + indexOrEnd(rest[at:], ")")
		}
		if end > len(rest) {
			return "", false
		}
		b.WriteString(rest[at:end])
		at = end
	}
	return b.String(), true
}

// leadingFlags returns the flags that an expression begins with, and what
// follows them.
func leadingFlags(source string) (flags, rest string) {
	for {
		group, after, found := strings.Cut(source, ")")
		more, is := strings.CutPrefix(group, "(?")
		if !found || !is || more == "" || strings.Trim(more, "imsxu") != "" {
			return flags, source
		}
		flags, source = flags+more, after
	}
}

func indexOrEnd(s, sub string) int {
	if i := strings.Index(s, sub); i >= 0 {
		return i
	}
	return len(s)
}

// classEnd returns the end of a set in brackets, in which blanks count. One
// that begins with ] has that in it.
func classEnd(s string, at int) int {
	at++
	if at < len(s) && s[at] == '^' {
		at++
	}
	for first := at; at < len(s) && (s[at] != ']' || at == first); at++ {
		if s[at] == '\\' {
			at++
		}
	}
	return at + 1
}
