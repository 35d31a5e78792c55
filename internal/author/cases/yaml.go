package cases

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// parseYAML reads a YAML file; nil if it cannot be read, which is reported.
func (s *source) parseYAML() *value {
	text := s.bytes[s.mark():]
	root, err := tree.DecodeYAML(text)
	if err != nil {
		offset, message := tree.YAMLProblem(text, err)
		s.report(badFile, s.mark()+offset, message)
		return nil
	}
	if root == nil {
		return &value{kind: null, token: "null"}
	}
	y := yamlReader{s, tree.NewPositions(text, s.mark())}
	root, ok := tree.Expand(root, 2*maxValues, maxDepth, y.report)
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
	positions *tree.Positions
}

func (y yamlReader) report(kind tree.Kind, at *yaml.Node, message string) {
	code := badKey
	if kind == tree.BadTag {
		code = badValue
	}
	y.source.report(code, y.positions.Offset(at), message)
}

// scalar reads a scalar. Only a plain scalar can be anything except a string.
func (y yamlReader) scalar(v *value, n *tree.Node) {
	if !n.Plain {
		if n.Tag != tree.String && n.Tag != tree.Refused {
			y.source.report(badValue, v.at, fmt.Sprintf("a value tagged %q; write it without the tag", n.Tag))
		}
		v.kind, v.token = text, tree.JSON(n.Text)
		return
	}
	kind, token, problem := plain(n.Text)
	if problem != "" {
		y.source.report(badValue, v.at, problem)
	}
	v.kind, v.token = kind, token
}
