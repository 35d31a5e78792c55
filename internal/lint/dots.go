package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

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
	// endings are ends of names where nothing follows, and beside suffixes.
	endings = " key bak tmp swp orig so jar class doc docx xls xlsx bin dat wasm "
	// dotFiles have another word behind another dot.
	dotFiles = " env npmrc "
	// names are whole names of files whose end alone says too little.
	names = " go.sum go.mod go.work makefile.am makefile.in configure.ac "
)

// dot is a dot that was meant as one.
type dot struct {
	at     int    // bytes in the expression
	before string // what stands behind it
	star   int    // where a star was meant as a glob's; -1 if there is none
}

// dots finds the dots that stand for any character and were meant as dots.
func dots(source string, root *regex.Node) []Finding {
	found := meantDots(source, root)
	if len(found) == 0 {
		return nil
	}
	meant, whole := mended(source, found), true
	if starred(root, found) {
		whole = false // with its star it would still find no such file
		if to := Glob(source) + "$"; isGlob(source, root) && utf8.RuneCountInString(to) <= mostQuoted {
			return []Finding{{Slip, 0, "looks like a glob, and in an expression a star repeats what stands before it; write " + quote(to)}}
		}
	}
	if len(found) > 1 {
		if meant = quote(meant); !whole {
			meant = listed(escaped(found))
		}
		return []Finding{{Slip, found[0].at, "has dots that take any character before " + listed(found) + "; write " + meant}}
	}
	if !whole || utf8.RuneCountInString(meant) > mostQuoted {
		meant = `\.` + found[0].before
	}
	return []Finding{{Slip, found[0].at, "has a dot that takes any character before " + quote(found[0].before) + "; write " + quote(meant)}}
}

// meantDots finds the dots that were meant as dots, in their order.
func meantDots(source string, root *regex.Node) (found []dot) {
	root.Walk(func(n *regex.Node) {
		if n.Kind == regex.Concat {
			found = append(found, rowDots(source, n.Children)...)
		}
	})
	found = append(found, besides(source, root, found)...)
	slices.SortFunc(found, func(a, b dot) int { return a.at - b.at })
	return found
}

// escaped returns the dots, with each before the words behind it as it was
// meant.
func escaped(found []dot) []dot {
	found = slices.Clone(found)
	for i := range found {
		found[i].before = `\.` + found[i].before
	}
	return found
}

// listed names what stands behind the dots.
func listed(found []dot) string {
	const most = 6
	var words []string
	for _, d := range found {
		words = append(words, quote(d.before))
	}
	if len(words) > most {
		return strings.Join(words[:most], ", ") + " and others"
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// mended spells an expression as it was meant.
func mended(source string, found []dot) string {
	for _, d := range slices.Backward(found) {
		if d.star >= 0 {
			source = source[:d.star] + "." + source[d.star:]
		}
		source = source[:d.at] + `\` + source[d.at:]
	}
	return source
}

// rowDots finds the dots in a row. Of two with a word between them, one is
// meant as the other is: .d.ts and .env.local.
func rowDots(source string, items []*regex.Node) (found []dot) {
	ends := make([]int, len(items)) // of the word behind a dot that was meant as one, an index
	for i := len(items) - 1; i >= 0; i-- {
		if !mayBeDot(items, i) {
			continue
		}
		_, n := following(items[i+1:])
		next := i + 1 + n
		if ends[i] = meantDot(items, i); ends[i] == 0 && n > 0 && next < len(items) && ends[next] > 0 {
			ends[i] = next
		}
	}
	for i, end := range ends {
		if end == 0 {
			continue
		}
		if end < len(items) && ends[end] == 0 && mayBeDot(items, end) {
			if _, n := following(items[end+1:]); n > 0 {
				ends[end] = end + 1 + n
			}
		}
		found = append(found, newDot(source, items, i, end))
	}
	return found
}

func newDot(source string, items []*regex.Node, i, end int) dot {
	d := dot{items[i].Begin, source[items[i].End:items[end-1].End], -1}
	if items[end-1].Max < 0 {
		d.star = items[end-1].End - 1
	}
	return d
}

// mayBeDot reports whether items[i] is a dot that was not surely meant to take
// anything, and is no part of another finding.
func mayBeDot(items []*regex.Node, i int) bool {
	return items[i].Kind == regex.Any && (i == 0 || items[i-1].Kind != regex.Any && !isChar(items[i-1], '\\'))
}

// besides finds the dots of alternatives such as .key that tell nothing alone,
// beside one that does: .pem|.key.
func besides(source string, root *regex.Node, known []dot) (found []dot) {
	isKnown := func(at int) bool { return slices.ContainsFunc(known, func(d dot) bool { return d.at == at }) }
	root.Walk(func(n *regex.Node) {
		if n.Kind != regex.Alt || !slices.ContainsFunc(n.Children, func(branch *regex.Node) bool { return isKnown(branch.Begin) }) {
			return
		}
		for _, branch := range n.Children {
			items := branch.Items()
			_, length := following(items[min(1, len(items)):])
			if length > 1 && length == len(items)-1 && mayBeDot(items, 0) && !isKnown(branch.Begin) {
				found = append(found, newDot(source, items, 0, len(items)))
			}
		}
	})
	return found
}

// meantDot returns where in items the word behind the dot at items[i] ends if
// that is an end of a file's name or of a domain's, 0 if it is not.
func meantDot(items []*regex.Node, i int) (end int) {
	rest := items[i+1:]
	words, n := following(rest)
	if letter := globbed(rest[n:]); letter != "" {
		words, n = []string{words[0] + letter}, n+1
	}
	if n == 0 {
		return 0
	}
	end = i + 1 + n
	if end < len(items) && continues(items[end]) && !(strings.Contains(dotFiles, " "+words[0]+" ") && takesAny(items[end])) {
		return 0
	}
	if hiddenPart(items, i, n) || strings.Contains(names, " "+leading(items[:i])+"."+words[0]+" ") || areEndings(words, items, i, end) {
		return end
	}
	return 0
}

// areEndings reports whether each of the words between items[i] and
// items[end] is an end of a name, one of them surely.
func areEndings(words []string, items []*regex.Node, i, end int) bool {
	list := suffixes
	if i > 0 && items[i-1].Kind == regex.Char && isWord(string(items[i-1].Rune)) {
		list += domains
	}
	sure := end < len(items) && (items[end].IsEnd() || isChar(items[end], '"'))
	for _, word := range words {
		if strings.Contains(list, " "+word+" ") {
			sure = true
		} else if !strings.Contains(endings, " "+word+" ") {
			return false
		}
	}
	return sure
}

// globbed returns the letter of a v* that items begin with, and nothing goes
// on with: a glob's star was meant.
func globbed(items []*regex.Node) string {
	if len(items) == 0 || items[0].Kind != regex.Repeat || items[0].Min > 0 || items[0].Max >= 0 || items[0].End-items[0].Begin != 2 ||
		len(items) > 1 && continues(items[1]) {
		return ""
	}
	return strings.ToLower(lettersOf(items[0].Children[0]))
}

// takesAny reports whether n is a dot, repeated or not.
func takesAny(n *regex.Node) bool {
	return n.Kind == regex.Any || n.Kind == regex.Repeat && n.Children[0].Kind == regex.Any
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
