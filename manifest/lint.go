package manifest

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/advice"
)

// lintPart warns about an expression that compiles but contains a clear
// mistake. It ignores events without a tool, on which the expression has no
// effect.
func (r *reader) lintPart(part string, n *node) {
	if !r.hook.Trigger.IsTool() {
		return
	}
	for _, f := range advice.Check(part, n.text) {
		r.source.report(f.Code, r.source.within(n, f.Offset), "matcher."+part+" "+f.Message())
	}
}

// lintAsync warns about an async hook that is meant to block when it fails:
// async hooks cannot block (D36).
func (r *reader) lintAsync() {
	if !r.hook.Async || r.hook.OnFailure == Allow || r.hook.OnFailure == "" {
		return
	}
	for _, e := range r.metadata {
		if e.key == "on-failure" && e.value.tag == "!!str" {
			r.source.report("async-on-failure", e.offset, fmt.Sprintf(
				"on-failure %q of an async hook, which cannot block anything; remove async or on-failure", r.hook.OnFailure))
		}
	}
}
