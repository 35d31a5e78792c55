package runlog

import (
	"encoding/json"
	"strconv"
)

// encode returns e as a line. If it is too long, its texts are shortened.
func encode(e Entry) ([]byte, error) {
	line, err := appendEntry(make([]byte, 0, 512), &e)
	for limit := maxText; err == nil && len(line) >= maxLine; limit /= 2 {
		for _, text := range []*string{&e.Hook, &e.Scope, &e.Event, &e.Agent, &e.Outcome, &e.Decision, &e.Gave, &e.Cause, &e.Reason, &e.Project, &e.Session, &e.Tool, &e.Call, &e.User, &e.Host, &e.Source} {
			*text = cut(*text, limit)
		}
		line, err = appendEntry(line[:0], &e)
	}
	return append(line, '\n'), err
}

// appendEntry appends the same bytes as json.Marshal for e. With json.Marshal, the first line
// that a process appends takes 191 µs instead of 88 µs, and a run appends one (ARCHITECTURE.md,
// Fast paths).
func appendEntry(b []byte, e *Entry) ([]byte, error) {
	at, err := e.Time.MarshalJSON()
	if err != nil {
		return b, err
	}
	b = append(append(b, lineStart...), at...)
	b = appendText(b, `,"hook":`, e.Hook)
	b = appendGiven(b, `,"scope":`, e.Scope)
	b = appendText(b, `,"event":`, e.Event)
	b = appendGiven(b, `,"agent":`, e.Agent)
	b = appendText(b, `,"outcome":`, e.Outcome)
	b = appendGiven(b, `,"decision":`, e.Decision)
	b = appendGiven(b, `,"would":`, e.Would)
	b = appendGiven(b, `,"gave":`, e.Gave)
	b, err = appendNumber(append(b, `,"duration_ms":`...), e.DurationMS)
	if err != nil {
		return b, err
	}
	b = appendGiven(b, `,"cause":`, e.Cause)
	b = appendGiven(b, `,"reason":`, e.Reason)
	b = appendGiven(b, `,"project":`, e.Project)
	b = appendGiven(b, `,"session":`, e.Session)
	b = appendGiven(b, `,"tool":`, e.Tool)
	b = appendGiven(b, `,"call":`, e.Call)
	b = appendGiven(b, `,"user":`, e.User)
	b = appendGiven(b, `,"host":`, e.Host)
	b = appendGiven(b, `,"digest":`, e.Digest)
	b = appendGiven(b, `,"source":`, e.Source)
	return append(b, '}'), nil
}

// appendGiven appends a key and its text, or nothing if the text is empty.
func appendGiven(b []byte, key, text string) []byte {
	if text == "" {
		return b
	}
	return appendText(b, key, text)
}

func appendText(b []byte, key, text string) []byte {
	b = append(b, key...)
	if !isPlain(text) {
		quoted, _ := json.Marshal(text)
		return append(b, quoted...)
	}
	return append(append(append(b, '"'), text...), '"')
}

// isPlain reports whether text needs no escaping in JSON.
func isPlain(text string) bool {
	for _, c := range []byte(text) {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}

// appendNumber appends f in the format of encoding/json, without an exponent for numbers of
// usual size.
func appendNumber(b []byte, f float64) ([]byte, error) {
	if f == 0 || f >= 1e-6 && f < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64), nil
	}
	number, err := json.Marshal(f)
	return append(b, number...), err
}
