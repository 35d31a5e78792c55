package cases

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// The values of a case are nodes whose Text is their JSON, a string's with its quotes. Their tag is
// Null, Bool, Float, String, List or Mapping.

// kindOf names the type of a value for messages.
func kindOf(v *tree.Node) string {
	return map[string]string{
		tree.Null: "null", tree.Bool: "true or false", tree.Float: "a number", tree.String: "a string", tree.List: "a list", tree.Mapping: "a mapping",
	}[v.Tag]
}

// textOf returns a string's characters, and any other scalar's JSON.
func textOf(v *tree.Node) string {
	var s string
	if v.Tag == tree.String && json.Unmarshal([]byte(v.Text), &s) == nil {
		return s
	}
	return v.Text
}

func stringValue(s string) *tree.Node { return &tree.Node{Tag: tree.String, Text: tree.JSON(s)} }

// mapping returns a mapping of keys, which are followed by their values.
func mapping(members ...any) *tree.Node {
	v := &tree.Node{Tag: tree.Mapping}
	for i := 0; i < len(members); i += 2 {
		set(v, members[i].(string), members[i+1].(*tree.Node))
	}
	return v
}

// set replaces the value of a key, or adds the key at the end.
func set(v *tree.Node, key string, to *tree.Node) {
	member := *to
	member.Key = key
	if i := slices.IndexFunc(v.Children, func(c *tree.Node) bool { return c.Key == key }); i >= 0 {
		v.Children[i] = &member
		return
	}
	v.Children = append(v.Children, &member)
}

// encode encodes a value on one line, in the form in which hooks read events: with a space
// after each colon and comma.
func encode(v *tree.Node) []byte {
	var parts [][]byte
	for _, c := range v.Children {
		part := encode(c)
		if v.Tag == tree.Mapping {
			part = append([]byte(tree.JSON(c.Key)+": "), part...)
		}
		parts = append(parts, part)
	}
	inner := bytes.Join(parts, []byte(", "))
	switch v.Tag {
	case tree.List:
		return slices.Concat([]byte("["), inner, []byte("]"))
	case tree.Mapping:
		return slices.Concat([]byte("{"), inner, []byte("}"))
	}
	return []byte(v.Text)
}

// merge applies an RFC 7396 patch and returns the result. The order of keys is kept; new keys
// come last. Neither v, which may be nil, nor patch is changed.
func merge(v, patch *tree.Node) *tree.Node {
	if patch.Tag != tree.Mapping {
		return patch
	}
	merged := &tree.Node{Tag: tree.Mapping}
	if v != nil && v.Tag == tree.Mapping {
		merged.Children = slices.Clone(v.Children)
	}
	for _, c := range patch.Children {
		if c.Tag == tree.Null {
			merged.Children = slices.DeleteFunc(merged.Children, func(old *tree.Node) bool { return old.Key == c.Key })
			continue
		}
		set(merged, c.Key, merge(merged.Member(c.Key), c))
	}
	return merged
}

// replaced returns v with the placeholders in its strings, except in keys, replaced. pairs are
// old and new strings, as for strings.NewReplacer.
func replaced(v *tree.Node, pairs []string) *tree.Node {
	escaped := slices.Clone(pairs)
	for i := 1; i < len(escaped); i += 2 {
		quoted := tree.JSON(escaped[i])
		escaped[i] = quoted[1 : len(quoted)-1]
	}
	r := strings.NewReplacer(escaped...)
	return mapped(v, func(s *tree.Node) string { return r.Replace(s.Text) })
}

// mapped returns v with the JSON of each string in it, except keys, replaced.
func mapped(v *tree.Node, text func(*tree.Node) string) *tree.Node {
	changed := *v
	if v.Tag == tree.String {
		changed.Text = text(v)
	}
	changed.Children = slices.Clone(v.Children)
	for i, c := range v.Children {
		changed.Children[i] = mapped(c, text)
	}
	return &changed
}

// requoted returns the value with its strings as tree.JSON encodes them.
func requoted(v *tree.Node) *tree.Node {
	return mapped(v, func(s *tree.Node) string { return tree.JSON(textOf(s)) })
}

// same reports whether v and o are equal as JSON: the order of keys and the encoding of strings
// and numbers do not matter.
func same(v, o *tree.Node) bool {
	if v == nil || o == nil || v.Tag != o.Tag {
		return v == o
	}
	switch v.Tag {
	case tree.Mapping:
		return len(v.Children) == len(o.Children) && !slices.ContainsFunc(v.Children, func(c *tree.Node) bool { return !same(c, o.Member(c.Key)) })
	case tree.List:
		return slices.EqualFunc(v.Children, o.Children, same)
	case tree.Float:
		x, errX := strconv.ParseFloat(v.Text, 64)
		y, errY := strconv.ParseFloat(o.Text, 64)
		// A float64 may not represent larger ones exactly.
		return v.Text == o.Text || errX == nil && errY == nil && x == y && math.Abs(x) <= 1<<53
	}
	return textOf(v) == textOf(o)
}
