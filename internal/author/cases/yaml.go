package cases

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/tree"
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
	r := reader{source: s, left: 2 * maxValues, scalar: y.scalar}
	return r.read(y.positions.Tree(root))
}

// yamlReader reads what is special in YAML.
type yamlReader struct {
	source    *source
	positions *yamltext.Positions
}

func (y yamlReader) report(kind yamltext.Kind, at *yaml.Node, message string) {
	code := badKey
	if kind == yamltext.BadTag {
		code = badValue
	}
	y.source.report(code, y.positions.Offset(at), message)
}

// scalar reads a scalar. Only a plain scalar can be anything except a string.
func (y yamlReader) scalar(v *value, n *tree.Node) {
	if !n.Plain {
		if n.Tag != tree.String && n.Tag != yamltext.Refused {
			y.source.report(badValue, v.at, fmt.Sprintf("a value tagged %q; write it without the tag", n.Tag))
		}
		v.kind, v.token = text, yamltext.JSON(n.Text)
		return
	}
	kind, token, problem := plain(n.Text)
	if problem != "" {
		y.source.report(badValue, v.at, problem)
	}
	v.kind, v.token = kind, token
}
