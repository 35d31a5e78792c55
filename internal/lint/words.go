package lint

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// following returns the words that the items begin with, one for each way in
// which groups and optional letters can be read, and how many items they are.
func following(items []*regex.Node) (words []string, n int) {
	const most = 40
	words = []string{""}
	for _, item := range items {
		parts := readings(item)
		if len(parts) == 0 || len(words)*len(parts) > most {
			break
		}
		longer := make([]string, 0, len(words)*len(parts))
		for _, word := range words {
			for _, part := range parts {
				longer = append(longer, word+part)
			}
		}
		words, n = longer, n+1
	}
	return words, n
}

// readings returns the parts of words that n can be, none if it may be
// another one, or many.
func readings(n *regex.Node) (parts []string) {
	switch {
	case n.Kind == regex.Repeat && n.Min == 0 && n.Max == 1:
		if parts = readings(n.Children[0]); len(parts) > 0 {
			parts = append(parts, "")
		}
	case n.Kind == regex.Group:
		for _, branch := range n.Branches() {
			words, length := following(branch.Items())
			if length < len(branch.Items()) || length == 0 {
				return nil
			}
			parts = append(parts, words...)
		}
	default:
		for _, letter := range strings.ToLower(lettersOf(n)) {
			parts = append(parts, string(letter))
		}
	}
	return parts
}

// lettersOf returns the characters of words that n can be, "" if it may be
// another one, or many.
func lettersOf(n *regex.Node) (letters string) {
	switch {
	case n.Kind == regex.Char:
		letters = string(n.Rune)
	case n.Kind == regex.Class && !n.Set.Negated && n.Set.Classes == "" && len(n.Set.Ranges) <= 4:
		for _, r := range n.Set.Ranges {
			if r.From != r.To {
				return ""
			}
			letters += string(r.From)
		}
	}
	if !isWord(letters) {
		return ""
	}
	return letters
}

// continues reports whether a word may go on with n.
func continues(n *regex.Node) bool {
	switch n.Kind {
	case regex.Char:
		return isWord(string(n.Rune))
	case regex.Assert:
		return n.Rune == 'B'
	case regex.Look:
		return false
	case regex.Class:
		return n.Set.Negated || n.Set.Classes != "s" || len(n.Set.Ranges) > 0
	case regex.Repeat:
		return continues(n.Children[0])
	case regex.Group:
		for _, branch := range n.Branches() {
			if items := branch.Items(); len(items) > 0 && continues(items[0]) {
				return true
			}
		}
		return false
	}
	return true
}
