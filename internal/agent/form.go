package agent

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Form is the native form of one part of an answer, of a payload, or of an entry
// in the agent's settings. A part whose variable is empty is omitted.
//
// Agent.Judge reads the forms of answers in reverse.
type Form []Part

// Part is one value of a form. Set, JSON, Grant, Var and Whole make it.
type Part struct {
	// Path contains nested keys separated by dots; "hso." is short for
	// "hookSpecificOutput.", and also sets its hookEventName. The key 0 makes its
	// object an array. "" makes the variable's text the whole answer.
	Path string
	Text string   // a literal: text, or JSON if Raw is set
	Var  Variable // "" for a literal
	Raw  bool
	// Grants means that a changed input with this literal also permits the call.
	Grants bool
}

// Variable is a value that is known only when a form is used.
type Variable string

// The variables of answers.
const (
	Reason        Variable = "reason"
	StopReason    Variable = "stop_reason" // the reason or, without one, that of continue: false
	Input         Variable = "input"
	InputText     Variable = "input_text" // as a string of JSON
	Prompt        Variable = "prompt"
	Context       Variable = "context"
	Contexts      Variable = "contexts" // only read: an array of strings
	Message       Variable = "message"
	NewOutput     Variable = "output"
	NewOutputText Variable = "output_text" // as a string
	ToolName      Variable = "tool"        // native
)

// The other variables of payloads and environments. EventName is native.
const (
	SessionID      Variable = "session_id"
	WorkDir        Variable = "cwd"
	ProjectDir     Variable = "project"
	HookDir        Variable = "dir"
	EventName      Variable = "event"
	PromptID       Variable = "prompt_id"
	TurnID         Variable = "turn_id"
	Model          Variable = "model"
	TranscriptPath Variable = "transcript_path"
	Timestamp      Variable = "timestamp"
	UnixMillis     Variable = "millis"
	ToolCommand    Variable = "command"
	ToolFile       Variable = "file_path"
)

// Set returns a part that is a text.
func Set(path, text string) Part { return Part{Path: path, Text: text} }

// JSON returns a part that is a JSON value.
func JSON(path, value string) Part { return Part{Path: path, Text: value, Raw: true} }

// Grant returns a text that, next to a changed input, also permits the call.
func Grant(path, text string) Part { return Part{Path: path, Text: text, Grants: true} }

// Var returns a part that is the value of a variable.
func Var(path string, v Variable) Part { return Part{Path: path, Var: v} }

// Whole returns the part of an answer that is only a variable's text.
func Whole(v Variable) Part { return Part{Var: v} }

// bySilence is the form of a part that an empty answer expresses.
var bySilence = Form{{}}

// Forms that several agents use. They are linked, not built at the start.
var (
	blockTop        = Form{Set("decision", "block"), Var("reason", Reason)}
	denyTop         = Form{Set("decision", "deny"), Var("reason", Reason)}
	blockOutput     = Form{Set("decision", "block"), Var("reason", NewOutputText)}
	stopTop         = Form{JSON("continue", "false"), Var("stopReason", StopReason)}
	stopBare        = Form{JSON("continue", "false")}
	systemMessage   = Form{Var("systemMessage", Message)}
	plainContext    = Form{Whole(Context)}
	hsoContext      = Form{Var("hso.additionalContext", Context)}
	hsoFeedback     = Form{Var("hso.additionalContext", Reason)}
	hsoInput        = Form{Var("hso.updatedInput", Input)}
	hsoDeny         = Form{Set("hso.permissionDecision", "deny"), Var("hso.permissionDecisionReason", Reason)}
	hsoAsk          = Form{Set("hso.permissionDecision", "ask"), Var("hso.permissionDecisionReason", Reason)}
	hsoAllow        = Form{Set("hso.permissionDecision", "allow"), Var("hso.permissionDecisionReason", Reason)}
	hsoRefuse       = Form{Set("hso.decision.behavior", "deny"), Var("hso.decision.message", Reason)}
	hsoPermit       = Form{Set("hso.decision.behavior", "allow")}
	hsoPermitInput  = Form{Var("hso.decision.updatedInput", Input)}
	camelContext    = Form{Var("additionalContext", Context)}
	camelFeedback   = Form{Var("additionalContext", Reason)}
	snakeFeedback   = Form{Var("additional_context", Reason)}
	contextFeedback = Form{Var("context", Reason)}
)

// String returns a literal as PATH=TEXT, and a variable as PATH=$VARIABLE.
func (p Part) String() string {
	if p.Var != "" {
		return p.Path + "=$" + string(p.Var)
	}
	return p.Path + "=" + p.Text
}

// keys returns the part's path without abbreviation.
func (p Part) keys() string {
	if rest, short := strings.CutPrefix(p.Path, "hso."); short {
		return specificOutput + rest
	}
	return p.Path
}

// specificOutput begins the paths of values that count only for one event.
const specificOutput = "hookSpecificOutput."

// literal returns the JSON of a part without a variable.
func (p Part) literal() []byte {
	if p.Raw {
		return []byte(p.Text)
	}
	return rawjson.AppendText(nil, p.Text)
}

// is reports whether a JSON value is the part's literal.
func (p Part) is(value []byte) bool {
	if p.Raw {
		return string(value) == p.Text
	}
	return isLiteral(value, p.Text)
}

// isLiteral reports whether a JSON value is a text.
func isLiteral(value []byte, text string) bool {
	s, ok := rawjson.Text(value)
	return ok && s == text
}

// values are the values of the variables in forms.
type values struct {
	reason, stopReason, context, message string
	input, prompt, output                []byte // JSON
	event                                string // native name
	tool                                 string // native name
}

// json returns the JSON of a part's value; nil if its variable is empty.
func (v *values) json(p Part) []byte {
	var s string
	switch p.Var {
	case "":
		return p.literal()
	case Input:
		return v.input
	case Prompt:
		return v.prompt
	case InputText:
		return asText(v.input)
	case NewOutput:
		return v.output
	case NewOutputText:
		return asText(v.output)
	case ToolName:
		s = v.tool
	case Reason:
		s = v.reason
	case StopReason:
		s = cmp.Or(v.reason, v.stopReason)
	case Context:
		s = v.context
	case Message:
		s = v.message
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

// set sets the value at a dotted path. A later value replaces an earlier one, or goes into it.
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
		for _, m := range latest(o.leaves[i]) {
			o.nested[i].keys, o.nested[i].leaves, o.nested[i].nested = append(o.nested[i].keys, m.key), append(o.nested[i].leaves, m.value), append(o.nested[i].nested, nil)
		}
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

// apply sets the form's parts in o.
func (f Form) apply(o *object, v *values) {
	for _, p := range f {
		text := v.json(p)
		if text == nil || f.silent() {
			continue
		}
		path := p.keys()
		if strings.HasPrefix(path, specificOutput) {
			o.set("hookSpecificOutput.hookEventName", rawjson.AppendText(nil, v.event))
		}
		o.set(path, joined(o.leaf(path), text))
	}
}

// silent reports whether an empty answer expresses the form.
func (f Form) silent() bool { return len(f) == 1 && f[0] == Part{} }

// whole returns the variable of a form whose text is the whole answer.
func (f Form) whole() (p Part, ok bool) {
	if len(f) != 1 || f[0].Path != "" || f[0].Var == "" {
		return Part{}, false
	}
	return f[0], true
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
func (f Form) contradicts(g Form) bool {
	return slices.ContainsFunc(f, func(p Part) bool {
		return slices.ContainsFunc(g, func(q Part) bool {
			return p.Path == q.Path && p.Var == "" && q.Var == "" && p != q
		})
	})
}

// nested reports whether a form begins in hookSpecificOutput.
func (f Form) nested() bool { return len(f) > 0 && strings.HasPrefix(f[0].Path, "hso.") }

// decides reports whether a form contains a literal, so that the agent treats
// it as a decision of its own.
func (f Form) decides() bool { return slices.ContainsFunc(f, func(p Part) bool { return p.Var == "" }) }

// grants reports whether a changed input in this form also permits the call.
func (f Form) grants() bool { return slices.ContainsFunc(f, func(p Part) bool { return p.Grants }) }

// isContext reports whether a reason in this form is where the agent has the
// context.
func (f Form) isContext(context Form) bool {
	return slices.EqualFunc(f, context, func(p, q Part) bool {
		if p.Var == Reason && q.Var == Context {
			p.Var = Context
		}
		return p == q
	})
}
