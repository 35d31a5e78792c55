package spec

import (
	"slices"
	"strings"
	"unicode"
)

// InputKey is one row of the table of keys in a tool's input, which shows what a
// tool that is in no table of tools may be (D87, SPEC.md 7.5).
type InputKey struct {
	Canonical string   // "command", "file_path", or "arguments", which belong to the command
	Words     []string // the last word of the key, in lower case; its own words may be joined
	Tools     []string // the canonical tools that it indicates
	MCP       bool     // it indicates them for tools of MCP servers, too
}

var inputKeys = [...]InputKey{
	{"command", []string{"command", "commands", "cmd", "cmds", "commandline", "cmdline"}, []string{"Shell"}, true},
	{"command", []string{"script", "scripts"}, []string{"Shell"}, false},
	{"arguments", []string{"args", "arguments", "argv"}, nil, true},
	{"file_path", []string{"path", "paths", "file", "files", "filepath", "filepaths", "filename", "filenames", "destination"},
		[]string{"EditFile", "WriteFile", "ReadFile", "Delete"}, false},
}

// InputKeys returns the table of keys in a tool's input.
func InputKeys() []InputKey { return slices.Clone(inputKeys[:]) }

// textKeys are the last words of keys whose values are contents, or words for people
// and models, and never paths (SPEC.md 6.13).
var textKeys = [...]string{
	"content", "contents", "text", "texts", "string", "str", "code", "edit", "newsource", "replacement", "replace", "body",
	"description", "explanation", "instruction", "instructions", "prompt", "reason", "title", "message", "comment", "question",
}

// plainKeys are the last words of keys whose values change nothing that a constant
// allow covers: words for people and models, limits and modes (SPEC.md 6.14).
var plainKeys = [...]string{
	"description", "explanation", "instruction", "instructions", "prompt", "reason", "title", "message", "comment", "question",
	"limit", "limits", "offset", "timeout", "ms", "length", "count", "results", "tokens", "line", "lines", "start", "end", "range", "page", "pages",
	"mode", "type", "format", "language", "multiline", "all", "insensitive", "sensitive", "replacements", "a", "b", "c", "i", "n",
}

// urlKeys are the last words of keys whose values are URLs.
var urlKeys = [...]string{"url", "urls", "uri", "uris", "href", "link", "links"}

// searchKeys are the last words of keys whose values are searched for in contents,
// except for tools that search for names.
var searchKeys = [...]string{"query", "queries", "search", "regex", "regexp"}

// IsPlainKey reports whether the value of a key is words, a limit or a mode.
func IsPlainKey(key string) bool { return endsIn(key, plainKeys[:]) }

// IsURLKey reports whether the value of a key is a URL.
func IsURLKey(key string) bool { return endsIn(key, urlKeys[:]) }

// IsTextKey reports whether the value of a key is a content, or words for people and
// models.
func IsTextKey(key string) bool { return endsIn(key, textKeys[:]) }

// IsSearchKey reports whether the value of a key is searched for.
func IsSearchKey(key string) bool { return endsIn(key, searchKeys[:]) }

// endsIn reports whether a key's last words, joined, are in a list.
func endsIn(key string, list []string) bool {
	found := false
	lastWords(key, func(joined string) bool {
		found = slices.Contains(list, joined)
		return !found
	})
	return found
}

// KeyOf returns the row of a key in a tool's input, nil if the table lacks it. Keys
// are compared by their last word, without case: words begin at an upper-case
// letter or after anything that is not a letter or a digit, may be joined, and
// may end in a number, so that "targetFile", "notebook_path", "file2" and
// "CommandLine" are in the table but "profile" is not.
func KeyOf(key string) (row *InputKey) {
	lastWords(key, func(joined string) bool {
		for j := range inputKeys {
			if slices.Contains(inputKeys[j].Words, joined) {
				row = &inputKeys[j]
			}
		}
		return row == nil
	})
	return row
}

// lastWords calls visit for the last word of a key, the last two joined, and so on,
// without the numbers after them, until it returns false.
func lastWords(key string, visit func(joined string) bool) {
	const longest = 64 // more than any row's; the end decides
	words := keyWords(strings.ToValidUTF8(key[max(0, len(key)-longest):], ""))
	joined := ""
	for i := len(words) - 1; i >= 0; i-- {
		joined = strings.TrimRight(words[i]+joined, "0123456789")
		if !visit(joined) {
			return
		}
	}
}

// keyWords returns the words of a key in lower case.
func keyWords(key string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(key)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// IsPatch reports whether a text is a patch, alone or in a here-document.
func IsPatch(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "<<") {
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimSpace(text)
	}
	return strings.HasPrefix(text, "*** Begin Patch")
}

// PatchHeader returns the path in a line of a patch that names a file, and the
// words before it; "" for any other line. Tools accept any white space before
// a header.
func PatchHeader(line string) (path, header string) {
	for _, header := range [...]string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"} {
		if rest, found := strings.CutPrefix(strings.TrimSpace(line), header); found {
			return strings.TrimSpace(rest), header
		}
	}
	return "", ""
}
