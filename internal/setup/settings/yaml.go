package settings

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// errLineBreak means that the parser and the editor would count lines
// differently.
var errLineBreak = errors.New("the file has a line break that is neither a newline nor CR LF; replace it")

// yamlSplicer edits YAML in block style.
type yamlSplicer struct{}

var errFlow = errors.New("the list is not in block style; write one element per line")

func (yamlSplicer) create(d *document, value any) ([]byte, error) {
	end := newline(d.body)
	return append(slices.Clone(d.body), strings.Join(yamlLines(value, ""), end)+end...), nil
}

// fill inserts a value under the key whose value is null.
func (yamlSplicer) fill(d *document, null *tree.Node, value any) ([]byte, error) {
	lineEnd := endOfLine(d.body, null.Start)
	indent := lineIndent(d.body, lineEnd)
	if _, ok := value.(Object); ok || indent == "" {
		indent += "  "
	}
	text := newline(d.body) + strings.Join(yamlLines(value, indent), newline(d.body))
	return splices(d.body, splice{null.Start, null.End, ""}, splice{lineEnd, lineEnd, text}), nil
}

func (s yamlSplicer) replace(d *document, child *tree.Node, value any) ([]byte, error) {
	if child.Tag == tree.Null {
		return s.fill(d, child, value)
	}
	at := column(d.body, child)
	indent := strings.Repeat(" ", at)
	text := strings.TrimPrefix(strings.Join(yamlLines(value, indent), newline(d.body)), indent)
	return splices(d.body, splice{child.Start, blockEnd(d.body, child.Start, at-1), text}), nil
}

func (s yamlSplicer) add(d *document, parent *tree.Node, key string, value any) ([]byte, error) {
	if len(parent.Children) == 0 {
		return s.addFirst(d, parent, key, value)
	}
	if parent.Flow {
		return nil, errFlow
	}
	indent := strings.Repeat(" ", column(d.body, parent))
	var lines []string
	if key == "" {
		lines = yamlItem(value, indent)
	} else {
		lines = yamlMember(key, value, indent)
	}
	at := memberEnd(d.body, parent.Children[len(parent.Children)-1].Begin, parent)
	text := newline(d.body) + strings.Join(lines, newline(d.body))
	return splices(d.body, splice{at, at, text}), nil
}

// addFirst replaces an empty pair of brackets.
func (s yamlSplicer) addFirst(d *document, parent *tree.Node, key string, value any) ([]byte, error) {
	closing := map[string]byte{tree.List: ']', tree.Mapping: '}'}[parent.Tag]
	length := bytes.IndexByte(d.body[parent.Start:], closing)
	if length < 0 || len(bytes.TrimSpace(d.body[parent.Start+1:parent.Start+length])) > 0 {
		return nil, errFlow
	}
	end := parent.Start + length + 1
	if parent.Start == lineStart(d.body, parent.Start) { // the whole document
		return splices(d.body, splice{parent.Start, end, strings.Join(yamlMember(key, value, ""), newline(d.body))}), nil
	}
	null := &tree.Node{Start: len(bytes.TrimRight(d.body[:parent.Start], " ")), End: end}
	if key == "" {
		return s.fill(d, null, []Object{value.(Object)})
	}
	return s.fill(d, null, Object{{key, value}})
}

func (s yamlSplicer) remove(d *document, parent *tree.Node, i int) ([]byte, error) {
	begin, dash := parent.Children[i].Begin, "-"
	if parent.Tag == tree.Mapping {
		dash = ""
	}
	from := lineStart(d.body, begin)
	if string(bytes.TrimSpace(d.body[from:begin])) != dash {
		return nil, errFlow
	}
	to := memberEnd(d.body, begin, parent)
	if len(parent.Children) == 1 {
		return s.removeOnly(d, parent, from, to), nil
	}
	return splices(d.body, splice{from, nextLine(d.body, to), ""}), nil
}

// removeOnly leaves an empty list, or null instead of a mapping.
func (yamlSplicer) removeOnly(d *document, parent *tree.Node, from, to int) []byte {
	gone := splice{from, nextLine(d.body, to), ""}
	if from == 0 || parent.Tag == tree.Mapping {
		return splices(d.body, gone)
	}
	line := lineStart(d.body, from-1)
	key, _, _ := bytes.Cut(d.body[line:from], []byte(" #"))
	at := line + len(bytes.TrimSpace(key)) + len(key) - len(bytes.TrimLeft(key, " "))
	return splices(d.body, splice{at, at, " []"}, gone)
}

// column returns the column of a block collection's children, in bytes from 0.
func column(body []byte, n *tree.Node) int { return n.Start - lineStart(body, n.Start) }

// memberEnd returns the end of the content of the child that begins at offset.
func memberEnd(body []byte, offset int, parent *tree.Node) int {
	column := column(body, parent)
	end := blockEnd(body, offset, column)
	if parent.Tag == tree.List {
		return end
	}
	// A list may be in the column of its key.
	for next := nextLine(body, end); next < len(body); next = nextLine(body, end) {
		at := next
		for at < len(body) { // to the first line with content
			line := bytes.TrimSpace(body[at:endOfLine(body, at)])
			if len(line) > 0 && line[0] != '#' {
				break
			}
			at = nextLine(body, at)
		}
		if at+column >= len(body) || body[at+column] != '-' || indentOf(body, at) != column || bytes.HasPrefix(body[at+column:], []byte("---")) {
			break
		}
		end = blockEnd(body, at+column, column)
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
	return []string{indent + key + ": " + scalar(value)}
}

func yamlItem(value any, indent string) []string {
	lines := yamlLines(value, indent+"  ")
	if len(lines) > 0 {
		lines[0] = indent + "- " + strings.TrimPrefix(lines[0], indent+"  ")
	}
	return lines
}
