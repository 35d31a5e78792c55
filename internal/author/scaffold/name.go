package scaffold

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// CheckName returns a *Problem, with a valid name as the suggestion, if name is not a valid
// name of a hook (D9).
func CheckName(name string) error {
	message := nameProblem(name)
	if message == "" {
		return nil
	}
	p := &Problem{Option: "name", Message: message}
	if near := kebab(name); nameProblem(near) == "" {
		p.Instead = near
	}
	return p
}

// nameProblem checks a name with the parser of HOOK.md, which implements the rule. A name that
// is not normalized is a problem, too: its folder would not be found by it.
func nameProblem(name string) string {
	if !utf8.ValidString(name) {
		return "name " + quote(name) + " is not UTF-8"
	}
	hook, diagnostics := manifest.Parse([]byte("---\nname: "+quote(name)+"\ndescription: d\ntrigger: pre-tool-call\n---\n"), name)
	for _, d := range diagnostics {
		return d.Message
	}
	if hook.Name != name {
		return "name " + quote(name) + " is the same as " + quote(hook.Name) + ", which is the spelling to use"
	}
	return ""
}

// kebab converts a text to a name: lower case, with one hyphen between words. The result may
// still be invalid.
func kebab(text string) string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), between), "-")
}

// quote quotes text for a message or for YAML, which has the same escapes as Go.
func quote(text string) string { return strconv.Quote(text) }

// Rename returns a HOOK.md with the hook renamed. In the front matter, only the name is
// changed.
func Rename(source []byte, from, to string) []byte {
	const end = "\n---\n"
	front, text, _ := bytes.Cut(source, []byte(end))
	front = bytes.Replace(front, []byte("\nname: "+from+"\n"), []byte("\nname: "+tree.YAML(to)+"\n"), 1)
	return slices.Concat(front, []byte(end), RenameIn(text, from, to))
}

// RenameIn returns a hook's script or test case with the hook renamed wherever its name is a
// word: notify, but not the notify in notify-send.
func RenameIn(source []byte, from, to string) []byte {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	var renamed []byte
	for at := 0; ; {
		i := bytes.Index(source[at:], []byte(from))
		if i < 0 {
			return append(renamed, source[at:]...)
		}
		before, _ := utf8.DecodeLastRune(source[:at+i])
		after, _ := utf8.DecodeRune(source[at+i+len(from):])
		renamed = append(renamed, source[at:at+i]...)
		at += i + len(from)
		if inWord(before) || inWord(after) {
			renamed = append(renamed, from...)
		} else {
			renamed = append(renamed, to...)
		}
	}
}
