package advice

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
func slips(x expression) (found []Finding) {
	control := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r", r) }
	if at := strings.IndexFunc(x.source, control); at >= 0 {
		found = append(found, slip(at, "has the control character "+strconv.QuoteRune(rune(x.source[at]))+
			", which YAML makes from a backslash in double quotes", "use single quotes"))
	}
	if at := strings.IndexFunc(x.source, func(r rune) bool { return unicode.Is(unicode.Cf, r) }); at >= 0 {
		r, _ := utf8.DecodeRuneInString(x.source[at:])
		found = append(found, fixed(slip(at, fmt.Sprintf("has the invisible character %U", r), ""), strings.ReplaceAll(x.source, string(r), "")))
	}
	return append(found, halfAnchored(x)...)
}

// halfAnchored finds ^a|b$, in which each anchor applies to one branch.
func halfAnchored(x expression) []Finding {
	all := branches(x.rows)
	last := len(all) - 1
	for i, branch := range all {
		items := branch.items
		if last < 1 || len(items) == 0 || items[0].isStart() != (i == 0) || items[len(items)-1].isEnd() != (i == last) {
			return nil
		}
	}
	first, end := all[0].items[0], all[last].items[len(all[last].items)-1]
	meant := x.source[first.begin:first.end] + "(?:" + x.source[first.end:end.begin] + ")" + x.source[end.begin:end.end]
	f := slip(first.begin, "anchors only its first alternative at the start, and only its last at the end", "to anchor all of them, write "+quote(meant))
	f.To = meant
	return []Finding{f}
}

// commandSlips finds a command between slashes, which are searched too, and a
// star at its end, which repeats the space before it.
func commandSlips(x expression) (found []Finding) {
	source := x.source
	if inner, ok := strings.CutPrefix(source, "/"); ok && strings.HasSuffix(inner, "/") && strings.ContainsAny(strings.TrimSuffix(inner, "/"), " ") {
		found = append(found, fixed(slip(0, "is between slashes, which must also match", ""), strings.TrimSuffix(inner, "/")))
	}
	if rest, ok := strings.CutSuffix(source, " *"); ok && rest != "" && !strings.HasSuffix(rest, `\`) {
		found = append(found, slip(len(rest), "ends with a star, which repeats the space before it", "for any text write "+quote(rest+" .*")+", for a star "+quote(rest+` \*`)))
	}
	return found
}

// dots finds unescaped dots before the suffixes of files and domains: .py$, a.py, example.com.
func dots(x expression) []Finding {
	source := x.source
	if isGlob(source) {
		return []Finding{fixed(slip(0, "looks like a glob, and in an expression `*` repeats what precedes it", ""),
			globText(source)+"$")}
	}
	var all []edit
	var first string
	walk(x.rows, func(r row) {
		for i, n := range r.items {
			if end := suffixEnd(r.items, i); end > 0 {
				all = append(all, edit{n.begin, n.end, `\.`})
				first = cmp.Or(first, source[n.end:end])
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
func suffixEnd(items []*item, i int) (end int) {
	after := i == 0 || items[i-1].isLetter() || items[i-1].quantifier != ""
	if !items[i].is(dot) || !after {
		return 0
	}
	n := i + 1
	for n < len(items) && items[n].isLetter() {
		n++
	}
	letters := n - i - 1
	short := n == len(items) && (letters == 2 || letters == 3)
	if short || letters > 0 && n < len(items) && items[n].isEnd() {
		return items[n-1].end
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
