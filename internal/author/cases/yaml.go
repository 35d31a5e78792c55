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
	y := yamlReader{s, yamltext.NewPositions(text, s.mark())}
	root, ok := yamltext.Expand(root, 2*maxValues, maxDepth, y.report)
	if !ok {
		s.reportFile(tooMuch)
		return nil
	}
	return y.value(root)
}

// yamlReader converts the parser's nodes to values.
type yamlReader struct {
	source    *source
	positions *yamltext.Positions
}

func (y yamlReader) report(kind yamltext.Kind, at *yaml.Node, message string) {
	code := badKey
	if kind == yamltext.BadTag {
		code = badValue
	}
	y.source.report(code, y.offset(at), message)
}

func (y yamlReader) value(n *yaml.Node) *value {
	v := &value{at: y.offset(n)}
	switch n.Kind {
	case yaml.MappingNode:
		v.kind = object
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			v.entries = append(v.entries, entry{key: key.Value, at: y.offset(key), value: y.value(n.Content[i+1])})
		}
	case yaml.SequenceNode:
		v.kind = array
		for _, item := range n.Content {
			v.items = append(v.items, y.value(item))
		}
	default:
		y.scalar(v, n)
	}
	return v
}

// scalar reads a scalar. Only a plain scalar can be anything except a string.
func (y yamlReader) scalar(v *value, n *yaml.Node) {
	if n.Style != 0 {
		if tag := n.ShortTag(); tag != "!!str" && tag != yamltext.Refused {
			y.report(yamltext.BadTag, n, fmt.Sprintf("a value tagged %q; write it without the tag", tag))
		}
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
func (y yamlReader) offset(n *yaml.Node) int { return y.positions.Offset(n) }
