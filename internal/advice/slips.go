package advice

import (
	"cmp"
	"strconv"
	"strings"
)

func slip(at int, what, fix string) Finding {
	return Finding{Code: Slip, Offset: at, What: what, Fix: fix}
}

// fixed returns f with the corrected expression.
func fixed(f Finding, to string) Finding {
	f.To, f.Fix = to, "write "+quote(to)
	return f
}

// slips finds mistakes that are possible in both tool and pattern.
func slips(source string, root *node) (found []Finding) {
	control := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r", r) }
	if at := strings.IndexFunc(source, control); at >= 0 {
		found = append(found, slip(at, "has the control character "+strconv.QuoteRune(rune(source[at]))+
			", which YAML makes from a backslash in double quotes", "use single quotes"))
	}
	return append(found, halfAnchored(source, root)...)
}

// halfAnchored finds ^a|b$, in which each anchor applies to one branch.
func halfAnchored(source string, root *node) []Finding {
	branches := root.branches()
	last := len(branches) - 1
	for i, branch := range branches {
		items := branch.items()
		if last < 1 || len(items) == 0 || items[0].isStart() != (i == 0) || items[len(items)-1].isEnd() != (i == last) {
			return nil
		}
	}
	first, end := branches[0].items()[0], branches[last].items()
	closing := end[len(end)-1]
	meant := first.text(source) + "(?:" + source[first.End:closing.Begin] + ")" + closing.text(source)
	f := slip(first.Begin, "anchors only its first alternative at the start, and only its last at the end", "to anchor all of them, write "+quote(meant))
	f.To = meant
	return []Finding{f}
}

// dots finds unescaped dots before the suffixes of files and domains: .py$, a.py, example.com.
func dots(source string, root *node) []Finding {
	if isGlob(source) {
		return []Finding{fixed(slip(0, "looks like a glob, and in an expression `*` repeats what precedes it", ""),
			globText(source)+"$")}
	}
	var all []edit
	var first string
	root.rows(func(items []*node) {
		for i, n := range items {
			if end := suffixEnd(items, i); end > 0 {
				all = append(all, edit{n.Begin, n.End, `\.`})
				first = cmp.Or(first, source[n.End:end])
			}
		}
	})
	if len(all) == 0 {
		return nil
	}
	what := "has a dot, which matches any character, before " + quote(first)
	return []Finding{fixed(slip(all[0].begin, what, ""), edited(source, all...))}
}

// suffixEnd returns the end of the suffix whose dot is items[i]: letters up to $, or two or three
// up to the end of the row. It returns 0 if there is no suffix.
func suffixEnd(items []*node, i int) (end int) {
	after := i == 0 || isLetter(items[i-1]) || items[i-1].Kind == repeatNode
	if items[i].Kind != anyNode || !after {
		return 0
	}
	n := i + 1
	for n < len(items) && isLetter(items[n]) {
		n++
	}
	letters := n - i - 1
	short := n == len(items) && (letters == 2 || letters == 3)
	if short || letters > 0 && n < len(items) && items[n].isEnd() {
		return items[n-1].End
	}
	return 0
}

// special contains the characters with a meaning in expressions.
const special = `.+*?()|[{^$`

// isGlob reports whether source has a star before a dot, as in src/*.ts, and no syntax that
// globs lack.
func isGlob(source string) bool {
	return strings.Contains(source, "*.") && !strings.Contains(source, ".*") &&
		!strings.ContainsAny(source, `\^$()[]{}|+?`)
}

// globText converts a shell glob to an expression that matches the same file names.
func globText(glob string) string {
	text, _ := escape(strings.TrimLeft(glob, "*"), special)
	return strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*`, "[^/]*").Replace(text)
}

// escape puts a backslash before each of the given characters that is not escaped, and returns
// the first of them.
func escape(text, signs string) (escaped, first string) {
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
