package protocol

import (
	"bytes"
	"errors"
	"fmt"
)

var errBadAnswer = errors.New("bad answer: stdout is not a JSON object")

// decodeNoise reads objects that stand amid other text, such as a profile's
// banner. They may restrict and add context; they may not let through or
// change anything, since the noise may quote the model (D25).
func decodeNoise(b []byte) (Answer, []string, error) {
	objects, broken := findObjects(b)
	if len(objects) == 0 && !broken {
		return Answer{}, []string{fmt.Sprintf("stdout is text, not a JSON object: %q; no opinion", clip(firstLine(string(b)), 80))}, nil
	}
	var n noise
	if broken {
		n.bad = errBadAnswer
	}
	for _, object := range objects {
		n.add(object)
	}
	return n.answer()
}

// noise is what the objects amid other text say.
type noise struct {
	answers  []Answer
	warnings []string
	ignored  bool  // something in them would let through or change
	bad      error // the first bad answer among them
}

func (n *noise) add(object []byte) {
	var d answerDecoder
	_, warnings, err := d.decode(object)
	if len(n.warnings) == 0 {
		n.warnings = warnings // of many objects one is told
	}
	if err != nil {
		if n.bad == nil {
			n.bad = err
		}
		return
	}
	n.ignored = n.ignored || d.Decision == Allow || d.ModifiedInput != nil || d.UpdatedOutput != nil
	if a := d.restricted(); !a.Empty() {
		n.answers = append(n.answers, a)
	}
}

// answer lets what restricts stand beside a bad answer: a failure may mean
// that the operation goes on.
func (n *noise) answer() (Answer, []string, error) {
	merged := Merge(n.answers)
	restricts := merged.Decision != NoOpinion || merged.Stop
	if n.bad != nil && !restricts {
		return Answer{}, nil, n.bad
	}
	warning := "stdout has text around its JSON object"
	if n.ignored {
		warning += "; its allow and its changes are ignored"
	}
	if n.bad != nil {
		warning += "; " + n.bad.Error()
	}
	return merged, append(n.warnings, warning), nil
}

// findObjects returns the JSON objects in b, outermost ones only. broken
// reports that something begins like an object and is none.
//
// Its time grows with the length of b alone: what was open where a walk
// failed fails at the same place if walked from there, so it is not tried
// again. That leaves braces inside the strings of a failed walk, and a walk
// from there takes for strings what the other did not.
func findObjects(b []byte) (objects [][]byte, broken bool) {
	w := walker{buf: b}
	var hopeless []bool // the offsets of braces that were open where a walk failed
	for i := 0; i < len(b); i++ {
		at := bytes.IndexByte(b[i:], '{')
		if at < 0 {
			break
		}
		i += at
		if hopeless != nil && hopeless[i] || i > 0 && !likeObject(b, i) {
			continue
		}
		if end := w.value(i); end >= 0 {
			objects = append(objects, b[i:end])
			i = end - 1
			continue
		}
		broken = true
		if hopeless == nil {
			hopeless = make([]bool, len(b))
		}
		for _, open := range w.open {
			hopeless[open] = true
		}
	}
	return objects, broken
}

// likeObject tells an object's opening brace from one in a program or in
// prose.
func likeObject(b []byte, i int) bool {
	next := skipSpace(b, i+1)
	return next < len(b) && (b[next] == '"' || b[next] == '}')
}
