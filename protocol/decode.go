package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agent-hooks/agent-hooks/spec"
)

// foreignKeys are the decision keys of other hook systems. A script that uses
// them expects to be obeyed, so that passing over them would let through what
// it means to stop.
var foreignKeys = [...]string{"hookSpecificOutput", "permission", "permissionDecision", "cancel", "approved", "action"}

// DecodeAnswer reads what a hook printed on stdout when it left with exit
// status 0 (D25). The error says why the answer is bad, which is a failure of
// the hook. Warnings are single lines.
func DecodeAnswer(stdout []byte) (Answer, []string, error) {
	b := bytes.ToValidUTF8(trimAnswer(stdout), []byte("\ufffd"))
	if len(b) == 0 {
		return Answer{}, nil, nil
	}
	if b[0] == '{' && json.Valid(b) {
		var d answerDecoder
		a, warnings, err := d.decode(b)
		if doubt := d.doubt(); err == nil && len(warnings) == 0 && doubt != "" {
			warnings = []string{doubt}
		}
		return a, warnings, err
	}
	return decodeNoise(b)
}

// doubt says why an answer that decides nothing may have been meant to, "" if
// it says nothing of the kind.
func (d *answerDecoder) doubt() string {
	switch {
	case len(d.seen) == 0 && d.others:
		return "its answer has no key of this format; no opinion"
	case d.Decision == NoOpinion && d.Reason != "" && !d.Stop:
		return "its answer has a \"reason\" without a \"decision\"; no opinion"
	}
	return ""
}

// trimAnswer returns stdout without a byte-order mark and the blanks around.
func trimAnswer(stdout []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(stdout), byteOrderMark))
}

// answerDecoder decodes one JSON object that is known to be valid.
type answerDecoder struct {
	Answer
	seen     []string // the known keys so far
	repeated string   // a known key that stands twice
	others   bool     // it has keys that are not the format's
	misspelt string   // a key that was perhaps meant to be "decision"
	err      error
}

func (d *answerDecoder) decode(object []byte) (Answer, []string, error) {
	if err := elements(object, d.member); err != nil {
		return Answer{}, nil, err
	}
	if d.err != nil {
		return Answer{}, nil, d.err
	}
	if !d.Stop {
		d.StopReason = ""
	}
	var warnings []string
	if d.misspelt != "" && d.Decision == NoOpinion {
		warnings = append(warnings, fmt.Sprintf("its answer has no \"decision\", but %q; no opinion", clip(d.misspelt, 40)))
	}
	if d.repeated != "" {
		warnings = append(warnings, fmt.Sprintf("its answer has %q twice; only what restricts is taken of it", d.repeated))
		return d.restricted(), warnings, nil
	}
	return d.Answer, warnings, nil
}

// restricted returns the answer without what would let something through:
// someone else may have written part of it.
func (d *answerDecoder) restricted() Answer {
	a := d.Answer
	if a.Decision == Allow {
		a.Decision, a.Reason = NoOpinion, ""
	}
	a.ModifiedInput, a.UpdatedOutput, a.ModifiedPrompt = nil, nil, ""
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
		d.object(key, value, &d.ModifiedInput)
	case "modified_prompt":
		d.text(key, value, &d.ModifiedPrompt)
	case "updated_output":
		d.UpdatedOutput = bytes.Clone(value)
	case "continue":
		d.proceed(value)
	default:
		d.others = true
		d.unknown(key)
		return true
	}
	if slices.Contains(d.seen, key) {
		d.repeated = key
	} else {
		d.seen = append(d.seen, key)
	}
	return true
}

// fail notes what is wrong with the answer, quoting nothing but known keys.
func (d *answerDecoder) fail(format string, args ...any) {
	d.failWith(fmt.Errorf("bad answer: "+format, args...))
}

func (d *answerDecoder) failWith(err error) {
	if d.err == nil {
		d.err = err
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
		d.failWith(&QuotingError{
			"bad answer: unknown decision",
			fmt.Sprintf("bad answer: unknown decision %q; allow, deny or ask", clip(word, 40)),
		})
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
	*to = s
}

func (d *answerDecoder) object(key string, value []byte, to *json.RawMessage) {
	if kindOf(value) != kindObject {
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

func (d *answerDecoder) unknown(key string) {
	if slices.Contains(foreignKeys[:], key) {
		d.fail("%q belongs to another hook system; this format's key is \"decision\"", key)
	}
	if _, near := spec.Nearest(key, []string{"decision"}); near {
		d.misspelt = key
	}
}
