package settings

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlDoc is a TOML document, represented as its sections and the offsets of
// its values.
type tomlDoc struct {
	body     []byte
	decoded  map[string]any
	sections []section
	inline   []inlineList
}

// section is a table's header and the lines that belong to it.
type section struct {
	path       []string
	array      bool
	start, end int // end: after the line ending of its last expression
}

// inlineList is a list in brackets.
type inlineList struct {
	path       []string
	start, end int
}

func parseTOML(text []byte) (document, error) {
	d := &tomlDoc{body: text}
	if err := toml.Unmarshal(text, &d.decoded); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "toml: "))
	}
	if err := d.locate(); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *tomlDoc) decode() any {
	if len(d.decoded) == 0 {
		return nil
	}
	return normal(maps.Clone(d.decoded))
}

// locate finds the sections and the lists in brackets.
func (d *tomlDoc) locate() error {
	var p unstable.Parser
	p.Reset(d.body)
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path, start := keyOf(e)
			start = bytes.LastIndexByte(d.body[:start], '\n') + 1
			d.sections = append(d.sections, section{path, e.Kind == unstable.ArrayTable, start, nextLine(d.body, start)})
			table = path
		case unstable.KeyValue:
			key, _ := keyOf(e)
			end := int(e.Raw.Offset + e.Raw.Length)
			if n := len(d.sections); n > 0 {
				d.sections[n-1].end = nextLine(d.body, end)
			}
			if e.Value().Kind == unstable.Array {
				d.inline = append(d.inline, inlineList{append(slices.Clone(table), key...), arrayStart(d.body, e), end})
			}
		}
	}
	return p.Error()
}

func keyOf(e *unstable.Node) (path []string, start int) {
	start = -1
	for it := e.Key(); it.Next(); {
		n := it.Node()
		if start < 0 {
			start = int(n.Raw.Offset)
		}
		path = append(path, string(n.Data))
	}
	return path, start
}

// arrayStart returns the offset of the bracket after the equals sign.
func arrayStart(body []byte, e *unstable.Node) int {
	last := 0
	for it := e.Key(); it.Next(); {
		last = int(it.Node().Raw.Offset + it.Node().Raw.Length)
	}
	return last + bytes.IndexByte(body[last:], '[')
}

// apply removes the caller's own handlers that differ or are superfluous, and
// appends the missing ones. It writes handlers as [[ROOT]] tables, or within
// the brackets if the list has brackets.
func (d *tomlDoc) apply(l Layout, want []List, ours func(any) bool) ([]byte, error) {
	if !l.Flat {
		return d.applyNested(l, want, ours)
	}
	var wanted []Object
	for _, w := range want {
		wanted = append(wanted, w.Want...)
	}
	at, _ := At(d.decode(), l.Root...)
	elements, _ := at.([]any)
	if i := slices.IndexFunc(d.inline, func(a inlineList) bool { return slices.Equal(a.path, l.Root) }); i >= 0 {
		return d.applyInline(d.inline[i], elements, wanted, ours)
	}
	tables := d.tables(l.Root)
	if len(tables) != len(elements) {
		return nil, errChanged
	}
	var parts []splice
	k := 0
	for i, element := range elements {
		if !ours(element) {
			continue
		}
		switch {
		case k >= len(wanted):
			parts = append(parts, d.cut(tables[i]))
		case !reflect.DeepEqual(element, plain(wanted[k])):
			parts = append(parts, splice{tables[i].start, tables[i].end, d.table(l.Root, wanted[k])})
		}
		k++
	}
	body := splices(d.body, parts...)
	for ; k < len(wanted); k++ {
		body = appendTable(body, newline(d.body), d.table(l.Root, wanted[k]))
	}
	return body, nil
}

// tables returns the [[path]] sections with everything that belongs to each.
func (d *tomlDoc) tables(path []string) []section {
	var found []section
	for _, s := range d.sections {
		switch {
		case s.array && slices.Equal(s.path, path):
			found = append(found, s)
		case len(found) > 0 && len(s.path) > len(path) && slices.Equal(s.path[:len(path)], path):
			found[len(found)-1].end = s.end
		}
	}
	return found
}

// cut removes a section and the empty line before it.
func (d *tomlDoc) cut(s section) splice {
	before := d.body[:s.start]
	end := newline(d.body)
	if bytes.HasSuffix(before, []byte(end+end)) || len(before) == len(end) && string(before) == end {
		s.start -= len(end)
	}
	return splice{s.start, s.end, ""}
}

// appendTable appends a section after an empty line.
func appendTable(body []byte, end, table string) []byte {
	if len(body) == 0 {
		return []byte(table)
	}
	return append(body, end+table...)
}

func (d *tomlDoc) table(path []string, o Object) string {
	end := newline(d.body)
	var b strings.Builder
	b.WriteString("[[" + tomlKey(path) + "]]" + end)
	for _, f := range o {
		b.WriteString(f.Key + " = " + tomlValue(f.Value) + end)
	}
	return b.String()
}

func tomlKey(path []string) string {
	parts := make([]string, len(path))
	for i, key := range path {
		parts[i] = key
		if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || key == "" {
			parts[i] = quote(key)
		}
	}
	return strings.Join(parts, ".")
}

func tomlValue(v any) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	return fmt.Sprint(v)
}

// applyInline edits a list in brackets.
func (d *tomlDoc) applyInline(a inlineList, elements []any, wanted []Object, ours func(any) bool) ([]byte, error) {
	spans := inlineElements(d.body[:a.end], a.start)
	if len(spans) != len(elements) {
		return nil, errChanged
	}
	var texts []string
	for i, element := range elements {
		if !ours(element) {
			texts = append(texts, string(d.body[spans[i].from:spans[i].to]))
		}
	}
	own := len(elements) - len(texts)
	if own == 0 && len(wanted) == 0 {
		return d.body, nil
	}
	for _, o := range wanted {
		texts = append(texts, inlineTable(o))
	}
	return d.joinInline(a, spans, elements, texts, len(wanted), ours)
}

// joinInline rewrites the list. It preserves the text of other elements and the
// text between them.
func (d *tomlDoc) joinInline(a inlineList, spans []splice, elements []any, texts []string, added int, ours func(any) bool) ([]byte, error) {
	end := newline(d.body)
	others := len(texts) - added
	if others == 0 {
		inside := strings.Join(texts, ","+end+"  ")
		if added > 0 {
			inside = end + "  " + inside + "," + end
		}
		return splices(d.body, splice{a.start + 1, a.end - 1, inside}), nil
	}
	last := -1
	for i, element := range elements {
		if !ours(element) {
			last = i
		} else if last < 0 {
			return nil, errors.New("an entry of agent-hooks precedes other entries in the array; remove it by hand")
		}
	}
	at := spans[last].to
	rest := d.body[at : a.end-1]
	if own := elements[last+1:]; len(own) > 0 {
		rest = d.body[spans[len(spans)-1].to : a.end-1]
	}
	inside := ""
	if added > 0 {
		inside = "," + end + "  " + strings.Join(texts[others:], ","+end+"  ")
	}
	return splices(d.body, splice{at, a.end - 1, inside + string(rest)}), nil
}

func inlineTable(o Object) string {
	var parts []string
	for _, f := range o {
		parts = append(parts, f.Key+" = "+tomlValue(f.Value))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// inlineElements returns the positions of the elements of the list at start.
func inlineElements(body []byte, start int) []splice {
	var found []splice
	depth, from, to := 0, -1, -1
	for i := start; i < len(body); {
		size := tomlToken(body[i:])
		token := body[i : i+size]
		c := token[0]
		blank := c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#'
		closes := depth == 1 && (c == ',' || c == ']')
		if closes && from >= 0 {
			found = append(found, splice{from: from, to: to})
			from = -1
		}
		if depth > 0 && !blank && !closes {
			if from < 0 {
				from = i
			}
			to = i + size
		}
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return found
			}
		}
		i += size
	}
	return found
}

// tomlToken returns the length of the string, comment or character at the start
// of text.
func tomlToken(text []byte) int {
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if !bytes.HasPrefix(text, []byte(q)) {
			continue
		}
		for i := len(q); i < len(text); i++ {
			if text[i] == '\\' && q[0] == '"' {
				i++
			} else if bytes.HasPrefix(text[i:], []byte(q)) {
				return i + len(q)
			}
		}
		return len(text)
	}
	if text[0] == '#' {
		return endOfLine(text, 0)
	}
	return 1
}
