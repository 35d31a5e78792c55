package cases

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads a YAML file; nil if it cannot be read, which is reported.
func (s *source) parseYAML() *value {
	root, err := decodeOne(s.bytes[s.mark():])
	if err != nil {
		s.yamlError(err)
		return nil
	}
	if root == nil {
		return &value{kind: null, token: "null"}
	}
	y := yamlReader{source: s, lines: lineOffsets(s.bytes), left: mostValues}
	v := y.value(root, 0)
	if y.left < 0 {
		s.reportFile(tooMuch)
		return nil
	}
	return v
}

// decodeOne decodes the only document; nil if it is empty.
func decodeOne(source []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("it cannot be parsed: %v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	var document, second yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.Join(err, errors.New("a second document begins; a file holds one case"))
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	return document.Content[0], nil
}

// yamlError reports where the file stops being YAML. The parser often names
// another line or none, so the first line is looked for with which it cannot
// be parsed.
func (s *source) yamlError(err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if _, rest, ok := strings.Cut(message, ": "); ok && strings.HasPrefix(message, "line ") {
		message = rest
	}
	message, _, _ = strings.Cut(message, "\n")
	s.report(badFile, s.culprit(), "not YAML from here on: "+message+"; quotes around a value help where it holds `: `, ` #`, or begins with a sign")
}

// culprit is the offset of the line before which all is well, or of the
// beginning if that would take too long to find.
func (s *source) culprit() int {
	start, line := s.mark(), len(s.bytes)
	for budget := 1 << 20; budget > 0 && line > start; budget -= line - start {
		line = start + bytes.LastIndexByte(s.bytes[start:line-1], '\n') + 1
		if _, err := decodeOne(s.bytes[start:line]); err == nil {
			rest := s.bytes[line:]
			return line + len(rest) - len(bytes.TrimLeft(rest, " \t"))
		}
	}
	return start
}

// yamlReader makes values of the parser's nodes, and bounds what aliases
// expand to.
type yamlReader struct {
	source *source
	lines  []int // where each begins, as YAML counts them
	left   int   // values that may still come; below 0: too many
}

func (y *yamlReader) value(n *yaml.Node, depth int) *value {
	y.left--
	if depth > mostDepth {
		y.left = -1
	}
	v := &value{at: y.offset(n), kind: null, token: "null"}
	if y.left < 0 {
		return v
	}
	switch n.Kind {
	case yaml.AliasNode:
		aliased := y.value(n.Alias, depth+1)
		aliased.at = v.at
		return aliased
	case yaml.MappingNode:
		y.checkTag(n, "!!map")
		v.kind, v.token = object, ""
		y.members(v, n, depth)
	case yaml.SequenceNode:
		y.checkTag(n, "!!seq")
		v.kind, v.token = array, ""
		for _, item := range n.Content {
			v.items = append(v.items, y.value(item, depth+1))
		}
	default:
		y.scalar(v, n)
	}
	return v
}

func (y *yamlReader) members(v *value, n *yaml.Node, depth int) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content) && y.left >= 0; i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		e := entry{key: key.Value, at: y.offset(n.Content[i]), value: y.value(n.Content[i+1], depth+1)}
		switch {
		case key.Kind != yaml.ScalarNode:
			y.source.report(badKey, e.at, "a key that is no plain word")
		case key.Value == "<<" && key.Style == 0:
			y.source.report(badKey, e.at, "a merge key `<<`; write the keys out")
		case seen[e.key]:
			y.source.report(badKey, e.at, duplicate(e.key))
		default:
			seen[e.key] = true
			v.entries = append(v.entries, e)
		}
	}
}

// checkTag refuses tags that make another type of a value than its look.
func (y *yamlReader) checkTag(n *yaml.Node, want string) {
	if n.Style&yaml.TaggedStyle != 0 && n.ShortTag() != want {
		y.source.report(badValue, y.offset(n), fmt.Sprintf("a value tagged %q; write it without the tag", n.ShortTag()))
	}
}

// scalar reads a scalar. Only a plain one can be anything but a string.
func (y *yamlReader) scalar(v *value, n *yaml.Node) {
	if n.Style != 0 {
		y.checkTag(n, "!!str")
		v.kind, v.token = text, quote(n.Value)
		return
	}
	kind, token, problem := plain(n.Value)
	if problem != "" {
		y.source.report(badValue, v.at, problem)
	}
	v.kind, v.token = kind, token
}

// offset turns the parser's line and column into an offset in the file.
func (y *yamlReader) offset(n *yaml.Node) int {
	all := y.source.bytes
	at := y.lines[min(max(n.Line, 1), len(y.lines))-1]
	for column := 1; column < n.Column && at < len(all) && all[at] != '\n'; column++ {
		_, size := utf8.DecodeRune(all[at:])
		at += size
	}
	return at
}

// lineOffsets lists where lines begin to YAML, to which more characters than
// the line feed end a line.
func lineOffsets(all []byte) []int {
	offsets := []int{0}
	if bytes.HasPrefix(all, []byte(byteOrderMark)) {
		offsets[0] = len(byteOrderMark)
	}
	for i, r := range string(all) {
		switch r {
		case '\r':
			if bytes.HasPrefix(all[i+1:], []byte("\n")) {
				continue
			}
			fallthrough
		case '\n', '\u0085', '\u2028', '\u2029':
			offsets = append(offsets, i+utf8.RuneLen(r))
		}
	}
	return offsets
}
