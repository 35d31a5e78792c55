package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

// errLineBreak means that the parser and the editor would count lines
// differently.
var errLineBreak = errors.New("the file has a line break that is neither a newline nor CR LF; replace it")

// oddLineBreak reports whether text contains a line break that is valid only in
// YAML.
func oddLineBreak(text []byte) bool {
	return bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n")) ||
		bytes.ContainsAny(text, "\u0085\u2028\u2029")
}

func parseYAML(text []byte) (document, error) {
	if oddLineBreak(text) {
		return nil, errLineBreak
	}
	t := &tree{body: text, splice: yamlSplicer{}}
	document, err := yamltext.Decode(text)
	if err != nil {
		return nil, yamlError(err)
	}
	if document == nil {
		return t, nil
	}
	p := yamlText{text, yamltext.NewPositions(text)}
	root, err := p.node(document)
	if err != nil {
		return nil, err
	}
	if !root.isNull() {
		t.root = root
	}
	return t, nil
}

func yamlError(err error) error {
	return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
}

// yamlText converts the parser's nodes.
type yamlText struct {
	text      []byte
	positions *yamltext.Positions
}

func (p yamlText) node(y *yaml.Node) (*node, error) {
	n := &node{start: p.positions.Offset(y), flow: y.Style&yaml.FlowStyle != 0}
	n.end, n.column = n.start, n.start-lineStart(p.text, n.start)
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mapping
		return n, p.members(n, y)
	case yaml.SequenceNode:
		n.kind = list
		for _, item := range y.Content {
			child, err := p.node(item)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
		}
		return n, nil
	}
	if err := y.Decode(&n.value); err != nil {
		return nil, yamlError(err)
	}
	n.value = normal(n.value)
	if y.Kind == yaml.ScalarNode && n.value == nil {
		n.end = n.start + len(y.Value)
	}
	return n, nil
}

func (p yamlText) members(n *node, y *yaml.Node) error {
	for i := 0; i+1 < len(y.Content); i += 2 {
		var key any
		if err := y.Content[i].Decode(&key); err != nil {
			return yamlError(err)
		}
		child, err := p.node(y.Content[i+1])
		if err != nil {
			return err
		}
		n.keys = append(n.keys, fmt.Sprint(key))
		n.keyStart = append(n.keyStart, p.positions.Offset(y.Content[i]))
		n.children = append(n.children, child)
	}
	return nil
}

// yamlSplicer edits YAML in block style.
type yamlSplicer struct{}

var errFlow = errors.New("the list is not in block style; write one element per line")

func (yamlSplicer) create(t *tree, value any) ([]byte, error) {
	end := newline(t.body)
	return append(slices.Clone(t.body), strings.Join(yamlLines(value, ""), end)+end...), nil
}

// fill inserts a value under the key whose value is null.
func (yamlSplicer) fill(t *tree, null *node, value any) ([]byte, error) {
	lineEnd := endOfLine(t.body, null.start)
	indent := lineIndent(t.body, lineEnd)
	if _, ok := value.(Object); ok || indent == "" {
		indent += "  "
	}
	text := newline(t.body) + strings.Join(yamlLines(value, indent), newline(t.body))
	return splices(t.body, splice{null.start, null.end, ""}, splice{lineEnd, lineEnd, text}), nil
}

func (s yamlSplicer) replace(t *tree, child *node, value any) ([]byte, error) {
	indent := strings.Repeat(" ", child.column)
	lines := yamlLines(value, indent)
	text := strings.TrimPrefix(strings.Join(lines, newline(t.body)), indent)
	return splices(t.body, splice{child.start, blockEnd(t.body, child.start, child.column-1), text}), nil
}

func (s yamlSplicer) add(t *tree, parent *node, key string, value any) ([]byte, error) {
	if len(parent.children) == 0 {
		return s.addFirst(t, parent, key, value)
	}
	if parent.flow {
		return nil, errFlow
	}
	indent := string(bytes.Repeat([]byte(" "), parent.column))
	var lines []string
	if key == "" {
		lines = yamlItem(value, indent)
	} else {
		lines = yamlMember(key, value, indent)
	}
	last := len(parent.children) - 1
	begin := parent.children[last].start
	if parent.kind == mapping {
		begin = parent.keyStart[last]
	}
	at := memberEnd(t.body, begin, parent)
	text := newline(t.body) + strings.Join(lines, newline(t.body))
	return splices(t.body, splice{at, at, text}), nil
}

// addFirst replaces an empty pair of brackets.
func (s yamlSplicer) addFirst(t *tree, parent *node, key string, value any) ([]byte, error) {
	closing := map[kind]byte{list: ']', mapping: '}'}[parent.kind]
	length := bytes.IndexByte(t.body[parent.start:], closing)
	if length < 0 || len(bytes.TrimSpace(t.body[parent.start+1:parent.start+length])) > 0 {
		return nil, errFlow
	}
	end := parent.start + length + 1
	if parent.start == lineStart(t.body, parent.start) { // the whole document
		return splices(t.body, splice{parent.start, end, strings.Join(yamlMember(key, value, ""), newline(t.body))}), nil
	}
	null := &node{start: len(bytes.TrimRight(t.body[:parent.start], " ")), end: end}
	if key == "" {
		return s.fill(t, null, []Object{value.(Object)})
	}
	return s.fill(t, null, Object{{key, value}})
}

func (s yamlSplicer) remove(t *tree, parent *node, i int) ([]byte, error) {
	begin, dash := parent.children[i].start, "-"
	if parent.kind == mapping {
		begin, dash = parent.keyStart[i], ""
	}
	from := lineStart(t.body, begin)
	if string(bytes.TrimSpace(t.body[from:begin])) != dash {
		return nil, errFlow
	}
	to := memberEnd(t.body, begin, parent)
	if len(parent.children) == 1 {
		return s.removeOnly(t, parent, from, to), nil
	}
	return splices(t.body, splice{from, nextLine(t.body, to), ""}), nil
}

// removeOnly leaves an empty list, or null instead of a mapping.
func (yamlSplicer) removeOnly(t *tree, parent *node, from, to int) []byte {
	gone := splice{from, nextLine(t.body, to), ""}
	if from == 0 || parent.kind == mapping {
		return splices(t.body, gone)
	}
	line := lineStart(t.body, from-1)
	key, _, _ := bytes.Cut(t.body[line:from], []byte(" #"))
	at := line + len(bytes.TrimSpace(key)) + len(key) - len(bytes.TrimLeft(key, " "))
	return splices(t.body, splice{at, at, " []"}, gone)
}

// memberEnd returns the end of the content of the child that begins at offset.
func memberEnd(body []byte, offset int, parent *node) int {
	if parent.kind == list {
		return blockEnd(body, offset, parent.column)
	}
	end := blockEnd(body, offset, parent.column)
	// A list may be in the column of its key.
	for next := nextLine(body, end); next < len(body); next = nextLine(body, end) {
		at := skipBlank(body, next)
		if at+parent.column >= len(body) || body[at+parent.column] != '-' || indentOf(body, at) != parent.column || bytes.HasPrefix(body[at+parent.column:], []byte("---")) {
			break
		}
		end = blockEnd(body, at+parent.column, parent.column)
	}
	return end
}

// blockEnd returns the end of the last line of the block that begins at offset
// and whose further lines are indented by more than column. It excludes
// comments and empty lines after the block.
func blockEnd(body []byte, offset, column int) int {
	end := endOfLine(body, offset)
	for at := nextLine(body, end); at < len(body); at = nextLine(body, at) {
		line := strings.TrimSpace(string(body[at:endOfLine(body, at)]))
		indent := indentOf(body, at)
		switch {
		case line == "":
		case strings.HasPrefix(line, "#"):
			if indent <= column {
				continue
			}
		case indent <= column || line == "---" || line == "...":
			return end
		default:
			end = endOfLine(body, at)
		}
	}
	return end
}

// skipBlank returns the start of the first line with content, starting at
// offset at.
func skipBlank(body []byte, at int) int {
	for at < len(body) {
		line := bytes.TrimSpace(body[at:endOfLine(body, at)])
		if len(line) > 0 && line[0] != '#' {
			break
		}
		at = nextLine(body, at)
	}
	return at
}

func lineStart(body []byte, offset int) int {
	return bytes.LastIndexByte(body[:offset], '\n') + 1
}

func indentOf(body []byte, lineStart int) int {
	n := 0
	for lineStart+n < len(body) && body[lineStart+n] == ' ' {
		n++
	}
	return n
}

// endOfLine returns the offset of the line ending after offset.
func endOfLine(body []byte, offset int) int {
	i := bytes.IndexByte(body[offset:], '\n')
	if i < 0 {
		return len(body)
	}
	if i > 0 && body[offset+i-1] == '\r' {
		i--
	}
	return offset + i
}

func nextLine(body []byte, offset int) int {
	i := bytes.IndexByte(body[offset:], '\n')
	if i < 0 {
		return len(body)
	}
	return offset + i + 1
}

// yamlLines returns the lines of a value in block style.
func yamlLines(value any, indent string) []string {
	var lines []string
	switch v := value.(type) {
	case Object:
		for _, f := range v {
			lines = append(lines, yamlMember(f.Key, f.Value, indent)...)
		}
	case []Object:
		for _, o := range v {
			lines = append(lines, yamlItem(o, indent)...)
		}
	}
	return lines
}

func yamlMember(key string, value any, indent string) []string {
	switch value.(type) {
	case Object, []Object:
		return append([]string{indent + key + ":"}, yamlLines(value, indent+"  ")...)
	}
	return []string{indent + key + ": " + yamlScalar(value)}
}

func yamlItem(value any, indent string) []string {
	lines := yamlLines(value, indent+"  ")
	if len(lines) > 0 {
		lines[0] = indent + "- " + strings.TrimPrefix(lines[0], indent+"  ")
	}
	return lines
}

func yamlScalar(value any) string {
	if s, ok := value.(string); ok {
		return yamltext.JSON(s)
	}
	return fmt.Sprint(value)
}
