package advice

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// Value is one value in a tool's input, with its path.
type Value struct {
	Key  string // such as command or edits[0].new_string; "": the input itself, as JSON text
	Text string
	Bare bool // it is not a string, and has no quotes in the JSON text
}

// maxValues is the maximum number of returned values, maxDepth the maximum depth of a value.
const (
	maxValues = 1000
	maxDepth  = 200
)

// Values returns the values in an input's JSON text, in order, up to the first error. Values
// after the first thousand are only counted in total.
func Values(text string) (values []Value, total int) {
	var r reader
	r.value("", []byte(text), 0)
	return r.values, r.total
}

type reader struct {
	values []Value
	total  int
}

func (r *reader) value(key string, raw []byte, depth int) {
	switch rawjson.KindOf(raw) {
	case rawjson.Object, rawjson.Array:
		if depth < maxDepth {
			r.inside(key, raw, depth+1)
		}
	case rawjson.String:
		text, _ := rawjson.Text(raw)
		r.add(Value{Key: key, Text: text})
	case rawjson.Number, rawjson.Bool, rawjson.Null:
		r.add(Value{key, string(raw), true})
	}
}

func (r *reader) inside(key string, raw []byte, depth int) {
	i := 0
	_ = rawjson.Each(raw, func(name, element []byte) bool {
		inner := fmt.Sprintf("%s[%d]", key, i)
		if name != nil {
			inner = strings.TrimPrefix(key+"."+string(rawjson.KeyName(name)), ".")
		}
		r.value(inner, element, depth)
		i++
		return true
	})
}

func (r *reader) add(v Value) {
	r.total++
	if r.total <= maxValues {
		r.values = append(r.values, v)
	}
}
