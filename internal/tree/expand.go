package tree

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Refused is the tag of a node whose tag was reported. It is not valid UTF-8, so no document
// contains it.
const Refused = "\xff"

// Kind is the kind of a problem that Expand reports.
type Kind int

// The kinds of problems.
const (
	BadTag Kind = iota // a value has a tag that gives it another type than its syntax
	BadKey             // a key is not a plain word
	RepeatedKey
)

// Expand replaces the aliases in a document by their values. It reports tags and keys that YAML
// parsers interpret differently, and removes these keys. ok is false if the document would have
// more keys and values than maxNodes, or more levels than maxDepth.
func Expand(root *yaml.Node, maxNodes, maxDepth int, report func(kind Kind, at *yaml.Node, message string)) (expanded *yaml.Node, ok bool) {
	e := expander{report: report, left: maxNodes, depth: maxDepth}
	expanded = e.node(root, 0)
	return expanded, e.left >= 0
}

type expander struct {
	report func(Kind, *yaml.Node, string)
	left   int // number of nodes that may still be visited; below 0: too many
	depth  int
}

func (e *expander) node(n *yaml.Node, depth int) *yaml.Node {
	e.left--
	if depth > e.depth {
		e.left = -1
	}
	if e.left < 0 {
		return n
	}
	if n.Kind == yaml.AliasNode {
		named := *n.Alias
		named.Line, named.Column = n.Line, n.Column
		return e.node(&named, depth+1)
	}
	e.checkTag(n)
	if n.Kind == yaml.MappingNode {
		e.members(n, depth+1)
		return n
	}
	for i := 0; i < len(n.Content) && e.left >= 0; i++ {
		n.Content[i] = e.node(n.Content[i], depth+1)
	}
	return n
}

func (e *expander) members(n *yaml.Node, depth int) {
	seen := map[string]bool{}
	content := n.Content[:0]
	for i := 0; i+1 < len(n.Content) && e.left >= 0; i += 2 {
		merge := n.Content[i].ShortTag() == "!!merge"
		key, value := e.node(n.Content[i], depth), e.node(n.Content[i+1], depth)
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
			content = append(content, key, value)
		}
	}
	n.Content = content
}

// checkTag rejects tags that give a value another type than its syntax.
func (e *expander) checkTag(n *yaml.Node) {
	tag := n.ShortTag()
	switch {
	case tag == "!!merge": // as a value, << is an ordinary word
		n.Tag = "!!str"
	case n.Kind == yaml.MappingNode && tag == "!!map", n.Kind == yaml.SequenceNode && tag == "!!seq", tag == Refused:
	case n.Kind == yaml.ScalarNode && strings.Contains(" !!str !!int !!float !!bool !!null !!timestamp ", " "+tag+" "):
	default:
		e.report(BadTag, n, fmt.Sprintf("a value tagged %q; write it without the tag", tag))
		n.Tag = Refused
	}
}
