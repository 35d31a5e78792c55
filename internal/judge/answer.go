package judge

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// MaxOutput is the maximum number of bytes that are read of a model's output.
const MaxOutput = 1 << 20

// Restrict reads an object in the form of another hook system.
type Restrict func(object []byte) protocol.Restriction

// ErrNoAnswer is the failure of a model whose output has no answer.
var ErrNoAnswer = errors.New("the model's output has no JSON object that answers")

// Read returns the answer in the output of a model: of the complete JSON objects
// that answer, the most restrictive one, and of several the last. It never
// allows or changes anything. own reads the form of the hook's own system; it is
// nil for the format's.
//
// An object that does not restrict is an answer only if it is alone on its line,
// and if the model did not copy it from the event. An empty one that the event
// has, too, must end the output. Copied objects that restrict count.
func (p *Prompt) Read(output []byte, own Restrict) (a protocol.Answer, warnings []string, err error) {
	r := reader{prompt: p, own: own}
	text := bytes.ToValidUTF8(output, []byte("\ufffd"))
	objects, _ := rawjson.Objects(text)
	others := text // besides the objects; a brace may begin an objection that is not JSON, for which no object passes as the answer
	other := false
	for _, object := range objects {
		r.take(text, object)
		at := rawjson.Offset(others, object)
		other = other || bytes.IndexByte(others[:at], '{') >= 0
		others = others[at+len(object):]
	}
	other = other || bytes.IndexByte(others, '{') >= 0
	switch {
	case r.best.Restricts():
		return r.best.Answer, r.warnings(), nil
	case r.bad != nil:
		return protocol.Answer{}, nil, fmt.Errorf("the model's answer is invalid: %w", r.bad)
	case !r.answered || other:
		return protocol.Answer{}, nil, ErrNoAnswer
	}
	return protocol.Answer{}, r.warnings(), nil
}

// reader reads the objects in the output of a model.
type reader struct {
	prompt   *Prompt
	own      Restrict
	best     protocol.Restriction
	bad      error // why an object is not a valid answer
	answered bool
	dropped  bool

	echo   string // the texts of the event, squeezed; filled on first use
	looked int    // how often echo was searched
}

func (r *reader) take(text, object []byte) {
	if rawjson.SkipSpace(object, 1) == len(object)-1 { // it is empty
		after := bytes.Trim(text[rawjson.Offset(text, object)+len(object):], " \t\r\n`") // besides quotes of code
		r.answered = r.answered || isAlone(text, object) && (len(after) == 0 || !r.isCopied(object))
		return
	}
	one := protocol.Restrict(object)
	if r.own != nil {
		if own := r.own(object); own.Known && (own.Err == nil || !one.Restricts()) {
			one = own
		}
	}
	switch {
	case one.Restricts():
		if rank(one.Answer) >= rank(r.best.Answer) {
			r.best = one
		}
	case !one.Known:
	case one.Err != nil:
		r.bad = one.Err
	case !r.answered && isAlone(text, object) && !r.isCopied(object):
		r.answered, r.dropped = true, r.dropped || one.Dropped
	}
}

// rank orders the answers by how much they restrict.
func rank(a protocol.Answer) int {
	switch {
	case a.Decision == protocol.Deny:
		return 3
	case a.Decision == protocol.Ask:
		return 2
	case a.Stop:
		return 1
	}
	return 0
}

func (r *reader) warnings() []string {
	if !r.best.Dropped && (!r.dropped || r.best.Restricts()) {
		return nil
	}
	return []string{"the model's answer allows or changes something, which does not count: a judge only restricts"}
}

// isAlone reports whether an object is alone on its lines. Quotes of code around
// it do not count.
func isAlone(text, object []byte) bool {
	at := rawjson.Offset(text, object)
	before, after := text[:at], text[at+len(object):]
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	return len(bytes.Trim(before, " \t\r`")) == 0 && len(bytes.Trim(after, " \t\r`")) == 0
}

// maxLooks limits the searches in the event. Further objects count as copied.
const maxLooks = 200

// isCopied reports whether an object occurs in the event that the model read.
func (r *reader) isCopied(object []byte) bool {
	r.looked++
	if r.looked > maxLooks {
		return true
	}
	if r.echo == "" {
		var all strings.Builder
		for _, text := range r.prompt.given {
			all.WriteString(squeeze(text) + "\x00")
			w := rawjson.Walker{Buf: []byte(text), Visit: func(t rawjson.Token, token []byte) bool {
				if s, ok := rawjson.Text(token); ok && t == rawjson.TokenScalar {
					all.WriteString(squeeze(s) + "\x00")
				}
				return true
			}}
			w.Value(rawjson.SkipSpace(w.Buf, 0))
		}
		r.echo = all.String()
	}
	return strings.Contains(r.echo, squeeze(string(object)))
}

// squeeze removes the characters in which a copy of JSON may differ: white space,
// and the backslashes of an object that is quoted in a string.
func squeeze(text string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "", `\n`, "", `\r`, "", `\t`, "", `\`, "").Replace(text)
}
