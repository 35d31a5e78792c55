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

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
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
	return normal(d.decoded)
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
			start = lineStart(d.body, start)
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

// apply replaces the caller's own handlers that differ, removes the superfluous ones, and appends
// the missing ones as tables. It writes within brackets only if the list has brackets and no
// entries of others.
func (d *tomlDoc) apply(l Layout, want []List, ours func(any) bool) ([]byte, error) {
	var parts []splice
	have := map[string]int{}
	for _, list := range d.lists(l) {
		edits, n, err := d.edits(l, list, wantAt(want, list.path), ours)
		if err != nil {
			return nil, err
		}
		parts, have[shownPath(list.path)] = append(parts, edits...), n
	}
	slices.SortFunc(parts, func(a, b splice) int { return a.from - b.from })
	body := splices(d.body, parts...)
	if len(d.body) == 0 && len(want) > 0 {
		body = []byte(dotted(nil, l.Top))
	}
	for _, w := range want {
		for _, o := range w.Want[min(have[shownPath(w.Path)], len(w.Want)):] {
			body = appendTable(body, newline(d.body), d.element(l, w.Path, o))
		}
	}
	return body, nil
}

// tomlList is a list that may contain handlers.
type tomlList struct {
	path     []string
	elements []any
}

func (d *tomlDoc) lists(l Layout) (lists []tomlList) {
	at, _ := At(d.decode(), l.Root...)
	if l.Flat {
		elements, _ := at.([]any)
		return []tomlList{{l.Root, elements}}
	}
	events, _ := at.(map[string]any)
	for _, event := range slices.Sorted(maps.Keys(events)) {
		elements, _ := events[event].([]any)
		lists = append(lists, tomlList{append(slices.Clone(l.Root), event), elements})
	}
	return lists
}

// edits returns the edits to one list, and the number of the caller's own handlers in it. A group
// is replaced or removed only if all of its handlers are the caller's own.
func (d *tomlDoc) edits(l Layout, list tomlList, wanted []Object, ours func(any) bool) ([]splice, int, error) {
	for _, in := range d.inline {
		if slices.Equal(in.path, list.path) && l.Flat {
			parts, err := d.inBrackets(in, list.elements, wanted, ours)
			return parts, len(wanted), err
		}
	}
	var parts []splice
	tables := d.tables(list.path)
	n := 0
	for i, element := range list.elements {
		handlers, grouped := l.grouped(element)
		if !grouped {
			handlers = []any{element}
		}
		own := slices.DeleteFunc(slices.Clone(handlers), func(h any) bool { return !ours(h) })
		switch {
		case len(own) == 0:
			continue
		case len(tables) != len(list.elements) || len(own) != len(handlers):
			return nil, 0, fmt.Errorf("%s mixes entries of agent-hooks with others; edit it by hand", shownPath(list.path))
		case n >= len(wanted):
			parts = append(parts, d.cut(tables[i]))
		case len(own) > 1 || grouped && matcherOf(element) != "" || !reflect.DeepEqual(own[0], plain(wanted[n])):
			parts = append(parts, splice{tables[i].start, tables[i].end, d.element(l, list.path, wanted[n])})
		}
		n++
	}
	return parts, n, nil
}

// inBrackets rewrites a list in brackets that has only the caller's own elements.
func (d *tomlDoc) inBrackets(in inlineList, elements []any, wanted []Object, ours func(any) bool) ([]splice, error) {
	own := slices.ContainsFunc(elements, ours)
	inside := d.body[in.start+1 : in.end-1]
	switch {
	case !own && len(wanted) == 0:
		return nil, nil
	case slices.ContainsFunc(elements, func(e any) bool { return !ours(e) }), !own && len(bytes.TrimSpace(inside)) > 0:
		return nil, fmt.Errorf("the list is written in brackets; write each element as a table [[%s]]", tomlKey(in.path))
	}
	end, text := newline(d.body), ""
	for _, o := range wanted {
		var members []string
		for _, f := range o {
			members = append(members, f.Key+" = "+tomlValue(f.Value))
		}
		text += end + "  { " + strings.Join(members, ", ") + " },"
	}
	if text != "" {
		text += end
	}
	return []splice{{in.start + 1, in.end - 1, text}}, nil
}

// tables returns the [[path]] sections, each extended over the sections of its subtables.
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

// element returns the text of a list's element: a handler, or a group that contains it.
func (d *tomlDoc) element(l Layout, path []string, o Object) string {
	if l.Nested == "" {
		return d.table(path, o)
	}
	return "[[" + tomlKey(path) + "]]" + newline(d.body) + d.table(append(slices.Clone(path), l.Nested), o)
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

// dotted returns the members of an object as lines with dotted keys.
func dotted(path []string, o Object) (lines string) {
	for _, f := range o {
		key := append(slices.Clone(path), f.Key)
		if inner, ok := f.Value.(Object); ok {
			lines += dotted(key, inner)
		} else {
			lines += tomlKey(key) + " = " + tomlValue(f.Value) + "\n"
		}
	}
	return lines
}

// tomlKey returns the key of a wanted list, whose parts need no quotes.
func tomlKey(path []string) string { return strings.Join(path, ".") }

func tomlValue(v any) string {
	if s, ok := v.(string); ok {
		return yamltext.JSON(s)
	}
	return fmt.Sprint(v)
}
