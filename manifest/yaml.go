package manifest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

// Limits for the expansion of a front matter.
const (
	maxNodes = 10000
	maxDepth = 64
)

// entry is one key of a mapping, with its value.
type entry struct {
	key    string
	offset int // of the key, in the file
	value  *node
}

// node is one value of the front matter.
type node struct {
	tag     string // !!str, !!int, !!float, !!bool, !!null, !!timestamp, !!map, !!seq, or a rejected tag
	text    string // of a scalar
	entries []entry
	items   []*node
	offset  int // in the file
	refused bool
}

// parse returns the keys and values of the front matter. It returns false if
// the front matter cannot be read as a mapping at all. Lesser problems are
// reported and skipped.
func (s *source) parse() ([]entry, bool) {
	root, err := s.decode()
	if err != nil {
		offset, message := yamltext.Problem(s.front(), err)
		s.report("yaml", s.start+offset, message)
		return nil, false
	}
	if root == nil || root.Tag == "!!null" {
		return nil, true
	}
	if root.Kind != yaml.MappingNode {
		s.report("yaml", s.start, "the front matter is not a mapping; write lines of the form `key: value`")
		return nil, false
	}
	c := converter{source: s, places: yamltext.NewPlaces(s.front()), left: maxNodes}
	n := c.convert(root, 0)
	if c.left < 0 {
		s.report("yaml-size", s.start, fmt.Sprintf("the front matter expands to more than %d values or %d levels; write values out instead of nesting them", maxNodes, maxDepth))
		return nil, false
	}
	return n.entries, true
}

// decode passes the part up to the closing fence to the front matter library,
// with our own format: the library's would accept unknown and duplicate keys.
func (s *source) decode() (root *yaml.Node, err error) {
	format := frontmatter.NewFormat("---", "---", func(front []byte, v any) error {
		document, err := yamltext.Decode(front)
		*v.(**yaml.Node) = document
		return err
	})
	_, err = frontmatter.MustParse(bytes.NewReader(s.bytes[s.mark():s.body]), &root, format)
	return root, err
}

// converter converts the parser's nodes to ours, and limits the expansion of
// aliases.
type converter struct {
	source *source
	places *yamltext.Places
	left   int // number of nodes that may still be created; below 0: too many
}

func (c *converter) convert(y *yaml.Node, depth int) *node {
	c.left--
	if depth > maxDepth {
		c.left = -1
	}
	if c.left < 0 {
		return &node{}
	}
	if y.Kind == yaml.AliasNode {
		n := c.convert(y.Alias, depth+1)
		n.offset = c.offset(y)
		return n
	}
	n := &node{tag: y.ShortTag(), text: y.Value, offset: c.offset(y)}
	if n.tag == "!!merge" {
		n.tag = "!!str" // as a value, << is an ordinary word
	}
	c.checkTag(n, y)
	seen := map[string]bool{}
	for i := 0; y.Kind == yaml.MappingNode && i+1 < len(y.Content) && c.left >= 0; i += 2 {
		c.add(n, seen, y.Content[i], y.Content[i+1], depth)
	}
	for i := 0; y.Kind == yaml.SequenceNode && i < len(y.Content) && c.left >= 0; i++ {
		n.items = append(n.items, c.convert(y.Content[i], depth+1))
	}
	return n
}

// checkTag rejects tags that give a value another type than its form suggests.
func (c *converter) checkTag(n *node, y *yaml.Node) {
	want := map[yaml.Kind]string{yaml.MappingNode: "!!map", yaml.SequenceNode: "!!seq"}[y.Kind]
	if n.tag == want || want == "" && strings.Contains(" !!str !!int !!float !!bool !!null !!timestamp ", " "+n.tag+" ") {
		return
	}
	n.refused = true
	c.source.report("yaml", n.offset, fmt.Sprintf("a value tagged %q; write it without the tag", n.tag))
}

func (c *converter) add(n *node, seen map[string]bool, key, value *yaml.Node, depth int) {
	k := c.convert(key, depth+1)
	v := c.convert(value, depth+1)
	switch {
	case c.left < 0:
	case key.ShortTag() == "!!merge":
		c.source.report("yaml", k.offset, "a merge key `<<`; write the keys out")
	case k.tag == "!!map" || k.tag == "!!seq" || k.refused:
		c.source.report("yaml", k.offset, "a key that is not a plain word")
	case seen[k.text]:
		c.source.report("duplicate-key", k.offset, fmt.Sprintf("key %q appears twice; keep one of them", k.text))
	default:
		seen[k.text] = true
		n.entries = append(n.entries, entry{k.text, k.offset, v})
	}
}

// find returns the value of a key, nil if it is absent.
func find(entries []entry, key string) *node {
	for i := range entries {
		if entries[i].key == key {
			return entries[i].value
		}
	}
	return nil
}

// offset returns the offset of y in the file.
func (c *converter) offset(y *yaml.Node) int { return c.source.start + c.places.Offset(y) }
