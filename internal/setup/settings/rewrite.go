package settings

import (
	"reflect"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Rewrite returns text with the strings in its handlers as change returns them, and nothing else
// changed.
func (l Layout) Rewrite(text []byte, change func(string) string) ([]byte, error) {
	mark, body := cutMark(text)
	doc, err := l.parse(body)
	if err != nil {
		return nil, err
	}
	all := func(doc *document) []*tree.Node {
		if l.Key != "" {
			return []*tree.Node{find(doc.root, l.Root).Member(l.Key)}
		}
		var found []*tree.Node
		for _, at := range l.lists(doc.root) {
			for _, h := range l.handlers(at.node) {
				found = append(found, h.node)
			}
		}
		return found
	}
	before, handlers := doc.root.Decode(), all(doc)
	for i, h := range handlers {
		want := changedStrings(h.Decode(), change)
		if reflect.DeepEqual(want, h.Decode()) {
			continue
		}
		object, ok := objectOf(all(doc)[i], change).(Object)
		if !ok {
			return nil, errChanged
		}
		edited, err := doc.splice.replace(doc, all(doc)[i], object)
		if err != nil {
			return nil, err
		}
		doc, err = l.parse(edited)
		if err != nil || len(all(doc)) != len(handlers) || !reflect.DeepEqual(all(doc)[i].Decode(), want) {
			return nil, errChanged
		}
	}
	every := func(any) bool { return true }
	if !reflect.DeepEqual(l.prune(before, l.Root, every), l.prune(doc.root.Decode(), l.Root, every)) {
		return nil, errChanged
	}
	return append(mark, doc.body...), nil
}

// changedStrings returns a decoded value with its strings as change returns them.
func changedStrings(v any, change func(string) string) any {
	switch v := v.(type) {
	case string:
		return change(v)
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[key] = changedStrings(value, change)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, value := range v {
			l[i] = changedStrings(value, change)
		}
		return l
	}
	return v
}

// literal is a scalar that is written as it was.
type literal string

// objectOf returns a value to write: n with its strings as change returns them; nil if there is no
// form for it.
func objectOf(n *tree.Node, change func(string) string) any {
	switch n.Tag {
	case tree.String:
		return change(n.Text)
	case tree.Mapping:
		o := Object{}
		for _, child := range n.Children {
			value := objectOf(child, change)
			if value == nil {
				return nil
			}
			o = append(o, Field{child.Key, value})
		}
		return o
	case tree.List:
		texts := []string{}
		for _, child := range n.Children {
			if child.Tag != tree.String {
				return nil
			}
			texts = append(texts, change(child.Text))
		}
		return texts
	case tree.Alias:
		return nil
	}
	return literal(n.Text)
}
