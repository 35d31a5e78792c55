package nearest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Value is one value in a tool's input, and where it stands.
type Value struct {
	Key  string // such as command or edits[0].new_string
	Text string
}

// mostValues bounds how many values are told apart.
const mostValues = 1000

// Values reads the strings, numbers and booleans of an input's JSON text, in
// its order; as far as it can be read.
func Values(text string) []Value {
	r := reader{dec: json.NewDecoder(strings.NewReader(text))}
	r.dec.UseNumber()
	r.value("", 0)
	return r.values
}

type reader struct {
	dec    *json.Decoder
	values []Value
}

// value reports whether to go on.
func (r *reader) value(key string, depth int) bool {
	const deepest = 200
	token, err := r.dec.Token()
	if err != nil || depth > deepest || len(r.values) >= mostValues {
		return false
	}
	switch v := token.(type) {
	case json.Delim:
		return r.inside(v, key, depth+1)
	case string:
		r.values = append(r.values, Value{key, v})
	case json.Number:
		r.values = append(r.values, Value{key, v.String()})
	case bool:
		r.values = append(r.values, Value{key, strconv.FormatBool(v)})
	}
	return true
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

// keys returns the names of the keys in the values' paths.
func keys(values []Value) (names []string) {
	seen := map[string]bool{}
	for _, v := range values {
		for name := range strings.FieldsFuncSeq(v.Key, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
			if !seen[name] && strings.Trim(name, "0123456789") != "" {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}
