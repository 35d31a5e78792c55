package manifest

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/matcher"
)

// checkWhen compiles the expressions of metadata.when.
func (r *reader) checkWhen() {
	for i, c := range r.hook.When {
		_, err := matcher.Compile("", c.Pattern)
		var bad *matcher.Error
		if errors.As(err, &bad) {
			r.source.report("pattern", r.source.within(r.when[i], bad.Offset), fmt.Sprintf("metadata.when.%s does not compile: %v; use the syntax of Python's re", c.Field, bad.Err))
			continue
		}
		for _, d := range matcher.Differences(c.Pattern) {
			r.source.report("pattern-dialect", r.source.within(r.when[i], d.Offset), "metadata.when."+c.Field+" has "+d.Message)
		}
	}
}

// checkUnless compiles the expressions of metadata.unless.
func (r *reader) checkUnless() {
	for _, e := range r.unless {
		_, err := matcher.Compile("", e.Text)
		if bad := (*matcher.Error)(nil); errors.As(err, &bad) {
			r.source.report("unless", r.source.within(e, bad.Offset), fmt.Sprintf("metadata.unless does not compile: %v; until then it excepts nothing", bad.Err))
		}
	}
}

// checkPattern reports an expression that does not compile, or means something
// else in Python's re (D19).
func (r *reader) checkPattern(part string, n *tree.Node, err error) {
	if n == nil {
		return
	}
	var bad *matcher.Error
	if errors.As(err, &bad) {
		hint := cmp.Or(advice.Hint(part, n.Text), "use the syntax of Python's re")
		r.source.report("pattern", r.source.within(n, bad.Offset), "matcher."+part+" does not compile: "+bad.Err.Error()+"; "+hint)
		return
	}
	for _, d := range matcher.Differences(n.Text) {
		r.source.report("pattern-dialect", r.source.within(n, d.Offset), "matcher."+part+" has "+d.Message)
	}
	r.lintPart(part, n)
}

// within converts an offset in a scalar's text to an offset in the file, if the
// file contains the text without escapes; otherwise it returns the scalar's
// offset.
func (s *source) within(n *tree.Node, offset int) int {
	if offset < 0 {
		return n.Start
	}
	raw := string(s.bytes[n.Start:s.end])
	start := n.Start
	if strings.HasPrefix(raw, `"`) || strings.HasPrefix(raw, `'`) {
		raw, start = raw[1:], start+1
	}
	if !strings.HasPrefix(raw, n.Text) {
		return n.Start
	}
	return start + offset
}
