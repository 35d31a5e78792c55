package agent

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// Restrict reads an object by the agent's own rules for answers to the call's
// event, for a program that may only restrict (D79). An object that the agent
// does not read as an answer is not Known.
func (c *Call) Restrict(object []byte) protocol.Restriction {
	j := judgment{agent: c.Agent, row: c.row(), stdout: string(object), own: true}
	answer, err := j.judge()
	r := protocol.Restriction{Answer: answer.OnlyRestricting(), Err: err}
	if r.Answer.Reason == j.deny("").Reason {
		r.Answer.Reason = "" // it was added
	}
	r.Dropped = answer.Decision == protocol.Allow || answer.ModifiedInput != nil || answer.UpdatedOutput != nil || answer.ModifiedPrompt != ""
	reader := formReader{judgment: &j, object: object}
	r.Known = r.Restricts() || r.Dropped || reader.decides()
	for path := range strings.FieldsSeq(j.row.Native) {
		path, _ = strings.CutSuffix(path, "?")
		if len(descend(object, path)) > 0 {
			r.Known, r.Dropped = true, r.Dropped || !slices.Contains(verbatim[:], path)
		}
	}
	if err == nil {
		j.row.feedback(object, &r.Answer)
	}
	return r
}

// Restricts reports whether an answer to the event can restrict anything.
func (row *NativeEvent) Restricts() bool {
	return row.Deny != nil || row.Ask != nil || row.Stop != nil || row.Exit2 || row.InOutput
}

// feedback adds the feedback with which j-cli calls the model again. It stops the
// present operation, also without an action.
func (row *NativeEvent) feedback(object []byte, a *protocol.Answer) {
	const key = "retry_feedback"
	text := ""
	for _, value := range descend(object, key) {
		text, _ = rawjson.Text(value)
	}
	if text == "" || !slices.Contains(strings.Fields(row.Native), key) {
		return
	}
	if a.Decision != protocol.Deny {
		a.Decision, a.Reason = protocol.Deny, text
	}
	a.Native = objectOf([]member{{"action", []byte(`"stop"`)}, {key, rawjson.AppendText(nil, text)}})
}

// decides reports whether the object has one of the event's forms for a decision
// or a change.
func (r *formReader) decides() bool {
	for _, f := range r.all() {
		forms := []Form{f.Ask, f.Allow, f.Input, f.Prompt, f.Output, f.Stop}
		if !f.Deny.isContext(f.Context) {
			forms = append(forms, f.Deny)
		}
		if slices.ContainsFunc(forms, func(f Form) bool { _, ok := r.match(f); return ok }) {
			return true
		}
	}
	return false
}
