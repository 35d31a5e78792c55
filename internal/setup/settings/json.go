package settings

import (
	"bytes"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// jsonSplicer edits JSON.
type jsonSplicer struct{}

func (jsonSplicer) create(d *document, value any) ([]byte, error) {
	text := jsonStyle{unit: "  ", newline: newline(d.body)}.render(value, "")
	return []byte(text + newline(d.body)), nil
}

func (jsonSplicer) replace(d *document, child *tree.Node, value any) ([]byte, error) {
	style := jsonStyleOf(d.body)
	if child.Tag != tree.Null && !bytes.Contains(d.body[child.Start:child.End], []byte("\n")) {
		style.compact = true
	}
	text := style.render(value, lineIndent(d.body, child.Start))
	return splices(d.body, splice{child.Start, child.End, text}), nil
}

func (jsonSplicer) add(d *document, parent *tree.Node, key string, value any) ([]byte, error) {
	style := jsonStyleOf(d.body)
	closing := parent.End - 1
	if len(parent.Children) == 0 {
		return style.addFirst(d.body, parent.Start+1, closing, key, value), nil
	}
	last := parent.Children[len(parent.Children)-1]
	indent, start := lineIndent(d.body, last.Begin), lineStart(d.body, last.Begin)
	ownLine := start > 0 && start+len(indent) == last.Begin
	trailing := d.body[last.After] == ','
	at := last.End + len(bytes.TrimRight(d.body[last.End:closing], " \t\r\n"))
	separator := style.newline + indent
	if !ownLine {
		separator = style.gap()
		style.compact = true
		if endsInLineComment(d.body[last.End:at]) {
			separator = style.newline + lineIndent(d.body, parent.Start) + style.unit
		}
	}
	added := separator + style.member(key, value, indent)
	if trailing {
		return splices(d.body, splice{at, at, added + ","}), nil
	}
	return splices(d.body, splice{last.End, last.End, ","}, splice{at, at, added}), nil
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

func (jsonSplicer) remove(d *document, parent *tree.Node, i int) ([]byte, error) {
	body, child := d.body, parent.Children[i]
	end, last := child.End, i == len(parent.Children)-1
	comma := body[child.After] == ','
	if comma {
		end = child.After + 1
	}
	left := parent.Start + 1 // start of the white space and comments before the child
	if i > 0 {
		left = parent.Children[i-1].After + 1
	}
	from := left + len(bytes.TrimRight(body[left:child.Begin], " \t\r\n"))
	if rest, _, lineEnds := bytes.Cut(body[end:], []byte("\n")); endsInLineComment(body[left:from]) && (!lineEnds || len(bytes.TrimSpace(rest)) > 0) {
		from = child.Begin
	}
	switch {
	case len(parent.Children) == 1 && len(bytes.TrimSpace(body[left:from])) == 0 && len(bytes.TrimSpace(body[end:parent.End-1])) == 0:
		return splices(body, splice{parent.Start + 1, parent.End - 1, ""}), nil
	case last && i > 0 && !comma:
		before := parent.Children[i-1].After
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
	return tree.JSON(key) + ":" + s.gap() + s.render(value, indent)
}

// render returns a value whose first line begins at indent.
func (s jsonStyle) render(value any, indent string) string {
	var parts []string
	open, closing := "[", "]"
	switch v := value.(type) {
	case Object:
		open, closing = "{", "}"
		for _, f := range v {
			parts = append(parts, s.member(f.Key, f.Value, indent+s.unit))
		}
	case []Object:
		for _, o := range v {
			parts = append(parts, s.render(o, indent+s.unit))
		}
	case []string:
		for _, text := range v {
			parts = append(parts, scalar(text))
		}
	default:
		return scalar(value)
	}
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
