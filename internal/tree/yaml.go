package tree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// DecodeYAML decodes text, which must contain at most one document and no byte-order mark. root is
// nil if text contains none.
func DecodeYAML(text []byte) (root *yaml.Node, err error) {
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

// YAMLProblem returns where text becomes invalid YAML, as an offset in bytes, and the reason. err is
// the error from DecodeYAML. It often has a wrong line or none, so YAMLProblem searches for the first
// line with which the text cannot be parsed.
func YAMLProblem(text []byte, err error) (offset int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if _, rest, ok := strings.Cut(message, ": "); ok && strings.HasPrefix(message, "line ") {
		message = rest
	}
	message, _, _ = strings.Cut(message, "\n")
	offset = culprit(text)
	rest := text[offset:]
	indent := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))]
	if tab := bytes.IndexByte(indent, '\t'); tab >= 0 {
		return offset + tab, "a tab indents the line; YAML indents with spaces only"
	}
	offset += len(indent)
	line, _, _ := bytes.Cut(text[offset:], []byte("\n"))
	key, value, _ := strings.Cut(strings.TrimSpace(string(line)), ": ")
	value = strings.TrimSpace(value)
	if value != "" && strings.ContainsRune("*&!%@`", rune(value[0])) && !strings.Contains(value, "'") && !strings.Contains(message, "anchor") {
		return offset, fmt.Sprintf("not YAML from here on: a value begins with %c; put it in quotes: %s: '%s'", value[0], key, value)
	}
	if strings.Contains(message, "unknown escape") {
		inner := strings.TrimSuffix(strings.TrimPrefix(value, `"`), `"`)
		if len(inner) != len(value)-2 || strings.ContainsAny(inner, `"'`) {
			inner = "…"
		}
		return offset, "not YAML from here on: a backslash in double quotes begins an escape; use single quotes: " + key + ": '" + inner + "'"
	}
	return offset, "not YAML from here on: " + message + "; quotes around a value help where it holds `: `, ` #`, or begins with a sign"
}

// maxDecoded is the maximum number of bytes that culprit decodes. It is enough for ordinary
// files.
const maxDecoded = 256 << 10

// culprit returns the offset of the first invalid line, or 0 if finding it would take too long.
func culprit(text []byte) int {
	line := len(text)
	for budget := maxDecoded; budget > 0 && line > 0; budget -= line {
		line = bytes.LastIndexByte(text[:line-1], '\n') + 1
		if _, err := DecodeYAML(text[:line]); err == nil {
			return line
		}
	}
	return 0
}
