package advice

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Value is one value in a tool's input, with its path.
type Value struct {
	Key  string // such as command or edits[0].new_string; "": the input itself, as JSON text
	Text string
	Bare bool // it is not a string, and has no quotes in the JSON text
}

// mostValues is the maximum number of values returned.
const mostValues = 1000

// Values returns the values in an input's JSON text, in order, up to the first error. Values
// after the first thousand are only counted in total.
func Values(text string) (values []Value, total int) {
	r := reader{dec: json.NewDecoder(strings.NewReader(text))}
	r.dec.UseNumber()
	r.value("", 0)
	return r.values, r.total
}

type reader struct {
	dec    *json.Decoder
	values []Value
	total  int
}

// value reports whether to continue.
func (r *reader) value(key string, depth int) bool {
	const deepest = 200
	token, err := r.dec.Token()
	if err != nil || depth > deepest {
		return false
	}
	switch v := token.(type) {
	case json.Delim:
		return r.inside(v, key, depth+1)
	case string:
		r.add(Value{Key: key, Text: v})
	case json.Number:
		r.add(Value{key, v.String(), true})
	case bool:
		r.add(Value{key, strconv.FormatBool(v), true})
	case nil:
		r.add(Value{key, null, true})
	}
	return true
}

// null is not searched as a value, but is part of the JSON text.
const null = "null"

func (r *reader) add(v Value) {
	if r.total++; r.total <= mostValues {
		r.values = append(r.values, v)
	}
}

func (r *reader) inside(open json.Delim, key string, depth int) bool {
	for i := 0; r.dec.More(); i++ {
		inner := key + "[" + strconv.Itoa(i) + "]"
		if open == '{' {
			name, err := r.dec.Token()
			if err != nil {
				return false
			}
			inner, _ = name.(string)
			if key != "" {
				inner = key + "." + inner
			}
		}
		if !r.value(inner, depth) {
			return false
		}
	}
	_, err := r.dec.Token()
	return err == nil
}
