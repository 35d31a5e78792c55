// Package tree reads documents of JSON, TOML and YAML whose positions matter: settings that are
// edited, and files whose problems are reported by line and column. Edits replace parts of the
// text, so a tree needs no comments and no white space.
package tree

import (
	"math"
	"strconv"
	"strings"
)

// The types of values, with their names in YAML. Other tags are possible in YAML.
const (
	Null    = "!!null"
	Bool    = "!!bool"
	Int     = "!!int"
	Float   = "!!float"
	Time    = "!!timestamp"
	String  = "!!str"
	List    = "!!seq"
	Mapping = "!!map"
	Alias   = "alias" // of a value that is elsewhere in a YAML document
)

// Node is a value in a document. Its positions are offsets in the text, in bytes.
type Node struct {
	Tag      string
	Text     string  // of a scalar: the characters of a string, anything else as it is written
	Children []*Node // the members of a mapping or elements of a list, in order
	Aliased  any     // of an alias: the value, decoded; it has no children

	Key        string // of a member
	Begin      int    // of the member's key; of the value if it is not a member
	Start, End int    // of the value; in YAML, End is set only for null, and in TOML not for tables
	After      int    // JSON: of the next comma or bracket; TOML: of the line after the tables of an element

	Flow  bool // a YAML or TOML collection in brackets
	Plain bool // a YAML scalar without quotes
}

// Member returns the value of a key; nil if there is none. For a duplicate key the last value counts,
// as in JSON.parse. n may be nil.
func (n *Node) Member(key string) *Node {
	if n == nil || n.Tag == List {
		return nil
	}
	for i := len(n.Children) - 1; i >= 0; i-- {
		if n.Children[i].Key == key {
			return n.Children[i]
		}
	}
	return nil
}

// Decode returns the value with the types of encoding/json; nil if n is nil. Numbers that JSON cannot express, and
// times, become text.
func (n *Node) Decode() any {
	if n == nil {
		return nil
	}
	switch n.Tag {
	case Null:
		return nil
	case Alias:
		return n.Aliased
	case Mapping:
		m := make(map[string]any, len(n.Children))
		for _, c := range n.Children {
			m[c.Key] = c.Decode()
		}
		return m
	case List:
		l := make([]any, len(n.Children))
		for i, c := range n.Children {
			l[i] = c.Decode()
		}
		return l
	case Bool:
		return strings.EqualFold(n.Text, "true")
	case Int, Float:
		digits := strings.ReplaceAll(n.Text, "_", "")
		if i, err := strconv.ParseInt(digits, 0, 64); err == nil {
			return float64(i)
		}
		if f, err := strconv.ParseFloat(digits, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f
		}
	}
	return n.Text
}
