package yamltext

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Refused is the tag of a value whose own tag was reported.
const Refused = "!refused"

// Kind is the kind of a problem that Expand reports.
type Kind int

// The kinds of problems.
const (
	BadTag Kind = iota // a value has a tag that gives it another type than its syntax
	BadKey             // a key is not a plain word
	RepeatedKey
)

// Expand returns a copy of a document, except of its scalars, in which aliases are replaced by what they name. It reports
// what parsers interpret differently, and leaves out such keys. ok is false if the copy would
// have more keys and values than mostNodes, or more levels than mostDepth.
func Expand(root *yaml.Node, mostNodes, mostDepth int, report func(kind Kind, at *yaml.Node, message string)) (copied *yaml.Node, ok bool) {
	e := expander{report: report, left: mostNodes, depth: mostDepth}
	copied = e.node(root, 0)
	return copied, e.left >= 0
}

type expander struct {
	report func(Kind, *yaml.Node, string)
	left   int // number of nodes that may still be created; below 0: too many
	depth  int
}

func (e *expander) node(n *yaml.Node, depth int) *yaml.Node {
	if e.left--; depth > e.depth {
		e.left = -1
	}
	if e.left < 0 {
		return &yaml.Node{}
	}
	if n.Kind == yaml.AliasNode {
		named := e.node(n.Alias, depth+1)
		if named == n.Alias {
			scalar := *named
			named = &scalar
		}
		named.Line, named.Column = n.Line, n.Column
		return named
	}
	tag := e.checkTag(n)
	if n.Kind == yaml.ScalarNode && tag == n.Tag {
		return n
	}
	c := *n
	c.Tag, c.Content = tag, make([]*yaml.Node, 0, len(n.Content))
	if n.Kind == yaml.MappingNode {
		e.members(&c, n.Content, depth+1)
		return &c
	}
	for i := 0; i < len(n.Content) && e.left >= 0; i++ {
		c.Content = append(c.Content, e.node(n.Content[i], depth+1))
	}
	return &c
}

func (e *expander) members(c *yaml.Node, content []*yaml.Node, depth int) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(content) && e.left >= 0; i += 2 {
		merge := content[i].ShortTag() == "!!merge"
		key, value := e.node(content[i], depth), e.node(content[i+1], depth)
		switch {
		case e.left < 0:
		case merge:
			e.report(BadKey, key, "a merge key `<<`; write the keys out")
		case key.Kind != yaml.ScalarNode || key.Tag == Refused:
			e.report(BadKey, key, "a key that is not a plain word")
		case seen[key.Value]:
			e.report(RepeatedKey, key, fmt.Sprintf("key %q appears twice; keep one of them", key.Value))
		default:
			seen[key.Value] = true
			c.Content = append(c.Content, key, value)
		}
	}
}

// checkTag returns the tag of n. It rejects tags that give a value another type than its syntax.
func (e *expander) checkTag(n *yaml.Node) string {
	tag := n.ShortTag()
	want := map[yaml.Kind]string{yaml.MappingNode: "!!map", yaml.SequenceNode: "!!seq"}[n.Kind]
	switch {
	case tag == "!!merge": // as a value, << is an ordinary word
		return "!!str"
	case tag == want || want == "" && strings.Contains(" !!str !!int !!float !!bool !!null !!timestamp ", " "+tag+" "):
		return n.Tag
	}
	e.report(BadTag, n, fmt.Sprintf("a value tagged %q; write it without the tag", tag))
	return Refused
}
