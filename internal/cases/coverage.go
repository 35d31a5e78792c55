package cases

import (
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/advice"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Coverage reports which parts of a hook's trigger and matcher its cases exercise.
type Coverage struct {
	Parts int   `json:"parts"` // that can be exercised
	Gaps  []Gap `json:"gaps"`  // those that no case does
}

// Gap is a part that no case exercises.
type Gap struct {
	Part   string `json:"part"`             // trigger, tool, tool name, pattern or matcher
	Branch string `json:"branch,omitempty"` // which alternative of it, or which name
	Needs  string `json:"needs"`            // the kind of case that would
}

// Cover compares the results of a hook's cases with its trigger, with each alternative of its
// expressions, and with the names of the tools in them.
func Cover(hook *discovery.Hook, results []*Result) Coverage {
	c := &covering{fired: slices.DeleteFunc(slices.Clone(results), func(r *Result) bool { return !r.saw.fired })}
	c.part(len(c.fired) > 0, Gap{"trigger", string(hook.Trigger), "a case in which it runs"})
	if !hook.Trigger.IsTool() || hook.Tool == "" && hook.Pattern == "" {
		return c.Coverage
	}
	for _, b := range alternatives(hook.Tool) {
		c.part(c.finds(b, ""), Gap{"tool", b, "a case with a tool that it matches"})
		c.names(b)
	}
	for _, b := range alternatives(hook.Pattern) {
		c.part(c.finds("", b), Gap{"pattern", b, "a case with an input that it matches"})
	}
	passed := slices.ContainsFunc(results, func(r *Result) bool { return r.saw.because != "" })
	c.part(passed, Gap{"matcher", "", "a case with `fires: false`, that it passes over"})
	return c.Coverage
}

func alternatives(expression string) []string {
	if expression == "" {
		return nil
	}
	return advice.Alternatives(expression)
}

type covering struct {
	Coverage
	fired []*Result
}

func (c *covering) part(exercised bool, gap Gap) {
	c.Parts++
	if !exercised {
		c.Gaps = append(c.Gaps, gap)
	}
}

// finds reports whether the hook ran in a case that the expression matches.
func (c *covering) finds(tool, pattern string) bool {
	m, err := matcher.Compile(tool, pattern)
	return err != nil || slices.ContainsFunc(c.fired, func(r *Result) bool { return m.Match(r.subject).Matched })
}

// names checks the names of a tool in a branch: scripts see the caller's own name.
func (c *covering) names(tool string) {
	all := spec.ToolNames(tool)
	if len(all) < 2 {
		return
	}
	for _, name := range all {
		called := slices.ContainsFunc(c.fired, func(r *Result) bool { return slices.Contains(r.subject.Own, name) })
		c.part(called, Gap{"tool name", name, "a case that calls the tool so"})
	}
}

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
		return []string{"every case is one that it stops; a guard that stops everything would pass them too: add one that it lets through"}
	case !stops && hook.OnFailure != manifest.Allow:
		return []string{"it is a guard (on-failure: " + string(hook.OnFailure) + "), and no case is one that it stops: add one"}
	case !stops && hook.Trigger.IsPre() && !hook.Async && !slices.ContainsFunc(results, (*Result).effect):
		return []string{"no case shows it do anything; a script that does nothing would pass them too: add one that it stops or answers"}
	}
	return nil
}

// stopped reports whether the hook blocks or asks in this case.
func (r *Result) stopped() bool {
	decision := r.saw.decision
	if x := r.Case.expect; x != nil {
		switch {
		case !x.fires:
			return false
		case x.decision != "":
			decision = x.decision
		case x.exit != nil && x.exit.status == spec.ExitBlock:
			return true
		case r.Status == Failed && x.wants("reason"):
			return true // possibly; notes must be certain
		}
	}
	return decision == "deny" || decision == "ask"
}

// effect reports whether the hook has any effect in this case.
func (r *Result) effect() bool {
	x := r.Case.expect
	if r.Answered() || x == nil {
		return r.Answered()
	}
	if x.decision == "allow" || len(x.files) > 0 || x.texts["failure"] != nil {
		return true
	}
	for _, v := range x.values {
		if v.kind != null {
			return true
		}
	}
	return x.wants("reason") || x.wants("context") || x.wants("message")
}

// wants reports whether the case expects a match in a text.
func (x *expectation) wants(key string) bool {
	p := x.texts[key]
	return p != nil && p.matcher != nil
}
