package cases

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// parseJSON reads a JSON file; nil if it cannot be read, which is reported.
func (s *source) parseJSON() *value {
	body := s.bytes[s.mark():]
	var whole json.RawMessage
	err := json.Unmarshal(body, &whole) // no comments
	var root *tree.Node
	if err == nil {
		root, err = tree.ReadJSON(body)
	}
	if err != nil {
		at := len(body)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset > 0 {
			at = min(int(syntax.Offset)-1, at)
		}
		s.report(badFile, s.mark()+at, "not JSON: "+strings.TrimPrefix(err.Error(), "json: "))
		return nil
	}
	r := reader{source: s, base: s.mark(), left: maxValues}
	r.scalar = func(v *value, n *tree.Node) { // as it is written, because it may be an event
		v.kind, v.token = kindOf(n), string(body[n.Start:n.End])
	}
	return r.read(root)
}
