package trust

import (
	"bytes"
	"encoding/json"
)

// parseRecord parses a record's file. Each run reads one, and encoding/json takes ten times as long for
// it as reading what encode has written.
func parseRecord(text []byte) (*Record, error) {
	w := written{rest: text}
	if r := w.record(); !w.other {
		return r, nil
	}
	var r Record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	return &r, nil
}

// written reads a record as encode writes it, without escapes. Anything else sets other.
type written struct {
	rest  []byte
	other bool
}

func (w *written) record() *Record {
	r := &Record{Version: recordVersion}
	w.expect(`{"version":2,"repository":"`)
	r.Repository = w.text()
	w.expect(`,"hooks":[`)
	for more := true; more && !w.other; more = w.skip(",") {
		r.Hooks = append(r.Hooks, w.hook())
	}
	w.expect("]}\n")
	w.other = w.other || len(w.rest) > 0
	return r
}

func (w *written) hook() (h Hook) {
	w.expect(`{"project":"`)
	h.Project = w.text()
	w.expect(`,"hook":"`)
	h.Name = w.text()
	h.Everywhere = w.skip(`,"everywhere":true`)
	w.expect(`,"reviews":[`)
	for more := true; more && !w.other; more = w.skip(",") {
		w.expect(`{"digest":"`)
		v := Review{Digest: w.text()}
		w.expect(`,"trusted_at":"`)
		if v.TrustedAt.UnmarshalText([]byte(w.text())) != nil {
			w.other = true
		}
		w.expect("}")
		h.Reviews = append(h.Reviews, v)
	}
	w.expect("]}")
	return h
}

// skip reports whether the rest begins with a text, which it then skips.
func (w *written) skip(text string) bool {
	rest, found := bytes.CutPrefix(w.rest, []byte(text))
	w.rest = rest
	return found
}

func (w *written) expect(text string) {
	if !w.skip(text) {
		w.other = true
	}
}

// text returns the text before the next quotation mark.
func (w *written) text() string {
	text, rest, found := bytes.Cut(w.rest, []byte(`"`))
	for _, c := range text {
		found = found && c >= ' ' && c <= '~' && c != '\\'
	}
	w.rest = rest
	if !found {
		w.other = true
	}
	return string(text)
}
