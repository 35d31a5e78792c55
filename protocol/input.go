package protocol

import "github.com/agent-hooks/agent-hooks/spec"

// maxNesting is the deepest nesting of a tool's input that is decoded.
const maxNesting = 10_000

// Input is what a matcher's pattern is searched in (D18).
type Input struct {
	Values  []string // each string, number and boolean, however deep
	Text    string   // the input as JSON text, ", " and ": ", non-ASCII unescaped
	Unknown string   // not "": why the input cannot be decided; it counts as matched
}

// readInput decodes the values of tool_input, of which there are several if
// the caller repeated the key.
func readInput(inputs [][]byte) Input {
	var in Input
	for i, raw := range inputs {
		if kindOf(raw) != kindObject {
			in.Unknown = "tool_input is not an object"
		}
		// An escape takes at most six bytes for one.
		if len(raw) > 6*spec.MaxSearched {
			in.Unknown = "tool_input is above 1 MiB"
			continue
		}
		r := inputReader{values: in.Values}
		if !r.read(raw) {
			in.Unknown = "tool_input cannot be decoded as JSON"
		}
		if len(r.text) > spec.MaxSearched {
			in.Unknown = "tool_input is above 1 MiB"
		}
		in.Values = r.values
		if i == 0 {
			in.Text = string(r.text)
		} else {
			in.Values = append(in.Values, string(r.text))
		}
	}
	return in
}

// inputReader walks one JSON value in one pass, without recursion, so that
// hostile nesting costs neither stack nor time.
type inputReader struct {
	values []string
	text   []byte
	open   []byte // the brackets that are open
}

// read reports whether raw could be decoded as a whole.
func (r *inputReader) read(raw []byte) bool {
	for i := 0; ; {
		i = skipSpace(raw, i)
		if i >= len(raw) {
			return false
		}
		switch c := raw[i]; c {
		case '{', '[':
			if len(r.open) == maxNesting {
				return false
			}
			r.open = append(r.open, c)
			r.text = append(r.text, c)
			i = skipSpace(raw, i+1)
			if i < len(raw) && raw[i] == closing(c) {
				break // empty: closed below
			}
			if i = r.key(raw, i); i < 0 {
				return false
			}
			continue
		default:
			if i = r.scalar(raw, i); i < 0 {
				return false
			}
		}
		if i = r.next(raw, i); i < 0 {
			return false
		}
		if len(r.open) == 0 {
			return skipSpace(raw, i) == len(raw)
		}
	}
}

// next closes what ends at i and goes on to the value behind the next comma.
func (r *inputReader) next(raw []byte, i int) int {
	for len(r.open) > 0 {
		i = skipSpace(raw, i)
		if i >= len(raw) {
			return -1
		}
		top := r.open[len(r.open)-1]
		switch raw[i] {
		case closing(top):
			r.open = r.open[:len(r.open)-1]
			r.text = append(r.text, raw[i])
			i++
		case ',':
			r.text = append(r.text, ", "...)
			return r.key(raw, skipSpace(raw, i+1))
		default:
			return -1
		}
	}
	return i
}

// key copies an object's key, if the innermost bracket is an object, and
// returns the offset of the value.
func (r *inputReader) key(raw []byte, i int) int {
	if r.open[len(r.open)-1] == '[' {
		return i
	}
	if i >= len(raw) {
		return -1
	}
	key, value := memberKey(raw, i)
	if value < 0 {
		return -1
	}
	s, ok := text(key)
	if !ok {
		return -1
	}
	r.text = append(appendQuoted(r.text, s), ": "...)
	return value
}

func (r *inputReader) scalar(raw []byte, i int) int {
	end := valueEnd(raw, i)
	if end < 0 {
		return -1
	}
	value := raw[i:end]
	switch kindOf(value) {
	case kindString:
		s, ok := text(value)
		if !ok {
			return -1
		}
		r.values = append(r.values, s)
		r.text = appendQuoted(r.text, s)
	case kindNumber, kindBool:
		r.values = append(r.values, string(value))
		r.text = append(r.text, value...)
	case kindNull:
		r.text = append(r.text, value...)
	default:
		return -1
	}
	return end
}
