package agent

import (
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// convert returns the canonical value, nil if value is not of this kind.
func (k Kind) convert(value []byte) []byte {
	switch k {
	case Parts:
		return joinParts(value)
	case Object, JSONText:
		if s, ok := rawjson.Text(value); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
			inner := []byte(strings.TrimSpace(s))
			if rawjson.Members(inner, func(string, []byte) bool { return true }) == nil {
				return inner
			}
		}
	case Millis:
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			return nil
		}
		return rawjson.AppendText(nil, time.UnixMilli(n).UTC().Format(time.RFC3339))
	case Error:
		if len(value) > 0 && value[0] == '{' {
			if found := descend(value, "message"); len(found) > 0 {
				return found[0]
			}
		}
		if string(value) == "null" || string(value) == `""` {
			return nil
		}
	case Failure:
		failed := descend(value, "is_error")
		if text := descend(value, "for_llm"); len(failed) > 0 && string(failed[0]) == "true" {
			return append(text, []byte(`""`))[0]
		}
		return nil
	case Startup:
		if string(value) == `"new"` {
			return []byte(`"startup"`)
		}
	case Positive:
		n, err := strconv.ParseFloat(string(value), 64)
		return strconv.AppendBool(nil, err == nil && n > 0)
	}
	return value
}

// joinParts joins the texts of an array of content parts. It joins their JSON
// text, so that a text that cannot be decoded remains one.
func joinParts(value []byte) []byte {
	if len(value) == 0 || value[0] != '[' {
		return value
	}
	joined := []byte{'"'}
	separator := ""
	_ = rawjson.Elements(value, func(part []byte) bool {
		for _, v := range descend(part, "text") {
			if rawjson.KindOf(v) != rawjson.String {
				continue
			}
			joined = append(append(joined, separator...), v[1:len(v)-1]...)
			separator = `\n`
		}
		return true
	})
	return append(joined, '"')
}

// native converts a canonical value to the form that the agent sends.
func (k Kind) native(value []byte) []byte {
	switch k {
	case JSONText:
		return rawjson.AppendText(nil, string(compact(value)))
	case Failure:
		return picoclawResult(asText(value), true)
	case Positive:
		if string(value) == "true" {
			return []byte("1")
		}
		return []byte("0")
	}
	return value
}
