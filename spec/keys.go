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

// KeyOf returns the row of a key in a tool's input, nil if the table lacks it. Keys
// are compared by their last word, without case: words begin at an upper-case
// letter or after anything that is not a letter or a digit, may be joined, and
// may end in a number, so that "targetFile", "notebook_path", "file2" and
// "CommandLine" are in the table but "profile" is not.
func KeyOf(key string) *InputKey {
	const longest = 64 // more than any row's; the end decides
	words := keyWords(strings.ToValidUTF8(key[max(0, len(key)-longest):], ""))
	joined := ""
	for i := len(words) - 1; i >= 0; i-- {
		joined = strings.TrimRight(words[i]+joined, "0123456789")
		for j := range inputKeys {
			if slices.Contains(inputKeys[j].Words, joined) {
				return &inputKeys[j]
			}
		}
	}
	return nil
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
