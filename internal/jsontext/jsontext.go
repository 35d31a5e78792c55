// Package jsontext reads JSON, with comments and trailing commas, into a tree.
package jsontext

import (
	"errors"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Read returns the value in text. It accepts duplicate keys.
func Read(text []byte) (*tree.Node, error) {
	v, err := hujson.Parse(append(text[:len(text):len(text)], '\n')) // it may end in a // comment
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	root := node(v)
	root.After = min(root.After, len(text))
	return root, nil
}

func node(v hujson.Value) *tree.Node {
	n := &tree.Node{Begin: v.StartOffset, Start: v.StartOffset, End: v.EndOffset, After: v.EndOffset + len(v.AfterExtra)}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.Tag = tree.Mapping
		for _, m := range value.Members {
			child := node(m.Value)
			child.Key, child.Begin = m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset
			n.Children = append(n.Children, child)
		}
	case *hujson.Array:
		n.Tag = tree.List
		for _, e := range value.Elements {
			n.Children = append(n.Children, node(e))
		}
	case hujson.Literal:
		n.Tag, n.Text = scalar(value)
	}
	return n
}

func scalar(value hujson.Literal) (tag, text string) {
	switch value.Kind() {
	case 'n':
		return tree.Null, ""
	case 't', 'f':
		return tree.Bool, string(value)
	case '"':
		return tree.String, value.String()
	}
	return tree.Float, string(value)
}
