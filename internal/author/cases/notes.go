package cases

import (
	"slices"
	"strconv"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Notes reports what a hook's cases do not test, even if all of them pass. results must be
// those of all its cases. Notes uses the expectations, not the actual results, so failing cases
// count, too.
func Notes(hook *discovery.Hook, results []*Result) []string {
	if len(results) == 0 || slices.ContainsFunc(results, func(r *Result) bool { return r.Status != Passed && r.Status != Failed }) {
		return nil
	}
	stops := slices.ContainsFunc(results, (*Result).stopped)
	lets := slices.ContainsFunc(results, func(r *Result) bool { return !r.stopped() })
	switch {
	case stops && !lets:
		return []string{"every case expects a block, so a guard that blocks everything would also pass: add a case that must pass"}
	case !stops && hook.OnFailure != manifest.Allow && !slices.ContainsFunc(results, (*Result).rewrote):
		return []string{"it is a guard (on-failure: " + string(hook.OnFailure) + "), but no case expects a block: add one"}
	case !stops && hook.Trigger.IsPre() && !hook.Async && !slices.ContainsFunc(results, (*Result).effect):
		return []string{"no case expects a block or an answer, so a script that does nothing would also pass: add one"}
	}
	return nil
}

// stopped reports whether the hook may block or ask in this case.
func (r *Result) stopped() bool {
	if x := r.Case.expect; x != nil {
		switch {
		case !x.fires:
			return false
		case x.values["decision"] != nil:
			return x.stops()
		case x.stops(), r.Status == Failed && x.wants("reason"):
			return true // it may; Notes reports only what is certain
		}
	}
	return r.saw.answers.is("decision", "deny", "ask")
}

// rewrote reports whether the hook changed the event in this case. It is then no
// guard, and its on-failure keeps calls from passing unchanged.
func (r *Result) rewrote() bool {
	return r.Hook != nil && (r.Hook.Answer.ModifiedInput != nil || r.Hook.Answer.UpdatedOutput != nil || r.Hook.Answer.ModifiedPrompt != "")
}

// effect reports whether the hook has any effect in this case.
func (r *Result) effect() bool {
	x := r.Case.expect
	if r.Answered() || x == nil {
		return r.Answered()
	}
	return x.values.is("decision", "allow") || len(x.files) > 0 || slices.ContainsFunc(answerKeys[:], func(key string) bool {
		return x.wants(key) || key != "exit" && key != "decision" && x.values.get(key).kind != null
	})
}

// stops reports whether the case expects that the hook blocks or asks.
func (x *expectation) stops() bool {
	return x.values.is("decision", "deny", "ask") || x.values["decision"] == nil && x.values.is("exit", strconv.Itoa(spec.ExitBlock))
}

// wants reports whether the case expects a match in a text.
func (x *expectation) wants(key string) bool {
	p := x.texts[key]
	return p != nil && p.matcher != nil
}
