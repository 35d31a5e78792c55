package protocol

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// DecodeAnswer decodes the stdout of a hook, or of `agent-hooks run`, that
// exited with status 0 (D25). A deny or ask counts even if other parts of the
// answer are invalid. Otherwise an invalid answer is an error, which is a
// failure of the hook. Warnings are single lines. Judge also handles the other
// statuses and what does not apply to the event.
func DecodeAnswer(stdout []byte) (Answer, []string, error) { return decodeAnswer(stdout, nil, nil) }

// decodeAnswer is DecodeAnswer for a hook that read event, which may be nil.
func decodeAnswer(stdout []byte, event *Event, speaks func(Decision) string) (Answer, []string, error) {
	b := bytes.ToValidUTF8(trimAnswer(stdout), []byte("\ufffd"))
	if len(b) == 0 {
		return Answer{}, nil, nil
	}
	if b[0] != '{' || !json.Valid(b) {
		return decodeNoise(b, event)
	}
	if event.echoed(b) {
		return Answer{}, nil, nil
	}
	d := answerDecoder{stdout: b, foreign: foreign{speaks: speaks}}
	_ = rawjson.Each(b, d.member)
	d.noDecision(b)
	return d.result()
}

// trimAnswer returns stdout without a byte-order mark and surrounding white
// space.
func trimAnswer(stdout []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(stdout), rawjson.ByteOrderMark))
}

// answerDecoder decodes the members of one JSON object.
type answerDecoder struct {
	Answer
	foreign    foreign
	stdout     []byte   // the output that contains the object, for positions
	seen       []string // the known keys so far
	repeated   string   // a known key that occurs twice
	other      []byte   // the first unknown key
	misspelled []byte   // a key that is probably a misspelled "decision"
	fault      *fault   // the first fault
}

// fault is an error at an offset of stdout. Its position is computed only if it
// is reported.
type fault struct {
	offset         int
	class, message string // class contains no text from the hook
}

// result returns the final answer. A fault is a failure of the hook unless the
// answer restricts: then the restriction counts, and the fault is a warning
// (D25).
func (d *answerDecoder) result() (Answer, []string, error) {
	if !d.Stop {
		d.StopReason = ""
	}
	if d.foreign.decision.level() > d.Decision.level() { // a restriction in other systems' keys
		d.Decision, d.Reason = d.foreign.decision, cmp.Or(d.Reason, d.foreign.reason)
	}
	restricts := d.Decision == Deny || d.Decision == Ask || d.Stop
	if d.fault != nil && !restricts {
		return Answer{}, nil, d.fault.in(d.stdout)
	}
	warnings := d.warnings()
	if d.fault != nil || d.repeated != "" {
		return d.restricted(), warnings, nil
	}
	return d.Answer, warnings, nil
}

func (d *answerDecoder) warnings() (warnings []string) {
	if d.foreign.key != "" {
		warnings = append(warnings, d.foreign.warning())
	}
	if d.fault != nil {
		warnings = append(warnings, d.fault.in(d.stdout).Error()+"; only restrictions count")
	}
	if d.repeated != "" {
		warnings = append(warnings, fmt.Sprintf("its answer has %q twice; only restrictions count", d.repeated))
	}
	if len(warnings) == 0 && d.Decision == NoOpinion && d.Reason != "" && !d.Stop {
		warnings = append(warnings, "its answer has a \"reason\" without a \"decision\"; no opinion")
	}
	return warnings
}

// restricted returns the answer without any part that would allow the operation
// or change it, because someone else may have written part of it.
func (d *answerDecoder) restricted() Answer {
	a := d.Answer
	if a.Decision == Allow {
		a.Decision, a.Reason = NoOpinion, ""
	}
	a.ModifiedInput, a.UpdatedOutput, a.ModifiedPrompt = nil, nil, ""
	return a
}

// noDecision finds the fault of an object without a decision in this format: an
// empty one, or one with a misspelled key. A decision of another system may be
// in any nested object.
func (d *answerDecoder) noDecision(object []byte) {
	if len(d.seen) == 0 && d.foreign.key == "" {
		_ = rawjson.Each(object, func(keyText, value []byte) bool {
			d.foreign.container(value, 0)
			return true
		})
	}
	switch {
	case d.misspelled != nil:
		d.failQuoting(d.misspelled, "a misspelled key", fmt.Sprintf("%s is not a key of the format; did you mean \"decision\"?", clip(string(d.misspelled), 40)))
	case len(d.seen) == 0 && d.foreign.key == "" && d.other != nil:
		d.fail(d.other, "no key of the format, such as \"decision\" or \"additional_context\"")
	}
}

func (d *answerDecoder) member(keyText, value []byte) bool {
	key, _ := rawjson.Text(keyText)
	switch {
	case !slices.Contains(answerKeys[:], key):
	case slices.Contains(d.seen, key):
		d.repeated = key
	default:
		d.seen = append(d.seen, key)
	}
	if rawjson.KindOf(value) == rawjson.Null {
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
	case "modified_prompt":
		d.text(key, value, &d.ModifiedPrompt)
	case "modified_input":
		if rawjson.KindOf(value) != rawjson.Object {
			d.fail(value, "%q is not an object", key)
		} else {
			d.ModifiedInput = bytes.Clone(value)
		}
	case "updated_output":
		d.UpdatedOutput = bytes.Clone(value)
	case "continue":
		if rawjson.KindOf(value) != rawjson.Bool {
			d.fail(value, "\"continue\" is not true or false")
		}
		d.Stop = d.Stop || string(value) == "false"
	default:
		d.unknown(keyText, key, value)
	}
	d.foreign.member(key, value, 0)
	return true
}

// answerKeys are the keys of an answer (SPEC.md 11.3).
var answerKeys = [...]string{"decision", "reason", "additional_context", "system_message", "log", "stop_reason", "modified_prompt", "modified_input",
	"updated_output", "continue"}

// fail records a fault at a part of stdout.
func (d *answerDecoder) fail(at []byte, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	d.failQuoting(at, message, message)
}

// failQuoting is like fail, with a message that quotes the hook and a class
// that does not.
func (d *answerDecoder) failQuoting(at []byte, class, message string) {
	if d.fault == nil {
		d.fault = &fault{rawjson.Offset(d.stdout, at), class, message}
	}
}

// in returns the error for a fault in stdout, with its position and the first
// 80 bytes (D25).
func (f *fault) in(stdout []byte) error {
	before := stdout[:min(max(f.offset, 0), len(stdout))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	excerpt := strings.Join(strings.Fields(clip(string(stdout[:min(len(stdout), 80+utf8.UTFMax)]), 80)), " ")
	return &QuotingError{
		"bad answer: " + f.class,
		fmt.Sprintf("bad answer: %s (line %d, column %d of %s)", f.message, line, column, excerpt),
	}
}

func (d *answerDecoder) decision(value []byte) {
	word, ok := rawjson.Text(value)
	next := Decision(word)
	switch known, isForeign := foreignDecision(word); {
	case !ok:
		d.fail(value, "\"decision\" is not a string")
	case word == "block":
		next = Deny
	case next == Allow || next == Ask || next == Deny:
	case isForeign && (known != NoOpinion || word == "approve") && word == strings.ToLower(word):
		next = known
		d.foreign.recognize("decision")
	default:
		d.failQuoting(value, "unknown decision", fmt.Sprintf("unknown decision %q; allow, deny or ask", clip(word, 40)))
		return
	}
	if ok && next.level() > d.Decision.level() {
		d.Decision = next
	}
}

// text stores the first value of a key. Later values of a repeated key may come
// from someone else.
func (d *answerDecoder) text(key string, value []byte, to *string) {
	s, ok := rawjson.Text(value)
	switch {
	case !ok:
		d.fail(value, "%q is not a string", key)
	case *to == "":
		*to = s
	}
}

// unknown records an unknown key. If there is a decision, only a word under a
// misspelled key is a problem.
func (d *answerDecoder) unknown(keyText []byte, key string, value []byte) {
	if d.other == nil {
		d.other = keyText
	}
	near, ok := shown.Near(key, []string{"decision"})
	if length := utf8.RuneCountInString(key) - len(near); !ok || length > 2 || length < -2 {
		return
	}
	word, _ := rawjson.Text(value)
	if _, known := foreignDecision(word); known || !slices.Contains(d.seen, "decision") && d.misspelled == nil {
		d.misspelled = keyText
	}
}
