package cases

import (
	"context"
	"fmt"
	"strconv"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// MayBePure reports whether the cases of a guard expect only decisions, so that metadata.pure
// may be suggested (D73). It starts no process.
func MayBePure(hook *discovery.Hook, all []*Case) bool {
	guards := hook.Trigger == spec.PreToolCall || hook.Trigger == spec.PermissionRequest
	if !guards || hook.Pure || hook.Async || len(all) == 0 {
		return false
	}
	decides := false
	for _, c := range all {
		if len(c.Diagnostics) > 0 || c.expect == nil || len(c.expect.files)+len(c.expect.values) > 0 {
			return false
		}
		decides = decides || c.expect.decision == "deny" || c.expect.decision == "ask" || c.expect.exit != nil && c.expect.exit.status == spec.ExitBlock
	}
	return decides
}

// again runs a pure hook a second time in the same directory. Any difference is a mismatch: the
// hook changes something, or depends on more than its event.
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

// difference returns the first part in which two observations differ.
func difference(a, b observation) (what, first, then string) {
	switch {
	case a.decision != b.decision:
		return "decision", a.decision, b.decision
	case a.exit != b.exit:
		return "exit", a.exit.String(), b.exit.String()
	}
	for _, key := range [...]string{"failure", "reason", "context", "message"} {
		if a.texts[key] != b.texts[key] {
			return key, strconv.Quote(cutText(a.texts[key])), strconv.Quote(cutText(b.texts[key]))
		}
	}
	for _, key := range [...]string{"modified_input", "updated_output"} {
		if x, y := a.values[key], b.values[key]; !x.same(y) {
			return key, shownValue(x), shownValue(y)
		}
	}
	return "", "", ""
}

func shownValue(v *value) string {
	if v == nil {
		return "none"
	}
	return cutText(string(v.JSON()))
}
