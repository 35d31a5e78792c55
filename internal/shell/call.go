package shell

import (
	"slices"
	"strings"
)

// Texts returns the shell texts in a call of a tool with the given names and
// inputs, as ReadEvent finds them, each once, and whether one of the names is a
// shell's. The error is an *Unreadable.
func Texts(tools []string, inputs [][]byte) (texts []string, isShell bool, err error) {
	isShell, known := kindOf(tools)
	if known {
		return nil, false, nil
	}
	if len(inputs) == 0 {
		return nil, isShell, &Unreadable{"the event has no command"}
	}
	found, err := commandsOf(nil, inputs, isShell)
	if isShell && IsTyped(tools) {
		found, err = typed(inputs)
	}
	for _, text := range found {
		if text = strings.ToValidUTF8(text, "\ufffd"); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts, isShell, err
}
