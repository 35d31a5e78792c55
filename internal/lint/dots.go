package lint

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// suffixes are ends of file names, names of dot files, and suffixes of
// domains: a dot in front of one of them is surely meant as a dot. Words that
// stand behind any character just as well are left out.
const (
	suffixes = " py pyi js jsx ts tsx mjs cjs mts cts go rs rb php java kt kts swift scala cpp cc hpp cs fs sh bash zsh fish ps1 bat cmd lua " +
		"sql html htm css scss sass less vue svelte json jsonc json5 yaml yml toml xml csv tsv txt md mdx rst ini cfg conf lock log pem crt " +
		"cer pub p12 pfx jks png jpg jpeg gif svg pdf zip tar gz tgz bz2 xz exe dll dylib ipynb tf tfvars proto gradle properties plist sqlite sqlite3 db db3 ds_store " +
		"env envrc ssh aws gnupg npmrc netrc pypirc gitignore gitmodules gitconfig gitattributes bashrc zshrc dockerignore eslintrc prettierrc "
	domains = " com org net io dev gov edu "
	// names are whole names of files whose end alone says too little.
	names = " go.sum go.mod go.work "
)

// dots finds a dot that stands for any character and was meant as one.
func dots(source string, items []*regex.Node) (found []Finding) {
	for i, n := range items {
		if n.Kind != regex.Any || i > 0 && odd(items[i-1]) {
			continue
		}
		if meant := meantDot(source, items, i); meant != "" {
			found = append(found, Finding{Slip, n.Begin, "has a dot that takes any character before " + quote(meant) + `; write ` + quote(`\.`+meant)})
		}
	}
	return found
}

// odd reports whether a dot behind n was surely meant to take anything, or is
// another finding.
func odd(n *regex.Node) bool {
	return n.Kind == regex.Any || n.Kind == regex.Char && n.Rune == '\\'
}

// meantDot returns what stands behind the dot at items[i] if it is an end of
// a file's name or of a domain's, "" if it is not.
func meantDot(source string, items []*regex.Node, i int) string {
	rest := items[i+1:]
	words, n := following(rest)
	if n == 0 || n < len(rest) && continues(rest[n]) {
		return ""
	}
	if folder := hiddenPart(items, i, n); folder || slices.Contains(strings.Fields(names), leading(items[:i])+"."+words[0]) {
		return source[rest[0].Begin:rest[n-1].End]
	}
	list := suffixes
	if i > 0 && items[i-1].Kind == regex.Char && isWord(string(items[i-1].Rune)) {
		list += domains
	}
	for _, word := range words {
		if !strings.Contains(list, " "+word+" ") {
			return ""
		}
	}
	return source[rest[0].Begin:rest[n-1].End]
}

// hiddenPart reports whether the dot at items[i] and the n items behind it, a
// word, are a whole part of a path: a slash stands before them, or behind them
// with nothing before.
func hiddenPart(items []*regex.Node, i, n int) bool {
	end := i + 1 + n
	before := i > 0 && isChar(items[i-1], '/')
	behind := end < len(items) && isChar(items[end], '/') && (i == 0 || items[i-1].Kind == regex.Assert)
	return n > 1 && (before || behind)
}

// leading returns the word that stands at the end of items.
func leading(items []*regex.Node) (word string) {
	for i := len(items) - 1; i >= 0 && items[i].Kind == regex.Char && isWord(string(items[i].Rune)); i-- {
		word = string(items[i].Rune) + word
	}
	return strings.ToLower(word)
}

// following returns the words that the items begin with, one for each way in
// which a group or optional letters can be read, and how many items they are.
func following(items []*regex.Node) (words []string, n int) {
	if len(items) > 0 && items[0].Kind == regex.Group {
		return groupWords(items[0])
	}
	words = []string{""}
	for _, item := range items {
		optional := item.Kind == regex.Repeat && item.Min == 0 && item.Max == 1
		if optional {
			item = item.Children[0]
		}
		letters := lettersOf(item)
		if letters == "" || len(words) > 8 {
			break
		}
		longer := make([]string, 0, len(letters)*len(words)+len(words))
		for _, word := range words {
			for _, letter := range letters {
				longer = append(longer, word+strings.ToLower(string(letter)))
			}
		}
		if optional {
			longer = append(longer, words...)
		}
		words, n = longer, n+1
	}
	return words, n
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

func groupWords(group *regex.Node) (words []string, n int) {
	for _, branch := range group.Branches() {
		items := branch.Items()
		inner, n := following(items)
		if n < len(items) || n == 0 {
			return nil, 0
		}
		words = append(words, inner...)
	}
	return words, 1
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
