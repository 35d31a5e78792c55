package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Answer is a constant answer (D77): what the hook answers to every event that
// it matches, without a script. "" means that a part is absent.
type Answer struct {
	Decision          OnFailure // Allow, Deny, Ask, or "" for no opinion
	Reason            string
	AdditionalContext string // for the model
	SystemMessage     string // for the user
}

// Restricts reports whether a is a deny or an ask. a may be nil.
func (a *Answer) Restricts() bool { return a != nil && (a.Decision == Deny || a.Decision == Ask) }

// Policy returns the effect of a failure of the hook (D27): that of its
// on-failure, or its constant deny or ask if that is stricter, because a defect
// must not disable it (D77).
func (h *Hook) Policy() OnFailure {
	if h.Answer.Restricts() {
		return stricter(h.OnFailure, h.Answer.Decision)
	}
	return h.OnFailure
}

// Match and Access are those of package spec.
type (
	Match  = spec.Match
	Access = spec.Access
)

// The values of Match and Access.
const (
	Values, Commands, Paths, Pipelines, UnknownMatch = spec.Values, spec.Commands, spec.Paths, spec.Pipelines, spec.UnknownMatch
	Read, Write, Remove, RemoveTree, Show, AnyAccess = spec.Read, spec.Write, spec.Remove, spec.RemoveTree, spec.Show, spec.AnyAccess
)

func (r *reader) readMatch(n *tree.Node) {
	switch m := Match(n.Text); {
	case n.Tag == tree.Null:
		return
	case n.Tag == tree.String && (m == Values || m == Commands || m == Pipelines || m == Paths):
		r.hook.Match = m
		if m == Values {
			r.hook.Match = ""
		}
	default:
		r.hook.Match = UnknownMatch
		r.problem("match", n, "metadata.match is %s; values, commands, pipelines or paths (until then every input counts as matched)")
	}
}

// readAccess reads metadata.access. One that cannot be read is any access.
func (r *reader) readAccess(n *tree.Node) {
	if n.Tag == tree.Null {
		return
	}
	const hint = "write a list of read, show, write, remove and remove-tree (until then every path counts)"
	if n.Tag != tree.List || len(n.Children) == 0 {
		r.hook.Access = AnyAccess
		r.problem("access", n, "metadata.access is %s; "+hint)
		return
	}
	for _, item := range n.Children {
		if i := slices.Index(spec.AccessWords()[:], item.Text); i >= 0 && item.Tag == tree.String {
			r.hook.Access |= 1 << i
		} else {
			r.hook.Access = AnyAccess
			r.problem("access", item, "a word in metadata.access is %s; "+hint)
		}
	}
}

// readUnless reads metadata.unless.
func (r *reader) readUnless(n *tree.Node) {
	if n.Tag == tree.Null {
		return
	}
	if n.Tag != tree.List {
		r.problem("unless", n, "metadata.unless is %s; write a list of regular expressions (until then nothing is excepted)")
		return
	}
	for _, item := range n.Children {
		if item.Tag != tree.String {
			r.problem("unless", item, "an expression in metadata.unless is %s; put it in single quotes (until then it excepts nothing)")
			continue
		}
		r.hook.Unless = append(r.hook.Unless, item.Text)
		r.unless = append(r.unless, item)
	}
}

// readForm reads metadata.form (D128). A value that cannot be read leaves both forms.
func (r *reader) readForm(n *tree.Node) {
	switch {
	case n.Tag == tree.Null:
	case n.Tag == tree.String && n.Text == "marked":
		r.hook.Marked, r.form = true, n
	default:
		r.problem("form", n, "metadata.form is %s; marked, or remove the key (until then the pattern is searched in both forms)")
	}
}

// readUndecided reads metadata.undecided (D94).
func (r *reader) readUndecided(n *tree.Node) {
	switch {
	case n.Tag == tree.Null || n.Tag == tree.String && n.Text == "match":
	case n.Tag == tree.String && n.Text == "pass":
		r.hook.Pass, r.undecided = true, n
	default:
		r.problem("undecided", n, "metadata.undecided is %s; match or pass (until then what is undecided matches)")
	}
}

// Passes reports whether what is undecided passes the hook: metadata.undecided is
// pass, and the hook is a constant deny or ask.
func (h *Hook) Passes() bool { return h.Pass && h.Answer.Restricts() }

// readOwn reads metadata.own (D156).
func (r *reader) readOwn(n *tree.Node) {
	switch {
	case n.Tag == tree.Null:
	case n.Tag == tree.String && n.Text == "pass":
		r.hook.Own, r.own = true, n
	default:
		r.problem("own", n, "metadata.own is %s; pass, or remove the key (until then nothing is excepted)")
	}
}

// PassesOwn reports whether what the session has made passes the hook: metadata.own is pass,
// and the hook is a constant deny or ask about removed paths.
func (h *Hook) PassesOwn() bool {
	removes := h.Access != 0 && h.Access&^(Remove|RemoveTree) == 0
	return h.Own && h.Answer.Restricts() && h.Match == Paths && removes
}

// readAnswer reads metadata.answer. A decision that cannot be read counts as
// ask, as an on-failure does.
func (r *reader) readAnswer(n *tree.Node) {
	var a Answer
	switch {
	case n.Tag == tree.Mapping:
		for _, e := range n.Children {
			r.readAnswerKey(&a, e)
		}
	case n.Tag == tree.Null:
		r.source.report("value-type", n.Start, "metadata.answer is empty, which counts as absent; write a mapping with decision and reason, or remove the key")
		return
	case n.Tag == tree.List || refused(n):
		r.wrongType(n, "metadata.answer is %s; write a mapping with decision and reason")
		return
	default:
		a.Decision, _ = decision(n.Text)
		r.problem("answer", n, "metadata.answer is %s, which counts as {decision: "+string(a.Decision)+"}; write a mapping with decision and reason")
	}
	if a.Decision == "" && a.AdditionalContext == "" && a.SystemMessage == "" {
		r.source.report("answer-empty", n.Start, "metadata.answer has no decision, additional_context or system_message, so it says nothing; add one")
		return
	}
	r.hook.Answer = &a
}

// answerKeys are the keys of a constant answer.
var answerKeys = []string{"decision", "reason", "additional_context", "system_message"}

func (r *reader) readAnswerKey(a *Answer, e *tree.Node) {
	key := e.Key
	if !slices.Contains(answerKeys, key) {
		hint := "the keys here are " + strings.Join(answerKeys, ", ")
		if near, ok := shown.Near(key, answerKeys); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
			key = near
			if key == "decision" && a.Decision == "" { // a misspelled guard still is one
				a.Decision, _ = decision(e.Text)
			}
		}
		r.source.report("answer", e.Begin, fmt.Sprintf("unknown key %q in metadata.answer; %s", e.Key, hint))
		return
	}
	if key == "decision" {
		var known bool
		a.Decision, known = decision(e.Text)
		if !known || e.Tag != tree.String {
			r.problem("answer", e, "metadata.answer.decision is %s, which counts as "+string(a.Decision)+"; deny, ask or allow")
		}
		return
	}
	text, ok := r.text("metadata.answer."+key, e, "answer")
	if !ok {
		return
	}
	switch key {
	case "reason":
		a.Reason = text
	case "additional_context":
		a.AdditionalContext = text
	case "system_message":
		a.SystemMessage = text
	}
}

// decision reads the decision of a constant answer. block means deny (D25).
func decision(text string) (d OnFailure, known bool) {
	d = OnFailure(strings.ToLower(strings.TrimSpace(text)))
	switch d {
	case "block":
		return Deny, text == "block"
	case Allow, Deny, Ask:
		return d, string(d) == text
	}
	return Ask, false
}

// checkAnswer reports keys of a script next to a constant answer, and a reason
// that an agent may ignore. They do not stop a deny or an ask, but an allow.
func (r *reader) checkAnswer() {
	if r.hook.Answer == nil {
		return
	}
	for name := range spec.ScriptKeys() {
		members, key := r.root.Children, name
		if inner, ok := strings.CutPrefix(name, "metadata."); ok {
			members, key = r.metadata, inner
		}
		for _, e := range members {
			if e.Key == key {
				r.source.report("answer", e.Begin, name+" has no effect next to metadata.answer, which starts no process; remove it, or the answer")
			}
		}
	}
	r.hook.Async, r.hook.AsyncSet = false, true
	r.hook.Retry, r.hook.Pure, r.hook.Protocol = 0, false, ""
}

// keepDecision lets a hook fail with the deny or ask that is probably its answer
// but stands elsewhere: under a misspelled key, at the top level, or not indented.
// Such a hook has no script either, so it cannot run (D77).
func (r *reader) keepDecision() {
	if r.hook.Answer != nil {
		return
	}
	for _, members := range [...][]*tree.Node{r.root.Children, r.metadata} {
		for _, e := range members {
			value := e
			if e.Key != "decision" {
				value = value.Member("decision")
			}
			if value == nil {
				continue
			}
			policy, _ := decision(value.Text)
			if policy != Deny && !strings.EqualFold(strings.TrimSpace(value.Text), string(Ask)) {
				continue
			}
			r.hook.OnFailure, r.hook.OnFailureSet = stricter(r.hook.OnFailure, policy), true
		}
	}
}
