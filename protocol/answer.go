package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// Decision is what a hook says of the operation.
type Decision string

// The decisions, weakest first. No opinion is not allow: the agent's own
// permission flow then decides (D28).
const (
	NoOpinion Decision = ""
	Allow     Decision = "allow"
	Ask       Decision = "ask"
	Deny      Decision = "deny"
)

func (d Decision) level() int {
	switch d {
	case Allow:
		return 1
	case Ask:
		return 2
	case Deny:
		return 3
	}
	return 0
}

// Answer is what one hook says, or all of them together (D25).
type Answer struct {
	Decision          Decision
	Reason            string
	ModifiedInput     json.RawMessage // JSON object; pre-tool-call only
	UpdatedOutput     json.RawMessage // JSON value; post-tool-call only
	AdditionalContext string
	SystemMessage     string
	Log               string
	Stop              bool // continue: false; never set on a pre-event, where it is a deny
	StopReason        string
}

// Empty reports whether a says nothing at all.
func (a Answer) Empty() bool {
	return a.Decision == NoOpinion && a.Reason == "" && a.ModifiedInput == nil && a.UpdatedOutput == nil &&
		a.AdditionalContext == "" && a.SystemMessage == "" && a.Log == "" && !a.Stop && a.StopReason == ""
}

// MarshalJSON encodes the answer as a hook would print it, without what it
// does not say.
func (a Answer) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	var proceed *bool
	if a.Stop {
		proceed = new(bool)
	}
	err := enc.Encode(struct {
		Decision          Decision        `json:"decision,omitempty"`
		Reason            string          `json:"reason,omitempty"`
		ModifiedInput     json.RawMessage `json:"modified_input,omitempty"`
		UpdatedOutput     json.RawMessage `json:"updated_output,omitempty"`
		AdditionalContext string          `json:"additional_context,omitempty"`
		SystemMessage     string          `json:"system_message,omitempty"`
		Log               string          `json:"log,omitempty"`
		Continue          *bool           `json:"continue,omitempty"`
		StopReason        string          `json:"stop_reason,omitempty"`
	}{a.Decision, a.Reason, a.ModifiedInput, a.UpdatedOutput, a.AdditionalContext, a.SystemMessage, a.Log, proceed, a.StopReason})
	return bytes.TrimSpace(b.Bytes()), err
}

// foreignKeys are the decision keys of other hook systems. A script that uses
// them expects to be obeyed, so that passing over them would let through what
// it means to stop.
var foreignKeys = [...]string{"hookSpecificOutput", "permission", "permissionDecision", "cancel", "approved", "action"}

// DecodeAnswer reads what a hook printed on stdout when it left with exit
// status 0 (D25). The error says why the answer is bad, which is a failure of
// the hook. Warnings are single lines.
func DecodeAnswer(stdout []byte) (Answer, []string, error) {
	b := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(stdout), byteOrderMark))
	if len(b) == 0 {
		return Answer{}, nil, nil
	}
	if b[0] == '{' && json.Valid(b) {
		d := answerDecoder{seen: map[string]bool{}}
		return d.decode(b)
	}
	return decodeNoise(b)
}

// answerDecoder decodes one JSON object that is known to be valid.
type answerDecoder struct {
	Answer
	seen     map[string]bool
	repeated string // a known key that stands twice
	err      error
}

func (d *answerDecoder) decode(object []byte) (Answer, []string, error) {
	if err := elements(object, d.member); err != nil {
		return Answer{}, nil, err
	}
	if d.err != nil {
		return Answer{}, nil, d.err
	}
	if d.repeated == "" {
		return d.Answer, nil, nil
	}
	return d.restricted(), []string{fmt.Sprintf("its answer has %q twice; only what restricts is taken of it", d.repeated)}, nil
}

// restricted returns the answer without what would let something through:
// someone else may have written part of it.
func (d *answerDecoder) restricted() Answer {
	a := d.Answer
	if a.Decision == Allow {
		a.Decision, a.Reason = NoOpinion, ""
	}
	a.ModifiedInput, a.UpdatedOutput = nil, nil
	return a
}

func (d *answerDecoder) member(keyText, value []byte) bool {
	key, _ := text(keyText)
	if kindOf(value) == kindNull {
		return true
	}
	switch key {
	case "decision":
		d.decision(value)
	case "reason":
		d.text(key, value, &d.Reason)
	case "additional_context":
		d.text(key, value, &d.AdditionalContext)
	case "system_message":
		d.text(key, value, &d.SystemMessage)
	case "log":
		d.text(key, value, &d.Log)
	case "stop_reason":
		d.text(key, value, &d.StopReason)
	case "modified_input":
		d.value(key, value, kindObject, &d.ModifiedInput)
	case "updated_output":
		d.UpdatedOutput = bytes.Clone(value)
	case "continue":
		d.proceed(value)
	default:
		d.foreign(key)
		return true
	}
	if d.seen[key] {
		d.repeated = key
	}
	d.seen[key] = true
	return true
}

func (d *answerDecoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("bad answer: "+format, args...)
	}
}

func (d *answerDecoder) decision(value []byte) {
	word, ok := text(value)
	next := Decision(word)
	switch {
	case !ok:
		d.fail("\"decision\" is not a string")
	case word == "block":
		next = Deny
	case next != Allow && next != Ask && next != Deny:
		d.fail("unknown decision %q; allow, deny or ask", clip(word, 40))
	}
	if next.level() > d.Decision.level() {
		d.Decision = next
	}
}

func (d *answerDecoder) text(key string, value []byte, to *string) {
	s, ok := text(value)
	if !ok {
		d.fail("%q is not a string", key)
	}
	*to = valid(s)
}

func (d *answerDecoder) value(key string, value []byte, want kind, to *json.RawMessage) {
	if kindOf(value) != want {
		d.fail("%q is not an object", key)
	}
	*to = bytes.Clone(value)
}

func (d *answerDecoder) proceed(value []byte) {
	if kindOf(value) != kindBool {
		d.fail("\"continue\" is not true or false")
	}
	d.Stop = d.Stop || string(value) == "false"
}

func (d *answerDecoder) foreign(key string) {
	for _, f := range foreignKeys {
		if key == f {
			d.fail("%q belongs to another hook system; this format's key is \"decision\"", key)
		}
	}
}

// noiseBudget bounds the bytes looked at while searching noise for objects,
// for each byte of it.
const noiseBudget = 64

var errBadAnswer = errors.New("bad answer: stdout is not a JSON object")

// decodeNoise reads objects that stand amid other text, such as a profile's
// banner. They may restrict and add context; they may not let through or
// change anything, since the noise may quote the model (D25).
func decodeNoise(b []byte) (Answer, []string, error) {
	objects, broken := findObjects(b)
	var answers []Answer
	var firstErr error
	ignored := false
	for _, object := range objects {
		d := answerDecoder{seen: map[string]bool{}}
		if _, _, err := d.decode(object); err != nil {
			firstErr = cmpErr(firstErr, err)
			continue
		}
		a := d.restricted()
		ignored = ignored || d.Decision == Allow || d.ModifiedInput != nil || d.UpdatedOutput != nil
		answers = append(answers, a)
	}
	merged := Merge(answers)
	if merged.Decision == NoOpinion && !merged.Stop {
		if broken || b[0] == '{' && len(objects) == 0 {
			return Answer{}, nil, errBadAnswer
		}
		if firstErr != nil {
			return Answer{}, nil, firstErr
		}
	}
	switch {
	case ignored:
		return merged, []string{"stdout has text around its JSON object; its allow and its changes are ignored"}, nil
	case len(objects) == 0:
		return merged, []string{fmt.Sprintf("stdout is text, not a JSON object: %q; no opinion", clip(firstLine(string(b)), 80))}, nil
	}
	return merged, []string{"stdout has text around its JSON object"}, nil
}

func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// findObjects returns the JSON objects in b, outermost ones only. broken
// reports that something begins like an object and is none, or that looking
// further would cost too much.
func findObjects(b []byte) (objects [][]byte, broken bool) {
	budget := noiseBudget * len(b)
	for i := 0; i < len(b); {
		at := bytes.IndexByte(b[i:], '{')
		if at < 0 {
			break
		}
		i += at
		next := skipSpace(b, i+1)
		if next >= len(b) || b[next] != '"' && b[next] != '}' {
			i++
			continue
		}
		end := valueEnd(b, i)
		if end > 0 && json.Valid(b[i:end]) {
			objects = append(objects, b[i:end])
			i = end
			continue
		}
		broken = true
		if end < 0 {
			end = len(b)
		}
		if budget -= end - i; budget < 0 {
			break
		}
		i++
	}
	return objects, broken
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// Reason makes a reason for people and models out of the bytes that a hook
// wrote: trimmed, valid UTF-8, and cut to its head and tail if it is above
// 8 KiB (D26).
func Reason(b []byte) string {
	s := strings.TrimSpace(valid(string(b)))
	if len(s) <= spec.MaxReason {
		return s
	}
	half := spec.MaxReason/2 - 32
	head := strings.ToValidUTF8(s[:half], "")
	tail := strings.ToValidUTF8(s[len(s)-half:], "")
	return fmt.Sprintf("%s\n… %d bytes left out …\n%s", head, len(s)-len(head)-len(tail), tail)
}

// Complete reports whether stdout holds a whole answer, so that a process
// that still holds the pipe need not be waited for (D35).
func Complete(stdout []byte) bool {
	b := bytes.TrimSpace(stdout)
	return len(b) > 1 && b[0] == '{' && b[len(b)-1] == '}' && json.Valid(b)
}
