// Package settings edits the lists of hooks in other programs' settings files:
// JSON with comments and trailing commas, TOML, and YAML. It changes only the
// caller's own elements. Comments, order, unknown keys, indentation, line
// endings, a byte-order mark and a missing final newline are preserved. Every
// result is parsed again and compared with the input before it is returned.
//
// The package works on bytes. It opens no files.
package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Format is the syntax of a settings file.
type Format int

// The formats that can be edited.
const (
	JSON Format = iota // comments and trailing commas are accepted
	TOML
	YAML
)

// Field is one member of an Object.
type Field struct {
	Key   string
	Value any // string, int, bool, []string, Object or []Object
}

// Object is a value to write. Its fields are written in order.
type Object []Field

// List is a list and the elements that the caller wants it to contain.
type List struct {
	Path  []string // keys that lead to the list, outermost first
	Want  []Object // the caller's handlers, in order
	Plain bool     // elements are handlers, although the layout has groups
	Group Object   // members of a new group, written before its handlers
}

// Layout describes where a file stores lists of hooks.
type Layout struct {
	Format Format
	Root   []string // the keys of the mapping that holds one list per event; empty: the document
	Flat   bool     // the list at Root itself holds the handlers of all events
	Key    string   // the mapping at Root holds the only handler, under this key; JSON only
	Nested string   // an element is a group with its handlers under this key; "": an element is a handler
	Top    Object   // initial members of a new document
	Pin    Object   // members of every document with the caller's handlers
	Cache  *Cache   // documents that are only read; nil for none
}

// Apply returns text in which the handlers that ours recognizes are exactly
// those of want. A handler in a list of want is replaced in place if it
// differs, and missing ones are appended. Lists that become empty are removed
// unless keep reports that they existed before.
func (l Layout) Apply(text []byte, want []List, ours func(handler any) bool, keep func(path []string) bool) ([]byte, error) {
	mark, body := cutMark(text)
	edited, err := l.edit(body, want, ours, keep)
	if err != nil {
		return nil, err
	}
	if len(want) > 0 {
		// Do not add anything that could not be removed again.
		if _, err := l.edit(edited, nil, ours, keep); err != nil {
			return nil, err
		}
	}
	return append(mark, edited...), nil
}

func (l Layout) edit(body []byte, want []List, ours func(any) bool, keep func([]string) bool) ([]byte, error) {
	whole, added := body, ""
	if l.Format != JSON && len(body) > 0 && !bytes.HasSuffix(body, []byte("\n")) {
		added = newline(body)
		whole = append(slices.Clone(body), added...)
	}
	if len(want) > 0 {
		var err error
		whole, err = l.pin(whole)
		if err != nil {
			return nil, err
		}
	}
	doc, err := l.parse(whole)
	if err != nil {
		return nil, err
	}
	e := editor{layout: l, doc: doc, ours: ours, keep: keep}
	for range maxEdits {
		next, err := e.step(want)
		if err != nil {
			return nil, err
		}
		if next == nil {
			edited := bytes.TrimSuffix(e.doc.body, []byte(added))
			return edited, l.verify(body, edited, want, ours)
		}
		e.doc, err = l.parse(next)
		if err != nil {
			return nil, fmt.Errorf("%w: %v", errChanged, err)
		}
	}
	return nil, errChanged
}

// FormatOf returns the format of a file by its name.
func FormatOf(path string) Format {
	switch filepath.Ext(path) {
	case ".toml":
		return TOML
	case ".yaml", ".yml":
		return YAML
	}
	return JSON
}

// Cache keeps documents, so that each text is parsed once: an agent's settings may hold its history.
// The zero Cache is ready to use. Not safe for concurrent use.
type Cache struct{ documents map[cached]*document }

type cached struct {
	format Format
	text   string
}

// Decode is the function Decode, for a value that the caller does not change. c may be nil.
func (c *Cache) Decode(format Format, text []byte) (any, error) {
	_, body := cutMark(text)
	doc, err := Layout{Format: format, Cache: c}.parsed(body)
	if err != nil {
		return nil, err
	}
	if doc.value == nil {
		doc.value = doc.root.Decode()
	}
	return doc.value, nil
}

// parsed is parse for a document that is only read.
func (l Layout) parsed(text []byte) (*document, error) {
	if l.Cache == nil {
		return l.parse(text)
	}
	key := cached{l.Format, string(text)}
	d := l.Cache.documents[key]
	if d != nil {
		return d, nil
	}
	d, err := l.parse(text)
	if err == nil {
		if l.Cache.documents == nil {
			l.Cache.documents = map[cached]*document{}
		}
		l.Cache.documents[key] = d
	}
	return d, err
}

// Decode returns the document as maps, slices and scalars; nil or an empty map if it is empty.
func Decode(format Format, text []byte) (any, error) {
	_, body := cutMark(text)
	doc, err := Layout{Format: format}.parse(body)
	if err != nil {
		return nil, err
	}
	return doc.root.Decode(), nil
}

// Replaced calls each for the members of the document and of its objects, not of objects in lists,
// that a later member with the same key replaces, in the order of the file.
func Replaced(format Format, text []byte, each func(path []string, value any)) {
	_, body := cutMark(text)
	doc, err := Layout{Format: format}.parse(body)
	if err != nil {
		return
	}
	var visit func(n *tree.Node, path []string)
	visit = func(n *tree.Node, path []string) {
		if n == nil || n.Tag != tree.Mapping {
			return
		}
		last := make(map[string]*tree.Node, len(n.Children))
		for _, child := range n.Children {
			last[child.Key] = child
		}
		for _, child := range n.Children {
			at := append(slices.Clone(path), child.Key)
			if last[child.Key] != child {
				each(at, child.Decode())
			} else {
				visit(child, at)
			}
		}
	}
	visit(doc.root, nil)
}

// Position is the place of a handler in the list of an event.
type Position struct {
	Event          string // "" in a flat list
	Element, Index int    // of the list element, and of the handler in its group
	Only           string // the matcher of its group, if it selects only some of the event's calls
}

// Handlers calls each for every handler of the document with its position, in the order of the
// events.
func (l Layout) Handlers(text []byte, each func(at Position, handler any)) error {
	_, body := cutMark(text)
	doc, err := l.parsed(body)
	if err != nil {
		return err
	}
	if l.Key != "" {
		if h := find(doc.root, l.Root).Member(l.Key); h != nil {
			each(Position{}, h.Decode())
		}
		return nil
	}
	lists := l.lists(doc.root)
	slices.SortStableFunc(lists, func(a, b located) int { return cmp.Compare(a.event, b.event) })
	for _, at := range lists {
		if find(doc.root, at.path) != at.node {
			continue // the agent reads the second list with this key
		}
		for _, h := range l.handlers(at.node) {
			each(Position{at.event, h.element, h.index, h.only}, h.node.Decode())
		}
	}
	return nil
}

// At descends into decoded by keys.
func At(decoded any, keys ...string) (any, bool) {
	for _, key := range keys {
		m, _ := decoded.(map[string]any)
		var ok bool
		decoded, ok = m[key]
		if !ok {
			return nil, false
		}
	}
	return decoded, true
}

var byteOrderMark = "\ufeff"

func cutMark(text []byte) (mark, body []byte) {
	if body, ok := bytes.CutPrefix(text, []byte(byteOrderMark)); ok {
		return []byte(byteOrderMark), body
	}
	return nil, text
}

// HasMark reports whether text begins with a byte-order mark.
func HasMark(text []byte) bool {
	mark, _ := cutMark(text)
	return mark != nil
}

// maxBrackets is the maximum nesting of brackets, because the parsers recurse.
const maxBrackets = 10_000

func (l Layout) parse(text []byte) (d *document, err error) {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if depth > maxBrackets {
			return nil, fmt.Errorf("it is nested too deeply: more than %d open brackets", maxBrackets)
		}
	}
	d = &document{body: text}
	switch l.Format {
	case TOML:
		d.splice = tomlSplicer{}
		if len(text) > 0 {
			d.root, err = tree.ReadTOML(text)
		}
	case YAML:
		d.splice = yamlSplicer{}
		if bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n")) || bytes.ContainsAny(text, "\u0085\u2028\u2029") {
			return nil, errLineBreak
		}
		root, err := tree.DecodeYAML(text)
		if err != nil {
			return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
		}
		if root != nil && root.ShortTag() != tree.Null {
			d.root = tree.NewPositions(text, 0).Tree(root)
		}
	default:
		d.splice = jsonSplicer{}
		if len(bytes.TrimSpace(text)) > 0 {
			d.root, err = tree.ReadJSON(text)
		}
	}
	return d, err
}

// errChanged means that an edit would have changed other content.
var errChanged = errors.New("the file is written in a way that cannot be edited safely")

// verify checks an edit: without the caller's own handlers both documents are
// equal, and the new one contains exactly the wanted handlers.
func (l Layout) verify(old, edited []byte, want []List, ours func(any) bool) error {
	before, err := Decode(l.Format, old)
	if err != nil {
		return err
	}
	after, err := Decode(l.Format, edited)
	if err != nil {
		return fmt.Errorf("%w: %v", errChanged, err)
	}
	n := 0
	err = l.Handlers(edited, func(_ Position, h any) {
		if ours(h) {
			n++
		}
	})
	if err != nil {
		return err
	}
	expected := 0
	for _, list := range want {
		expected += len(list.Want)
	}
	l.withoutPins(after, before)
	if n != expected || !reflect.DeepEqual(l.prune(before, l.Root, ours), l.prune(after, l.Root, ours)) {
		return errChanged
	}
	return nil
}

// prune returns a copy of v without the caller's own handlers and without empty
// mappings and lists on the paths to them. root is the path in v of the mapping
// or list that Layout.Root specifies.
func (l Layout) prune(v any, root []string, ours func(any) bool) any {
	m, ok := v.(map[string]any)
	if !ok {
		return l.pruneList(v, ours)
	}
	copied := map[string]any{}
	for key, value := range m {
		kept, onPath := value, len(root) > 0 && key == root[0]
		switch {
		case onPath:
			kept = l.prune(value, root[1:], ours)
		case len(root) > 0 || l.Flat:
		case l.Key == "":
			kept = l.pruneList(value, ours)
		case key == l.Key && ours(value):
			kept = nil
		}
		if kept != nil || value == nil && !onPath {
			copied[key] = kept
		}
	}
	if len(copied) == 0 {
		return nil
	}
	return copied
}

func (l Layout) pruneList(v any, ours func(any) bool) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	var kept []any
	for _, element := range list {
		group, _ := element.(map[string]any)
		handlers, grouped := group[l.Nested].([]any)
		if !grouped {
			if !ours(element) {
				kept = append(kept, element)
			}
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(handlers), ours)
		if len(rest) == 0 && len(handlers) > 0 {
			continue
		}
		group = maps.Clone(group)
		group[l.Nested] = rest
		kept = append(kept, group)
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// newline returns the line ending that text uses.
func newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentUnit returns the first indentation of text, two spaces if it has
// none.
func indentUnit(text []byte) string {
	for line := range strings.Lines(string(text)) {
		rest := strings.TrimLeft(line, " \t")
		if indent := line[:len(line)-len(rest)]; indent != "" && strings.TrimSpace(rest) != "" && rest[0] != '*' {
			return indent
		}
	}
	return "  "
}
