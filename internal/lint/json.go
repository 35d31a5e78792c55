package lint

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// inputKeys are the keys that agents use in a tool's input. Other words in
// quotes may as well stand in a value.
const inputKeys = " command cmd command_line CommandLine commands file_path filePath path target_file TargetFile AbsolutePath absolute_path " +
	"notebook_path content text file_text contents CodeContent old_string new_string old_str new_str oldString newString oldText newText " +
	"TargetContent ReplacementContent pattern query Query url Url prompt task description "

// jsonSlips finds a key of the input's JSON text that is spelled as the text
// never has it (D18).
func jsonSlips(source string, root *regex.Node) (found []Finding) {
	root.Walk(func(n *regex.Node) {
		if n.Kind != regex.Concat {
			return
		}
		for i := range n.Children {
			found = append(found, jsonSlip(source, n.Children, i)...)
		}
	})
	return found
}

func jsonSlip(source string, items []*regex.Node, i int) []Finding {
	if key, n := quotedWord(items[i:], '\''); n > 0 && strings.Contains(inputKeys, " "+key+" ") && beforeQuote(items[i+n:]) {
		return []Finding{{Slip, items[i].Begin, "has single quotes, where the JSON text has double ones; write " + quote(`"`+key+`": "`)}}
	}
	key, n := quotedWord(items[i:], '"')
	if n == 0 || !strings.Contains(inputKeys, " "+key+" ") {
		return nil
	}
	if i > 0 && items[i-1].IsStart() && !items[i-1].Lines {
		return []Finding{{Slip, items[i-1].Begin, "holds the key " + quote(`"`+key+`"`) + " at the start, where the JSON text has a brace; leave " +
			quote(items[i-1].Text(source)) + " out"}}
	}
	rest := items[i+n:]
	if len(rest) < 2 || !isChar(rest[0], ':') || !isChar(rest[1], '"') {
		return nil
	}
	return []Finding{{Slip, rest[0].Begin, "has no blank behind the colon, where the JSON text has one; write " + quote(`"`+key+`": "`)}}
}

// beforeQuote reports whether items go on as a key does: a colon, blanks and a
// single quote.
func beforeQuote(items []*regex.Node) bool {
	if len(items) == 0 || !isChar(items[0], ':') {
		return false
	}
	for _, n := range items[1:] {
		if isChar(n, '\'') {
			return true
		}
		if isSpace := n.Kind == regex.Class && n.Set.Classes == "s"; !isSpace && !isChar(n, ' ') && n.Kind != regex.Repeat {
			return false
		}
	}
	return false
}

// quotedWord reads a word between quotes, and how many items it takes.
func quotedWord(items []*regex.Node, quote rune) (word string, n int) {
	if !isChar(items[0], quote) {
		return "", 0
	}
	for n = 1; n < len(items) && items[n].Kind == regex.Char && isWord(string(items[n].Rune)); n++ {
		word += string(items[n].Rune)
	}
	if n >= len(items) || !isChar(items[n], quote) {
		return "", 0
	}
	return word, n + 1
}

func isChar(n *regex.Node, r rune) bool { return n.Kind == regex.Char && n.Rune == r }
