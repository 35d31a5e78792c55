package protocol

import (
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// maxNesting is the deepest nesting of a tool's input that is decoded.
const maxNesting = 10_000

// Input is the text that a matcher's pattern is searched in (D18).
type Input struct {
	Values  []string // each string, number and boolean, at any depth
	Text    string   // the input as JSON text, ", " and ": ", non-ASCII unescaped
	Unknown string   // if not "", why the input cannot be decided; it then counts as matched
}

// maxRaw is the largest size in bytes of a JSON value that is decoded to be
// searched: an escape uses at most six bytes for one byte of text.
const maxRaw = 6 * spec.MaxSearched

// readInput decodes the values of tool_input. There are several if the caller
// repeated the key.
func readInput(inputs [][]byte) Input {
	var in Input
	for i, raw := range inputs {
		if rawjson.KindOf(raw) != rawjson.Object {
			in.Unknown = "tool_input is not an object"
		}
		if len(raw) > maxRaw {
			in.Unknown = "tool_input is above 1 MiB"
			continue
		}
		r := inputReader{values: in.Values, text: make([]byte, 0, len(raw)+len(raw)/8)}
		if !r.read(raw) {
			in.Unknown = "tool_input cannot be decoded as JSON"
		} else if !rawjson.Exact(raw) {
			in.Unknown = "tool_input has text that is not valid Unicode"
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

// inputReader collects the searchable values of one JSON value.
type inputReader struct {
	rawjson.Walker
	values []string
	text   []byte
}

// read reports whether raw could be decoded completely.
func (r *inputReader) read(raw []byte) bool {
	r.Walker = rawjson.Walker{Buf: raw, Visit: r.take}
	end := r.Value(0)
	return end >= 0 && rawjson.SkipSpace(raw, end) == len(raw)
}

func (r *inputReader) take(t rawjson.Token, raw []byte) bool {
	switch t {
	case rawjson.TokenComma:
		r.text = append(r.text, ", "...)
	case rawjson.TokenKey:
		r.text = append(rawjson.AppendQuoted(r.text, rawjson.Unquote(raw)), ": "...)
	case rawjson.TokenScalar:
		r.scalar(raw)
	default:
		r.text = append(r.text, raw...)
	}
	return len(r.Open) <= maxNesting
}

func (r *inputReader) scalar(raw []byte) {
	switch rawjson.KindOf(raw) {
	case rawjson.String:
		s := string(rawjson.Unquote(raw))
		r.values = append(r.values, s)
		r.text = rawjson.AppendQuoted(r.text, s)
		return
	case rawjson.Number, rawjson.Bool:
		r.values = append(r.values, string(raw))
	}
	r.text = append(r.text, raw...)
}
