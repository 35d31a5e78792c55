// Package yamltext decodes one YAML document, and says where in the text its
// nodes and its first error are. What the values mean is its users'.
package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Decode decodes the only document of text, without a byte-order mark; nil if
// it is empty.
func Decode(text []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("it cannot be parsed: %v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, errors.New("a second document begins"))
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	return document.Content[0], nil
}

// Problem says where text, which Decode refused with err, stops being YAML,
// as an offset in bytes, and why. The parser often names another line or
// none, so the first line is looked for with which it cannot be parsed.
func Problem(text []byte, err error) (offset int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if _, rest, ok := strings.Cut(message, ": "); ok && strings.HasPrefix(message, "line ") {
		message = rest
	}
	message, _, _ = strings.Cut(message, "\n")
	offset = culprit(text)
	rest := text[offset:]
	indent := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]
	if tab := bytes.IndexByte(indent, '\t'); tab >= 0 && strings.Contains(message, "cannot start any token") {
		return offset + tab, "a tab indents the line; YAML indents with spaces only"
	}
	offset += len(indent)
	return offset, "not YAML from here on: " + message + "; quotes around a value help where it holds `: `, ` #`, or begins with a sign"
}

// mostDecoded bounds, in bytes, what is decoded to find the culprit. It
// suffices for any line of an ordinary file.
const mostDecoded = 256 << 10

// culprit is the offset of the line before which all is well, 0 if that would
// take too long to find.
func culprit(text []byte) int {
	line := len(text)
	for budget := mostDecoded; budget > 0 && line > 0; budget -= line {
		line = bytes.LastIndexByte(text[:line-1], '\n') + 1
		if _, err := Decode(text[:line]); err == nil {
			return line
		}
	}
	return 0
}
