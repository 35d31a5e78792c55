package lint

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// tags are words that stand between < and > for themselves.
const tags = " a b i p br hr h1 h2 h3 li ol ul td th tr div img pre svg html head body span form link meta code table title style input script iframe button textarea "

// wordEdges finds \<rm\>, in which the signs are meant as other dialects have
// them: the edges of a word.
func wordEdges(source string, items []*regex.Node) (found []Finding) {
	for i, n := range items {
		if !isEscaped(n, '<') {
			continue
		}
		word := word(items[i+1:])
		end := i + 1 + len(word)
		if word == "" || end >= len(items) || !isEscaped(items[end], '>') || end+1 < len(items) && continues(items[end+1]) || strings.Contains(tags, " "+strings.ToLower(word)+" ") {
			continue
		}
		found = append(found, Finding{Slip, n.Begin, "has " + quote(source[n.Begin:items[end].End]) +
			`, which takes the signs < and >; for the edges of a word write ` + quote(`\b`+word+`\b`)})
	}
	return found
}

func isEscaped(n *regex.Node, r rune) bool { return isChar(n, r) && n.End-n.Begin == 2 }

// word returns the word of plain letters that items begin with.
func word(items []*regex.Node) (word string) {
	for _, n := range items {
		if n.Kind != regex.Char || !isWord(string(n.Rune)) {
			break
		}
		word += string(n.Rune)
	}
	return word
}

// slashes finds an expression that is written as JavaScript's are, with a
// flag, for without one it may be a path.
func slashes(source string) []Finding {
	inner, ok := betweenSlashes(source)
	flags := source[strings.LastIndexByte(source, '/')+1:]
	if !ok || !strings.Contains(flags, "i") && flags != "g" && flags != "gm" || isPath(inner) {
		return nil
	}
	return []Finding{{Slip, 0, "has slashes around it, which must stand there, too; write " + quote(inner)}}
}

// isPath reports whether what stands between slashes is folders, such as mnt.
func isPath(inner string) bool {
	plain := strings.ReplaceAll(strings.TrimPrefix(inner, "(?i)"), `\/`, "")
	return strings.Contains(plain, "/") || plain == "mnt" || plain == "media" || plain == "cygdrive"
}
