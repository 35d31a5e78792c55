package agent

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/protocol"
)

const (
	helloMethod   = "hook.hello"
	eventMethod   = "hook.event"
	beforeMethod  = "hook.before_tool"
	approveMethod = "hook.approve_tool"
)

// Hello performs the handshake with a process that was started for a hook. If
// it returns an error, the caller must end the process.
func (f *Foreign) Hello(t script.Talk, hook string) error {
	params := append(rawjson.AppendText([]byte(`{"name":`), hook), `,"version":1,"modes":["observe","llm","tool","approve"]}`...)
	result, err := t.Ask(helloMethod, params)
	switch {
	case errors.Is(err, script.ErrLeft), err == nil && string(lastAt(result, "ok")) != "true":
		return errors.New("bad answer: the hook did not answer hook.hello")
	case err != nil:
		return fmt.Errorf("%s: %w", helloMethod, err)
	}
	return nil
}

// Converse sends the event to a hook and returns its result, nil for a
// notification. If a hook of a tool call is not written for one native event,
// Converse also asks it to approve the call as changed by its result.
func (f *Foreign) Converse(t script.Talk) ([]byte, error) {
	if f.Notifies() {
		return nil, t.Tell(eventMethod, f.params)
	}
	result, err := t.Ask(f.Row.Name, f.params)
	if restricts(result) {
		return result, nil
	}
	if err != nil {
		return nil, err
	}
	if err := f.sound(f.Row.Name, result); err != nil || f.Row.Name != beforeMethod || !f.whole {
		return result, err
	}
	return f.approved(t, result)
}

// approved asks the hook to approve the call as changed by its result.
func (f *Foreign) approved(t script.Talk, result []byte) ([]byte, error) {
	answer, err := t.Ask(approveMethod, f.called(result))
	var refused *script.HookError
	switch {
	case restricts(answer):
		return denied(answer), nil
	case errors.Is(err, script.ErrLeft), errors.As(err, &refused) && string(lastAt(refused.Object, "code")) == "-32601":
		return result, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w; a hook that does not approve tools sets metadata.native-event to %s", approveMethod, err, beforeMethod)
	}
	return result, f.sound(approveMethod, answer)
}

// called returns the parameters of the request with the call as changed by
// result.
func (f *Foreign) called(result []byte) []byte {
	params := f.params
	for _, key := range []string{"tool", "arguments"} {
		if changed := lastAt(result, "call."+key); changed != nil && isAction(result, "modify") {
			params = replaceAt(params, key, func([]byte) []byte { return changed })
		}
	}
	return params
}

// denied converts a refused approval to the answer to hook.before_tool.
func denied(answer []byte) []byte {
	if lastAt(answer, "action") != nil {
		return answer
	}
	reason := lastAt(answer, "reason")
	if reason == nil {
		reason = []byte(`""`)
	}
	return slices.Concat([]byte(`{"action":"deny_tool","reason":`), reason, []byte("}"))
}

// restrictions are the actions that stop an operation, the most restrictive
// first.
var restrictions = [...]string{"hard_abort", "abort_turn", "deny_tool", "respond"}

func restricts(result []byte) bool {
	for _, value := range descend(result, "approved") {
		if string(value) == "false" {
			return true
		}
	}
	return slices.ContainsFunc(restrictions[:], func(action string) bool { return isAction(result, action) })
}

// Refusal implements script.Dialog. It returns the most restrictive of the results in a hook's answer to one
// request, nil if none restricts. line is the whole answer if it is not valid:
// a restriction in it counts, as in the output of a script (D25).
func (f *Foreign) Refusal(results [][]byte, line []byte) []byte {
	var refused []byte
	for _, result := range results {
		switch {
		case !isObject(result) || !rawjson.Valid(result):
			line = result
		case restricts(result) && (refused == nil || level(result) < level(refused)):
			refused = result
		}
	}
	if refused != nil {
		return refused
	}
	for _, action := range restrictions {
		if has(line, "action", `"`+action+`"`) {
			return objectOf([]member{{"action", rawjson.AppendText(nil, action)}, {"reason", reasonIn(line)}})
		}
	}
	if has(line, "approved", "false") {
		return objectOf([]member{{"approved", []byte("false")}, {"reason", reasonIn(line)}})
	}
	return nil
}

// level returns the position of a result's action in restrictions.
func level(result []byte) int {
	return slices.IndexFunc(append(restrictions[:], ""), func(action string) bool { return action == "" || isAction(result, action) })
}

// has reports whether a text that need not be JSON has a key with a value.
func has(text []byte, key, value string) bool {
	found := false
	valuesIn(text, key, func(rest []byte) bool {
		found = bytes.HasPrefix(rest, []byte(value))
		return !found
	})
	return found
}

// reasonIn returns the first reason in a text that need not be JSON.
func reasonIn(text []byte) (reason []byte) {
	reason = []byte(`""`)
	valuesIn(text, "reason", func(rest []byte) bool {
		end := rawjson.StringTokenEnd(rest, 0)
		if end < 0 {
			return true
		}
		reason = rest[:end]
		return false
	})
	return reason
}

// valuesIn calls visit for each occurrence of a key and a colon in a text that
// need not be JSON, with the text that follows, until visit returns false.
func valuesIn(text []byte, key string, visit func(rest []byte) bool) {
	quoted := []byte(`"` + key + `"`)
	for at := bytes.Index(text, quoted); at >= 0; at = bytes.Index(text, quoted) {
		text = text[at+len(quoted):]
		colon := rawjson.SkipSpace(text, 0)
		if colon < len(text) && text[colon] == ':' && !visit(text[rawjson.SkipSpace(text, colon+1):]) {
			return
		}
	}
}

// isAction reports whether a result has the action. Every value of a repeated
// key counts.
func isAction(result []byte, action string) bool {
	return slices.ContainsFunc(descend(result, "action"), func(value []byte) bool { return isLiteral(value, action) })
}

// sound returns an error for a result without known content.
func (f *Foreign) sound(method string, result []byte) error {
	if !isObject(result) {
		return fmt.Errorf("bad answer: the result of %s is not an object", method)
	}
	action := lastAt(result, "action")
	switch {
	case method == approveMethod && string(lastAt(result, "approved")) == "true":
		return nil
	case isAction(result, "continue"), isAction(result, "modify"), len(latest(result)) == 0:
		return nil
	case action != nil:
		return fmt.Errorf("bad answer: %s has no action %s", method, clip(string(action)))
	}
	return fmt.Errorf("bad answer: the result of %s has no action", method)
}

// carried returns an error if an answer lacks a restriction or a change that the
// hook's result contains.
func (f *Foreign) carried(result []byte, answer protocol.Answer) error {
	if restricts(result) && answer.Decision != protocol.Deny {
		return fmt.Errorf("bad answer: %s does not have this action", f.Row.Name)
	}
	tool, changed := f.redirected(result)
	switch {
	case !changed:
		return nil
	case tool == "":
		return fmt.Errorf("%w: its call.tool is not a name", script.ErrRedirected)
	case !f.Own:
		return fmt.Errorf("%w to %s, which cannot be passed on", script.ErrRedirected, clip(tool))
	}
	return nil
}

// redirected returns the tool to which a result changes the call; "" if that is
// not a name.
func (f *Foreign) redirected(result []byte) (tool string, changed bool) {
	before, after := lastAt(f.params, "tool"), lastAt(result, "call.tool")
	if !isAction(result, "modify") || before == nil || after == nil {
		return "", false
	}
	tool, isText := rawjson.Text(after)
	return tool, !isText || !isLiteral(before, tool)
}

// redirect returns the event as a call of another tool.
func (f *Foreign) redirect(e *protocol.Event, tool string) *protocol.Event {
	name := rawjson.AppendText(nil, tool)
	return e.AsTool(f.Agent.canonicalTool(tool, f.caller), e.ToolInput()).WithToolName(tool).
		WithField("tool", name).WithField("native_tool_name", name)
}

// native returns the content that the format cannot express: a changed request
// to the model or its changed response, and, for PicoClaw itself, how the
// operation stops.
func (f *Foreign) native(result []byte) []byte {
	_, redirected := f.redirected(result)
	switch {
	case redirected && f.Own, isAction(result, "modify") && changedMessage(result) != nil,
		f.Own && restricts(result) && !isAction(result, "deny_tool") && lastAt(result, "action") != nil:
		return bytes.Clone(result)
	}
	return nil
}

// changedMessage returns the changes of a result to a request to the model, or
// to its response, as members of the payload.
func changedMessage(result []byte) (members []member) {
	for _, request := range descend(result, "request") {
		members = append(members, latest(request)...)
	}
	for _, response := range descend(result, "response") {
		members = append(members, member{"response", response})
	}
	return members
}

// Changed returns the event as changed by a hook's native answer, e itself if
// the answer changes nothing.
func (f *Foreign) Changed(e *protocol.Event, native []byte) *protocol.Event {
	var changed []member
	switch {
	case !f.Agent.Converses:
		changed = f.changes(e, native)
	case isAction(native, "modify"):
		if tool, redirected := f.redirected(native); redirected {
			e = f.redirect(e, tool)
		}
		changed = changedMessage(native)
	}
	for _, m := range changed {
		if !e.Same(m.key, m.value) {
			e = e.WithField(m.key, m.value)
		}
	}
	return e
}

// request adds the request to the model, or its response, to a payload.
// PicoClaw's hooks require the lists to be present.
func (b *builder) request(o *object) {
	switch b.row.Name {
	case "hook.before_llm":
		o.set("messages", []byte("[]"))
		o.set("tools", []byte("[]"))
		for _, key := range requestKeys {
			if value := lookup(b.members, key); value != nil {
				o.set(key, value)
			}
		}
	case "hook.after_llm":
		if value := lookup(b.members, "response"); isObject(value) {
			o.set("response", value)
		}
	}
}

// changed returns the caller's payload with the values that hooks have changed.
func (b *builder) changed(payload []byte) []byte {
	keys := append(requestKeys[:], "response", "tool")
	if !b.agent.Converses {
		keys = strings.Fields(strings.ReplaceAll(b.row.Native, specificOutput, ""))
	}
	for _, key := range keys {
		now, before := lookup(b.members, key), lookup(latest(payload), key)
		if now != nil && before != nil && !same(now, before) {
			payload = replaceAt(payload, key, func([]byte) []byte { return now })
		}
	}
	return payload
}

// Notifies reports whether the event is a notification, which has no response.
func (f *Foreign) Notifies() bool { return !strings.HasPrefix(f.Row.Name, "hook.") }

// conversation returns the complete input of a hook that gets one event and
// whose responses are ignored.
func (f *Foreign) conversation(hook string) (text []byte) {
	id := 0
	say := func(method string, params []byte, request bool) {
		text = append(text, `{"jsonrpc":"2.0",`...)
		id++
		if request {
			text = fmt.Appendf(text, `"id":%d,`, id)
		}
		text = append(rawjson.AppendText(append(text, `"method":`...), method), `,"params":`...)
		text = append(append(text, bytes.ReplaceAll(params, []byte("\n"), []byte(" "))...), "}\n"...)
	}
	_ = f.Hello(script.Talk{Ask: func(method string, params []byte) ([]byte, error) {
		say(method, params, true)
		return nil, script.ErrLeft
	}}, hook)
	_, _ = f.Converse(script.Talk{
		Ask: func(method string, params []byte) ([]byte, error) {
			say(method, params, true)
			return []byte("{}"), nil
		},
		Tell: func(method string, params []byte) error { say(method, params, false); return nil },
	})
	return text
}
