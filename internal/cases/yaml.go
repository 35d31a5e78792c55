package cases

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

// parseYAML reads a YAML file; nil if it cannot be read, which is reported.
func (s *source) parseYAML() *value {
	text := s.bytes[s.mark():]
	root, err := yamltext.Decode(text)
	if err != nil {
		offset, message := yamltext.Problem(text, err)
		s.report(badFile, s.mark()+offset, message)
		return nil
	}
	if root == nil {
		return &value{kind: null, token: "null"}
	}
	y := yamlReader{source: s, places: yamltext.NewPlaces(text), left: mostValues}
	v := y.value(root, 0)
	if y.left < 0 {
		s.reportFile(tooMuch)
		return nil
	}
	return v
}

// yamlReader converts the parser's nodes to values, and bounds the expansion of aliases.
type yamlReader struct {
	source *source
	places *yamltext.Places
	left   int // values still allowed; below 0: too many
}

func (y *yamlReader) value(n *yaml.Node, depth int) *value {
	y.left--
	if depth > mostDepth {
		y.left = -1
	}
	v := &value{at: y.offset(n), kind: null, token: "null"}
	if y.left < 0 {
		return v
	}
	switch n.Kind {
	case yaml.AliasNode:
		aliased := y.value(n.Alias, depth+1)
		aliased.at = v.at
		return aliased
	case yaml.MappingNode:
		y.checkTag(n, "!!map")
		v.kind, v.token = object, ""
		y.members(v, n, depth)
	case yaml.SequenceNode:
		y.checkTag(n, "!!seq")
		v.kind, v.token = array, ""
		for _, item := range n.Content {
			v.items = append(v.items, y.value(item, depth+1))
		}
	default:
		y.scalar(v, n)
	}
	return v
}

func (y *yamlReader) members(v *value, n *yaml.Node, depth int) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content) && y.left >= 0; i += 2 {
		key := n.Content[i]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		e := entry{key: key.Value, at: y.offset(n.Content[i]), value: y.value(n.Content[i+1], depth+1)}
		switch {
		case key.Kind != yaml.ScalarNode:
			y.source.report(badKey, e.at, "a key that is not a plain word")
		case key.Value == "<<" && key.Style == 0:
			y.source.report(badKey, e.at, "a merge key `<<`; write the keys out")
		default:
			y.source.add(v, seen, e)
		}
	}
}

// checkTag rejects tags that give a value another type than its syntax.
func (y *yamlReader) checkTag(n *yaml.Node, want string) {
	if n.Style&yaml.TaggedStyle != 0 && n.ShortTag() != want {
		y.source.report(badValue, y.offset(n), fmt.Sprintf("a value tagged %q; write it without the tag", n.ShortTag()))
	}
}

// scalar reads a scalar. Only a plain scalar can be anything except a string.
func (y *yamlReader) scalar(v *value, n *yaml.Node) {
	if n.Style != 0 {
		y.checkTag(n, "!!str")
		v.kind, v.token = text, yamltext.JSON(n.Value)
		return
	}
	kind, token, problem := plain(n.Value)
	if problem != "" {
		y.source.report(badValue, v.at, problem)
	}
	v.kind, v.token = kind, token
}

// offset returns the byte offset of n in the file.
func (y *yamlReader) offset(n *yaml.Node) int { return y.source.mark() + y.places.Offset(n) }
