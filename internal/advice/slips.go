package advice

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func slip(at int, what, fix string) Finding {
	return Finding{Code: Slip, Offset: at, What: what, Fix: fix}
}

// slips finds mistakes that are possible in both tool and pattern.
func slips(source string, root *node) (found []Finding) {
	control := false
	root.walk(func(n *node) {
		switch {
		case n.Kind == classNode:
			found = append(found, wrongSet(source, n)...)
		case n.Kind == charNode && n.End-n.Begin == 1 && n.Rune < ' ' && !strings.ContainsRune("\t\n\r", n.Rune) && !control:
			control = true // report it once
			found = append(found, slip(n.Begin, "has the control character "+strconv.QuoteRune(n.Rune)+
				", which YAML makes of a backslash between double quotes", "use single quotes"))
		}
	})
	return append(found, halfAnchored(source, root)...)
}

// wrongSet finds [A-z], which includes six punctuation characters, and [main|master].
func wrongSet(source string, n *node) []Finding {
	for _, r := range n.Set.Ranges {
		if r.From >= 'A' && r.From <= 'Z' && r.To >= 'a' && r.To <= 'z' {
			meant := "[" + string(r.From) + "-Za-" + string(r.To) + "]"
			return []Finding{slip(r.Begin, "has "+quote("["+source[r.Begin:r.End]+"]")+", which takes [ \\ ] ^ _ and ` too", "write "+quote(meant))}
		}
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(n.text(source), "["), "]")
	words := strings.Split(inner, "|")
	long := slices.ContainsFunc(words, func(w string) bool { return len(w) > 1 })
	if long && len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !isWord(w) }) {
		return []Finding{slip(n.Begin, "has "+quote(n.text(source))+", which takes one character of these", "write "+quote("("+inner+")"))}
	}
	return nil
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
	return []Finding{slip(first.Begin, "holds its first branch at the start alone and its last at the end alone",
		"for all of them write "+quote(first.text(source)+"(?:"+source[first.End:closing.Begin]+")"+closing.text(source)))}
}

// finalNewline finds a newline at the end, as added by YAML's | and >.
func finalNewline(source string, root *node) (found []Finding) {
	root.walk(func(n *node) {
		if isChar(n, '\n') && n.End == len(source) && n.End-n.Begin == 1 && len(found) == 0 && strings.Trim(source, "\n") != "" {
			found = []Finding{slip(n.Begin, "ends with a newline, which must also match", "write it on one line, or after `|-`")}
		}
	})
	return found
}

// jsonKeys are the format's own keys of a tool's input. Other quoted words may also occur in a
// value.
const jsonKeys = " command file_path file_paths content old_string new_string url query "

// jsonSlips finds a key of the input's JSON text in a spelling that never occurs there (D18).
func jsonSlips(source string, root *node) (found []Finding) {
	root.rows(func(items []*node) {
		for _, word := range wordsOf(items) {
			key := strings.Contains(jsonKeys, " "+word.text+" ") && word.begin > 0 && source[word.begin-1] == '"'
			rest := source[word.end:]
			meant := quote(`"` + word.text + `": "`)
			switch {
			case key && items[0].isStart() && !items[0].Lines && items[0].End == word.begin-1 && strings.HasPrefix(rest, `"`):
				found = append(found, slip(items[0].Begin, "holds the key "+quote(`"`+word.text+`"`)+" at the start, where the JSON text has a brace", "leave "+quote(items[0].text(source))+" out"))
			case key && strings.HasPrefix(rest, `":"`):
				found = append(found, slip(word.end+1, "lacks the space that the JSON text has after the colon", "write "+meant))
			}
		}
	})
	return found
}

// dots finds unescaped dots in the suffixes of file names and domains: .py$, a.py, example.com.
func dots(source string, root *node) []Finding {
	var ends []*node // dots
	var before []string
	meant := source
	root.rows(func(items []*node) {
		next, was := -1, len(ends) // for the dots of this row, from its end
		for i, n := range slices.Backward(items) {
			if end := suffixEnd(items, i, next); end > 0 {
				ends, before, next = slices.Insert(ends, was, n), slices.Insert(before, was, quote(source[n.End:end])), i
			}
		}
	})
	for _, n := range slices.Backward(ends) {
		meant = meant[:n.Begin] + `\` + meant[n.Begin:]
	}
	switch {
	case len(ends) == 0:
		return nil
	case isGlob(source):
		return []Finding{slip(0, "looks like a glob, and in an expression a star repeats what stands before it", "write "+quote(globText(source)+"$"))}
	case len(ends) > 1:
		list := strings.Join(before[:len(before)-1], ", ") + " and " + before[len(before)-1]
		return []Finding{slip(ends[0].Begin, "has dots that take any character before "+list, "write "+quote(meant))}
	case utf8.RuneCountInString(meant) > mostQuoted:
		meant = `\.` + strings.Trim(before[0], "`")
	}
	return []Finding{slip(ends[0].Begin, "has a dot that takes any character before "+before[0], "write "+quote(meant))}
}

// suffixEnd returns the end of the suffix whose dot is items[i]: letters up to $, a quote or
// the next such dot; or two or three letters after a word, and more in the name of a hidden
// folder, up to a slash, a boundary or the end. It returns 0 if there is no suffix.
func suffixEnd(items []*node, i, next int) (end int) {
	if items[i].Kind != anyNode || i > 0 && (items[i-1].Kind == anyNode || isChar(items[i-1], '\\')) {
		return 0
	}
	n := i + 1
	for n < len(items) && isSuffixPart(items[n]) {
		n++
	}
	letters := n - i - 1
	last := n == len(items)
	sure := n == next || !last && (items[n].isEnd() || isChar(items[n], '"'))
	ends := last || isChar(items[n], '/') || items[n].Kind == assertNode && items[n].Rune == 'b'
	hidden := i == 0 || items[i-1].Kind == assertNode || isChar(items[i-1], '/')
	behind := hidden || isLetter(items[i-1]) || items[i-1].Kind == repeatNode
	switch {
	case letters == 0, letters == 1 && !sure:
		return 0
	case sure, ends && behind && letters <= 3, hidden && !last && isChar(items[n], '/'):
		return items[n-1].End
	}
	return 0
}

// isSuffixPart reports whether n is one letter or digit, a set of them, or an optional one.
func isSuffixPart(n *node) bool {
	switch n.Kind {
	case charNode:
		return isWord(string(n.Rune))
	case classNode:
		return !n.Set.Negated && n.Set.Classes == "" && !slices.ContainsFunc(n.Set.Ranges, func(r runes) bool { return r.From != r.To })
	case repeatNode:
		return n.Min == 0 && n.Max == 1 && isSuffixPart(n.Children[0])
	case groupNode, altNode, rowNode:
		return !slices.ContainsFunc(n.Children, func(child *node) bool { return !isSuffixPart(child) })
	}
	return false
}

// special contains the characters with a meaning in expressions.
const special = `\.+*?()|[{^$`

// isGlob reports whether source has a star before a dot, as in src/*.ts, and no syntax that
// globs lack.
func isGlob(source string) bool {
	return strings.Contains(source, "*.") && !strings.Contains(source, ".*") && !strings.ContainsAny(source, `\^$()[]{}|+?`)
}

// globText converts a shell glob to an expression that matches the same file names.
func globText(glob string) string {
	parts := strings.Split(strings.TrimLeft(glob, "*"), "**/")
	for i, part := range parts {
		names := strings.Split(part, "*")
		for j, name := range names {
			names[j], _ = escape(name, special[1:])
		}
		parts[i] = strings.Join(names, "[^/]*")
	}
	return strings.Join(parts, "(?:.*/)?")
}

// escape puts a backslash before each of the given characters that is not escaped, and returns
// the first of them. A backslash in signs is escaped, too.
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
