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
	before := doc.root.Decode()
	for i := 0; ; i++ {
		handlers := l.every(doc.root)
		if i == len(handlers) {
			break
		}
		old := handlers[i].Decode()
		object, ok := withStrings(handlers[i], change)
		want := handlers[i].Decode()
		if reflect.DeepEqual(want, old) {
			continue
		}
		if _, is := object.(Object); !ok || !is {
			return nil, errChanged
		}
		edited, err := doc.splice.replace(doc, handlers[i], object)
		if err != nil {
			return nil, err
		}
		doc, err = l.parse(edited)
		if err != nil {
			return nil, errChanged
		}
		if now := l.every(doc.root); len(now) != len(handlers) || !reflect.DeepEqual(now[i].Decode(), want) {
			return nil, errChanged
		}
	}
	all := func(any) bool { return true }
	if !reflect.DeepEqual(l.prune(before, l.Root, all), l.prune(doc.root.Decode(), l.Root, all)) {
		return nil, errChanged
	}
	return append(mark, doc.body...), nil
}

// every returns the handlers of a document.
func (l Layout) every(root *tree.Node) (found []*tree.Node) {
	if l.Key != "" {
		if h := find(root, l.Root).Member(l.Key); h != nil {
			found = append(found, h)
		}
		return found
	}
	for _, at := range l.lists(root) {
		for _, h := range l.handlers(at.node) {
			found = append(found, h.node)
		}
	}
	return found
}

// literal is a scalar that is written as it was.
type literal string

// withStrings changes the strings in n, and returns the value to write for it; ok is false if there
// is no form for it. An alias loses its value, so that it counts as changed.
func withStrings(n *tree.Node, change func(string) string) (value any, ok bool) {
	o, texts, ok := Object{}, []string{}, n.Tag != tree.Alias
	for _, child := range n.Children {
		value, is := withStrings(child, change)
		text, isText := value.(string)
		ok = ok && is && (isText || n.Tag == tree.Mapping)
		o, texts = append(o, Field{child.Key, value}), append(texts, text)
	}
	switch n.Tag {
	case tree.String:
		n.Text = change(n.Text)
		return n.Text, true
	case tree.Mapping:
		return o, ok
	case tree.List:
		return texts, ok
	case tree.Alias:
		n.Aliased = nil
	}
	return literal(n.Text), ok
}
