package manifest

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Limits for the expansion of a front matter.
const (
	maxNodes = 10000
	maxDepth = 64
)

// parse returns the keys and values of the front matter. It returns false if
// the front matter cannot be read as a mapping at all. Lesser problems are
// reported and skipped.
func (s *source) parse() (*tree.Node, bool) {
	root, err := s.decode()
	if err != nil {
		offset, message := tree.YAMLProblem(s.front(), err)
		s.report("yaml", s.start+offset, message)
		return nil, false
	}
	if root == nil || root.Tag == tree.Null {
		return &tree.Node{Tag: tree.Mapping}, true
	}
	if root.Kind != yaml.MappingNode {
		s.report("yaml", s.start, "the front matter is not a mapping; write lines of the form `key: value`")
		return nil, false
	}
	s.triggers = triggersOf(root)
	c := &expansion{source: s, positions: tree.NewPositions(s.front(), s.start)}
	expanded, ok := tree.Expand(root, maxNodes, maxDepth, c.report)
	if !ok {
		s.report("yaml-size", s.start, fmt.Sprintf("the front matter expands to more than %d values or %d levels; write values out instead of nesting them", maxNodes, maxDepth))
		return nil, false
	}
	return c.positions.Tree(expanded), true
}

// triggersOf returns the values of all keys `trigger` that are events. An expanded mapping has only
// the first.
func triggersOf(root *yaml.Node) (events []spec.EventType) {
	value := func(n *yaml.Node) string {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		return n.Value
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if event := spec.EventType(value(root.Content[i+1])); value(root.Content[i]) == "trigger" && event.Valid() {
			events = append(events, event)
		}
	}
	return events
}

// decode passes the part up to the closing fence to the front matter library,
// with our own format: the library's would accept unknown and duplicate keys.
func (s *source) decode() (root *yaml.Node, err error) {
	format := frontmatter.NewFormat("---", "---", func(front []byte, v any) error {
		document, err := tree.DecodeYAML(front)
		*v.(**yaml.Node) = document
		return err
	})
	_, err = frontmatter.MustParse(bytes.NewReader(s.bytes[s.mark():s.body]), &root, format)
	return root, err
}

// expansion reports what is found while a document is expanded.
type expansion struct {
	source    *source
	positions *tree.Positions
	whole     *yaml.Node // the document before its expansion; nil until it is needed
}

// report reports a problem of the document with a code that is fatal only if
// the problem may affect the execution (D85).
func (c *expansion) report(kind tree.Kind, at *yaml.Node, message string) {
	path, fatal, harmless := c.path(at), "yaml", "value-type"
	switch kind {
	case tree.RepeatedKey:
		fatal, harmless = "duplicate-key", "repeated-key"
	case tree.BadKey: // it may mean any key of its mapping
		path = path[:max(0, len(path)-1)]
	}
	code := fatal
	if !affects(path) {
		code = harmless
	}
	c.source.report(code, c.positions.Offset(at), message)
}

// path returns the keys that lead to a node of the document; fewer if an alias
// or a list is on the way, and none if a value on the way has an anchor, because
// it may then be the value of any key.
func (c *expansion) path(at *yaml.Node) (keys []string) {
	if c.whole == nil {
		c.whole, _ = c.source.decode()
	}
	for y := c.whole; y != nil && y.Kind == yaml.MappingNode; {
		// The keys are sorted by position, and there may be many.
		next := sort.Search(len(y.Content)/2, func(i int) bool { return after(y.Content[2*i], at) })
		if next == 0 {
			break
		}
		key := y.Content[2*next-2]
		keys = append(keys, key.Value)
		if !after(at, key) {
			break
		}
		y = y.Content[2*next-1]
		if y.Anchor != "" {
			return nil
		}
	}
	return keys
}

// after reports whether a node begins after another.
func after(a, b *yaml.Node) bool {
	return a.Line > b.Line || a.Line == b.Line && a.Column > b.Column
}

// affects reports whether the value at a path of keys may affect the execution:
// not the texts for people, keys that the format does not have, and metadata
// that the runner does not use.
func affects(path []string) bool {
	if len(path) == 0 {
		return true
	}
	key := path[0]
	switch {
	case key == "tool" || key == "pattern": // they count as the matcher's where that is empty
		return true
	case key == "metadata" && len(path) > 1:
		key += "." + path[1]
	}
	field, ok := spec.FieldAt(key)
	return ok && !field.People
}

// refused reports whether the tag of a value was reported.
func refused(n *tree.Node) bool { return n.Tag == tree.Refused }
