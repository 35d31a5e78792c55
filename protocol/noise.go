package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// decodeNoise decodes stdout that is not a single JSON object: objects in other
// text, such as a profile's banner, and objects with a syntax error. They may
// restrict and add context. They never allow or change anything, because the
// noise may quote the model (D25).
func decodeNoise(b []byte, event *Event) (Answer, []string, error) {
	objects, broken := rawjson.Objects(b)
	if len(objects) == 0 && broken < 0 {
		return Answer{}, []string{fmt.Sprintf("stdout is text, not a JSON object: %q; no opinion", clip(firstLine(string(b)), 80))}, nil
	}
	n := noise{stdout: b, alone: broken == 0 && len(objects) == 0}
	if broken >= 0 {
		n.addBroken(broken)
	}
	for _, object := range objects {
		if !event.echoed(object) {
			n.add(object)
		}
	}
	return n.answer()
}

// noise is the combined content of the objects in other text.
type noise struct {
	stdout   []byte
	alone    bool // stdout is one object with a syntax error
	answers  []Answer
	warnings []string
	ignored  bool   // something in them would allow or change the operation
	bad      *fault // the first bad answer among them
}

// add reads a complete object.
func (n *noise) add(object []byte) {
	d := answerDecoder{stdout: n.stdout}
	_ = rawjson.Each(object, d.member)
	if d.misspelled != nil {
		d.noDecision(object)
	}
	n.take(&d)
}

// addBroken reads the object at offset, which has a syntax error: its members
// up to the error, then any deny or ask in the rest of stdout. Text that a hook
// pastes into its answer may shift quotes and braces, and must not hide a
// decision after it.
func (n *noise) addBroken(offset int) {
	n.bad = syntaxError(n.stdout, offset)
	d := answerDecoder{stdout: n.stdout}
	d.prefix(n.stdout[offset:])
	if found := findDecision(n.stdout); found.level() > d.Decision.level() {
		d.Decision = found
	}
	n.take(&d)
}

func (n *noise) take(d *answerDecoder) {
	if n.bad == nil {
		n.bad = d.fault
	}
	d.fault = nil
	n.ignored = n.ignored || d.Decision == Allow || d.ModifiedInput != nil || d.UpdatedOutput != nil || d.ModifiedPrompt != ""
	_, warnings, _ := d.result()
	if len(n.warnings) == 0 {
		n.warnings = warnings // only the first object's warnings, because there may be many objects
	}
	if a := d.restricted(); !a.Empty() {
		n.answers = append(n.answers, a)
	}
}

// answer returns the combined answer of the objects. A bad answer among them is
// a failure of the hook unless another restricts.
func (n *noise) answer() (Answer, []string, error) {
	merged := Merge(n.answers)
	restricts := merged.Decision != NoOpinion || merged.Stop
	if n.bad != nil && !restricts {
		return Answer{}, nil, n.bad.in(n.stdout)
	}
	if n.alone {
		return merged, append(n.warnings, n.bad.in(n.stdout).Error()+"; only restrictions count"), nil
	}
	warning := "stdout has text around its JSON object"
	if n.ignored {
		warning += "; its allow and its changes are ignored"
	}
	if n.bad != nil {
		warning += "; " + n.bad.in(n.stdout).Error()
	}
	return merged, append(n.warnings, warning), nil
}

// prefix reads the members of the object at the start of b up to the first
// syntax error.
func (d *answerDecoder) prefix(b []byte) {
	w := rawjson.Walker{Buf: b}
	i := rawjson.SkipSpace(b, 1)
	for i < len(b) {
		key, value := rawjson.MemberKey(b, i)
		if value < 0 || rawjson.KeyName(key) == nil {
			return
		}
		end := w.Value(value)
		if end < 0 {
			return
		}
		d.member(key, b[value:end])
		i = rawjson.SkipSpace(b, end)
		if i >= len(b) || b[i] != ',' {
			return
		}
		i = rawjson.SkipSpace(b, i+1)
	}
}

// findDecision returns the most restrictive decision in b: a decision key, a
// colon and a word that restricts.
func findDecision(b []byte) (found Decision) {
	for _, key := range [...]string{`"decision"`, `"permissionDecision"`, `"permission_decision"`, `"permission"`, `"behavior"`} {
		for rest := b; ; {
			at := bytes.Index(rest, []byte(key))
			if at < 0 {
				break
			}
			rest = rest[at+len(key):]
			if d := decisionAfter(rest); d.level() > found.level() {
				found = d
			}
		}
	}
	return found
}

func decisionAfter(b []byte) Decision {
	colon := rawjson.SkipSpace(b, 0)
	if colon >= len(b) || b[colon] != ':' {
		return NoOpinion
	}
	word := b[rawjson.SkipSpace(b, colon+1):]
	for _, w := range [...]struct {
		word string
		d    Decision
	}{{`"deny"`, Deny}, {`"block"`, Deny}, {`"ask"`, Ask}} {
		if bytes.HasPrefix(word, []byte(w.word)) {
			return w.d
		}
	}
	return NoOpinion
}

// syntaxError describes the syntax error of the object at offset of stdout, and
// its position.
func syntaxError(stdout []byte, offset int) *fault {
	object := stdout[offset:]
	var syntax *json.SyntaxError
	var raw json.RawMessage
	at := len(object)
	// Decode stops at the object's end: text after it is not an error of the
	// object.
	if err := json.NewDecoder(bytes.NewReader(object)).Decode(&raw); errors.As(err, &syntax) && int(syntax.Offset) <= len(object) {
		at = max(int(syntax.Offset)-1, 0)
	}
	return &fault{offset + at, "stdout is not a JSON object", "stdout is not a JSON object: " + syntaxProblem(object, at)}
}

// syntaxProblem describes the error at an offset of a broken object.
func syntaxProblem(object []byte, at int) string {
	if at >= len(object) {
		return "it is cut off"
	}
	before := bytes.TrimRight(object[:at], " \t\r\n")
	switch c := object[at]; {
	case (c == '}' || c == ']') && bytes.HasSuffix(before, []byte(",")):
		return "a trailing comma before " + string(c) + "; remove it"
	case c == '\'':
		return "strings need double quotes, not single ones"
	case c < 0x20:
		return "a line break or control character inside a string; write \\n"
	case bytes.HasSuffix(before, []byte{'"'}) && (c == '"' || c|0x20 >= 'a' && c|0x20 <= 'z'):
		return "a missing comma, or a quote inside a string that is not written \\\""
	}
	return fmt.Sprintf("unexpected %q", clip(firstLine(string(object[at:])), 12))
}
