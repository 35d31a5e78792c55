package tree

import (
	"errors"
	"strings"

	"github.com/tailscale/hujson"
)

// ReadJSON returns the value in a text of JSON, with comments and trailing commas. It accepts duplicate keys.
func ReadJSON(text []byte) (*Node, error) {
	v, err := hujson.Parse(append(text[:len(text):len(text)], '\n')) // it may end in a // comment
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	root := jsonNode(v)
	root.After = min(root.After, len(text))
	return root, nil
}

func jsonNode(v hujson.Value) *Node {
	n := &Node{Begin: v.StartOffset, Start: v.StartOffset, End: v.EndOffset, After: v.EndOffset + len(v.AfterExtra)}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.Tag = Mapping
		for _, m := range value.Members {
			child := jsonNode(m.Value)
			child.Key, child.Begin = m.Name.Value.(hujson.Literal).String(), m.Name.StartOffset
			n.Children = append(n.Children, child)
		}
	case *hujson.Array:
		n.Tag = List
		for _, e := range value.Elements {
			n.Children = append(n.Children, jsonNode(e))
		}
	case hujson.Literal:
		n.Tag, n.Text = Float, string(value)
		switch value.Kind() {
		case 'n':
			n.Tag, n.Text = Null, ""
		case 't', 'f':
			n.Tag = Bool
		case '"':
			n.Tag, n.Text = String, value.String()
		}
	}
	return n
}
