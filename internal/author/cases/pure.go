package cases

import (
	"context"
	"fmt"
)

// again runs a pure hook a second time in the same directory. If the results differ, the hook
// changes something or depends on more than its event, which is a mismatch.
func (p *play) again(ctx context.Context, r *Result) {
	if !p.Hook.Pure || p.Hook.Async || r.Status != Passed || !r.saw.fired {
		return
	}
	second := &Result{Case: p.Case}
	p.perform(ctx, second)
	if what, first, then := difference(r.saw, second.saw); what != "" && ctx.Err() == nil {
		r.Status = Failed
		r.Mismatches = append(r.Mismatches, Mismatch{"pure", fmt.Sprintf("the same %s in a second run (metadata.pure: true)", what),
			fmt.Sprintf("first %s, then %s; remove `pure`, or let the hook change nothing", first, then)})
	}
}

// difference returns the first part in which two observations differ, the decision first.
func difference(a, b observation) (what, first, then string) {
	for _, key := range append([]string{"decision"}, answerKeys[:]...) {
		if x, y := a.answers.get(key), b.answers.get(key); !x.same(y) {
			return key, answerText(key, x), answerText(key, y)
		}
	}
	return "", "", ""
}
