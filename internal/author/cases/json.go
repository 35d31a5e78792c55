package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// maxDepth is the maximum depth of nested values, maxValues the maximum number of values in a
// file.
const (
	maxDepth  = 200
	maxValues = 100_000
)

// parseJSON reads a JSON file; nil if it cannot be read, which is reported.
func (s *source) parseJSON() *value {
	body := s.bytes[s.mark():]
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		at := len(body)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && syntax.Offset > 0 {
			at = min(int(syntax.Offset)-1, at)
		}
		s.report(badFile, s.mark()+at, "not JSON: "+strings.TrimPrefix(err.Error(), "json: "))
		return nil
	}
	j := jsonReader{source: s, left: maxValues}
	v := j.value(bytes.Trim(body, " \t\r\n"), 0)
	if j.left < 0 {
		s.reportFile(tooMuch)
		return nil
	}
	return v
}

const tooMuch = "the file expands to more than 100000 values or 200 levels; shorten it"

// jsonReader reads JSON that is known to be valid.
type jsonReader struct {
	source *source
	left   int // values still allowed; below 0: too many
}

// value reads raw, which is a part of the source.
func (j *jsonReader) value(raw []byte, depth int) *value {
	v := &value{kind: number, at: j.offset(raw)}
	if j.left--; depth > maxDepth {
		j.left = -1
	}
	switch raw[0] {
	case '{', '[':
		v.kind = kind(raw[0])
		j.inside(v, raw, depth+1)
		return v
	case '"':
		v.kind = text
	case 't', 'f':
		v.kind = boolean
	case 'n':
		v.kind = null
	}
	v.token = string(raw)
	return v
}

func (j *jsonReader) inside(v *value, raw []byte, depth int) {
	seen := map[string]bool{}
	_ = rawjson.Each(raw, func(key, element []byte) bool {
		inner, name := j.value(element, depth), string(rawjson.KeyName(key))
		switch {
		case v.kind == array:
			v.items = append(v.items, inner)
		case seen[name]:
			j.source.report(badKey, j.offset(key), fmt.Sprintf("key %q appears twice; keep one of them", name))
		default:
			seen[name] = true
			v.entries = append(v.entries, entry{key: name, at: j.offset(key), value: inner})
		}
		return j.left >= 0
	})
}

// offset returns the offset of a part of the source.
func (j *jsonReader) offset(part []byte) int { return rawjson.Offset(j.source.bytes, part) }
