package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

func parseJSON(text []byte) (document, error) {
	t := &tree{body: text, splice: jsonSplicer{}}
	if len(bytes.TrimSpace(text)) == 0 {
		return t, nil
	}
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	t.root = jsonNode(v)
	return t, nil
}

func jsonNode(v hujson.Value) *node {
	n := &node{start: v.StartOffset, end: v.EndOffset, after: v.EndOffset + len(v.AfterExtra)}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.kind = mapping
		for _, m := range value.Members {
			n.keys = append(n.keys, m.Name.Value.(hujson.Literal).String())
			n.keyStart = append(n.keyStart, m.Name.StartOffset)
			n.children = append(n.children, jsonNode(m.Value))
		}
	case *hujson.Array:
		n.kind = list
		for _, e := range value.Elements {
			n.children = append(n.children, jsonNode(e))
		}
	case hujson.Literal:
		_ = json.Unmarshal(value, &n.value) // hujson has validated it
	}
	return n
}

// jsonSplicer edits JSON.
type jsonSplicer struct{}

func (jsonSplicer) create(t *tree, value any) ([]byte, error) {
	text := jsonStyle{unit: "  ", newline: newline(t.body)}.render(value, "")
	return []byte(text + newline(t.body)), nil
}

func (jsonSplicer) fill(t *tree, null *node, value any) ([]byte, error) {
	text := jsonStyleOf(t.body).render(value, lineIndent(t.body, null.start))
	return splices(t.body, splice{null.start, null.end, text}), nil
}

func (jsonSplicer) replace(t *tree, child *node, value any) ([]byte, error) {
	style := jsonStyleOf(t.body)
	if !bytes.Contains(t.body[child.start:child.end], []byte("\n")) {
		style.compact = true
	}
	text := style.render(value, lineIndent(t.body, child.start))
	return splices(t.body, splice{child.start, child.end, text}), nil
}

func (jsonSplicer) add(t *tree, parent *node, key string, value any) ([]byte, error) {
	style := jsonStyleOf(t.body)
	closing := parent.end - 1
	if len(parent.children) == 0 {
		return style.addFirst(t.body, parent.start+1, closing, key, value), nil
	}
	last := parent.children[len(parent.children)-1]
	begin := last.start
	if parent.kind == mapping {
		begin = parent.keyStart[len(parent.children)-1]
	}
	indent, ownLine := indentBefore(t.body, begin)
	trailing := t.body[last.after] == ','
	at := last.end + len(bytes.TrimRight(t.body[last.end:closing], " \t\r\n"))
	separator := style.newline + indent
	if !ownLine {
		separator = style.gap()
		style.compact = true
		if endsInLineComment(t.body[last.end:at]) {
			separator = style.newline + lineIndent(t.body, parent.start) + style.unit
		}
	}
	added := separator + style.member(key, value, indent)
	if trailing {
		return splices(t.body, splice{at, at, added + ","}), nil
	}
	return splices(t.body, splice{last.end, last.end, ","}, splice{at, at, added}), nil
}

// addFirst inserts the first child into the brackets of body[from:closing].
func (s jsonStyle) addFirst(body []byte, from, closing int, key string, value any) []byte {
	inside := bytes.TrimRight(body[from:closing], " \t\r\n")
	outer := lineIndent(body, from)
	text := s.member(key, value, outer+s.unit)
	if s.compact && !endsInLineComment(inside) {
		return splices(body, splice{from + len(inside), closing, text})
	}
	return splices(body, splice{from + len(inside), closing, s.newline + outer + s.unit + text + s.newline + outer})
}

func (jsonSplicer) remove(t *tree, parent *node, i int) ([]byte, error) {
	body, child := t.body, parent.children[i]
	begin := child.start
	if parent.kind == mapping {
		begin = parent.keyStart[i]
	}
	end, last := child.end, i == len(parent.children)-1
	comma := body[child.after] == ','
	if comma {
		end = child.after + 1
	}
	left := parent.start + 1 // start of the white space and comments before the child
	if i > 0 {
		left = parent.children[i-1].after + 1
	}
	from := left + len(bytes.TrimRight(body[left:begin], " \t\r\n"))
	if endsInLineComment(body[left:from]) && !lineEnds(body[end:]) {
		from = begin
	}
	switch {
	case len(parent.children) == 1 && len(bytes.TrimSpace(body[left:from])) == 0 && len(bytes.TrimSpace(body[end:parent.end-1])) == 0:
		return splices(body, splice{parent.start + 1, parent.end - 1, ""}), nil
	case last && i > 0 && !comma:
		before := parent.children[i-1].after
		return splices(body, splice{before, before + 1, ""}, splice{from, end, ""}), nil
	}
	return splices(body, splice{from, end, ""}), nil
}

// jsonStyle is the formatting of a document.
type jsonStyle struct {
	unit, newline string
	compact       bool // all on one line
	tight         bool // no space after colons and commas
}

func jsonStyleOf(body []byte) jsonStyle {
	text := bytes.TrimSpace(body)
	return jsonStyle{
		unit: indentUnit(body), newline: newline(body),
		compact: !bytes.Contains(text, []byte("\n")) && bytes.ContainsRune(text, '"'),
		tight:   !bytes.Contains(text, []byte(`": `)) && bytes.Contains(text, []byte(`":`)),
	}
}

func (s jsonStyle) gap() string {
	if s.tight {
		return ""
	}
	return " "
}

// member returns a child of a mapping, or of a list if key is "".
func (s jsonStyle) member(key string, value any, indent string) string {
	if key == "" {
		return s.render(value, indent)
	}
	return yamltext.JSON(key) + ":" + s.gap() + s.render(value, indent)
}

// render returns a value whose first line begins at indent.
func (s jsonStyle) render(value any, indent string) string {
	switch v := value.(type) {
	case Object:
		var parts []string
		for _, f := range v {
			parts = append(parts, s.member(f.Key, f.Value, indent+s.unit))
		}
		return s.brackets("{", parts, "}", indent)
	case []Object:
		var parts []string
		for _, o := range v {
			parts = append(parts, s.render(o, indent+s.unit))
		}
		return s.brackets("[", parts, "]", indent)
	case []string:
		var parts []string
		for _, text := range v {
			parts = append(parts, yamltext.JSON(text))
		}
		return s.brackets("[", parts, "]", indent)
	case string:
		return yamltext.JSON(v)
	}
	return fmt.Sprint(value)
}

func (s jsonStyle) brackets(open string, parts []string, closing, indent string) string {
	if s.compact {
		return open + strings.Join(parts, ","+s.gap()) + closing
	}
	line := s.newline + indent
	return open + line + s.unit + strings.Join(parts, ","+line+s.unit) + line + closing
}

// lineIndent returns the indentation of the line that holds offset.
func lineIndent(body []byte, offset int) string {
	start := lineStart(body, offset)
	line := body[start:offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indentBefore returns the white space before offset and whether the line
// holds nothing else before it.
func indentBefore(body []byte, offset int) (string, bool) {
	start := lineStart(body, offset)
	indent := lineIndent(body, offset)
	return indent, start > 0 && start+len(indent) == offset
}

// endsInLineComment reports whether the last line of extra is in a //
// comment. Extra holds only white space, commas and comments.
func endsInLineComment(extra []byte) bool {
	for len(extra) > 0 {
		switch {
		case bytes.HasPrefix(extra, []byte("//")):
			end := bytes.IndexByte(extra, '\n')
			if end < 0 {
				return true
			}
			extra = extra[end+1:]
		case bytes.HasPrefix(extra, []byte("/*")):
			extra = extra[2+bytes.Index(extra[2:], []byte("*/"))+2:]
		default:
			extra = extra[1:]
		}
	}
	return false
}

// lineEnds reports whether only white space is left on the line.
func lineEnds(rest []byte) bool {
	line, _, found := bytes.Cut(rest, []byte("\n"))
	return found && len(bytes.TrimSpace(line)) == 0
}
