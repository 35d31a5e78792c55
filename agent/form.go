package agent

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Form is the native form of one part of an answer, as space-separated
// assignments "path=value". A path contains nested keys separated by dots;
// "hso." is short for "hookSpecificOutput.", and also sets its hookEventName. A
// value is true, false, a literal word, or a variable: $reason, $input,
// $prompt, $context, $message, $output, $tool (the native name); $inputText and
// $outputText are strings. $contexts is only read: an array of strings. An
// assignment with an empty variable is omitted. The key 0 makes its object an
// array. The path "stdout" makes the text the whole answer.
//
// Agent.Judge reads the same form in reverse.
type Form string

// bySilence is the form of a part that an empty answer expresses.
const bySilence Form = "-"

// Forms that several agents use.
const (
	blockTop      Form = "decision=block reason=$reason"
	blockOutput   Form = "decision=block reason=$outputText"
	stopTop       Form = "continue=false stopReason=$reason"
	systemMessage Form = "systemMessage=$message"
	hsoContext    Form = "hso.additionalContext=$context"
	hsoDeny       Form = "hso.permissionDecision=deny hso.permissionDecisionReason=$reason"
	hsoAsk        Form = "hso.permissionDecision=ask hso.permissionDecisionReason=$reason"
	hsoAllow      Form = "hso.permissionDecision=allow hso.permissionDecisionReason=$reason"
	hsoRefuse     Form = "hso.decision.behavior=deny hso.decision.message=$reason"
)

// values are the values of the variables in forms.
type values struct {
	reason, context, message string
	input, prompt, output    []byte // JSON
	event                    string // native name
	tool                     string // native name
}

// text returns the JSON of a form's value; nil if its variable is empty.
func (v *values) text(value string) []byte {
	var s string
	switch value {
	case "true", "false":
		return []byte(value)
	case "$input":
		return v.input
	case "$prompt":
		return v.prompt
	case "$inputText":
		return asText(v.input)
	case "$output":
		return v.output
	case "$tool":
		s = v.tool
	case "$outputText":
		return asText(v.output)
	case "$reason":
		s = v.reason
	case "$context":
		s = v.context
	case "$message":
		s = v.message
	default:
		return rawjson.AppendText(nil, value)
	}
	if s == "" {
		return nil
	}
	return rawjson.AppendText(nil, s)
}

// asText returns a JSON value as a JSON string. A value that is not a string is
// quoted.
func asText(value []byte) []byte {
	if len(value) == 0 || value[0] == '"' {
		return value
	}
	return rawjson.AppendText(nil, string(value))
}

// object is a JSON object under construction: keys keep the order in which
// they were first set.
type object struct {
	keys   []string
	leaves [][]byte  // nil where children has one
	nested []*object // nil for a leaf
}

// set sets the value at a dotted path. A later value replaces an earlier one.
func (o *object) set(path string, value []byte) {
	key, rest, deeper := strings.Cut(path, ".")
	i := 0
	for i < len(o.keys) && o.keys[i] != key {
		i++
	}
	if i == len(o.keys) {
		o.keys, o.leaves, o.nested = append(o.keys, key), append(o.leaves, nil), append(o.nested, nil)
	}
	if !deeper {
		o.leaves[i], o.nested[i] = value, nil
		return
	}
	if o.nested[i] == nil {
		o.nested[i] = &object{}
	}
	o.nested[i].set(rest, value)
}

// leaf returns the value at a dotted path, nil if there is none.
func (o *object) leaf(path string) []byte {
	key, rest, deeper := strings.Cut(path, ".")
	for i := range o.keys {
		switch {
		case o.keys[i] != key:
		case deeper && o.nested[i] != nil:
			return o.nested[i].leaf(rest)
		case !deeper:
			return o.leaves[i]
		}
	}
	return nil
}

// append appends the object as compact JSON.
func (o *object) append(dst []byte) []byte {
	if len(o.keys) == 1 && o.keys[0] == "0" {
		dst = append(dst, '[')
		if o.nested[0] != nil {
			dst = o.nested[0].append(dst)
		} else {
			dst = append(dst, o.leaves[0]...)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i, key := range o.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(rawjson.AppendText(dst, key), ':')
		if o.nested[i] != nil {
			dst = o.nested[i].append(dst)
		} else {
			dst = append(dst, o.leaves[i]...)
		}
	}
	return append(dst, '}')
}

// assignments calls each for every assignment of the form.
func (f Form) assignments(each func(path, value string)) {
	for _, word := range strings.Fields(string(f)) {
		path, value, ok := strings.Cut(word, "=")
		if !ok {
			continue
		}
		if rest, short := strings.CutPrefix(path, "hso."); short {
			path = "hookSpecificOutput." + rest
		}
		each(path, value)
	}
}

// apply sets the form's assignments in o.
func (f Form) apply(o *object, v *values) {
	f.assignments(func(path, value string) {
		text := v.text(value)
		if text == nil {
			return
		}
		if strings.HasPrefix(path, "hookSpecificOutput.") {
			o.set("hookSpecificOutput.hookEventName", rawjson.AppendText(nil, v.event))
		}
		o.set(path, joined(o.leaf(path), text))
	})
}

// plain returns the variable of a form whose text is the whole answer.
func (f Form) plain() (variable string, ok bool) {
	return strings.CutPrefix(string(f), "stdout=")
}

// joined joins two different texts for one key, such as a reason and a message.
// A later value of another kind replaces the first.
func joined(before, after []byte) []byte {
	first, isText := rawjson.Text(before)
	second, both := rawjson.Text(after)
	if !isText || !both || first == second {
		return after
	}
	return rawjson.AppendText(nil, first+"\n"+second)
}

// contradicts reports whether two forms set a path to different literals.
func (f Form) contradicts(g Form) (contradicts bool) {
	f.assignments(func(path, value string) {
		g.assignments(func(other, v string) {
			contradicts = contradicts || path == other && value != v && !strings.HasPrefix(value, "$") && !strings.HasPrefix(v, "$")
		})
	})
	return contradicts
}

// nested reports whether a form begins in hookSpecificOutput.
func (f Form) nested() bool { return strings.HasPrefix(string(f), "hso.") }
