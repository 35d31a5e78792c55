package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// mostDepth bounds mappings inside mappings, mostValues the values of a file.
const (
	mostDepth  = 200
	mostValues = 100_000
)

// parseJSON reads a JSON file; nil if it cannot be read, which is reported.
func (s *source) parseJSON() *value {
	body := s.bytes[s.mark():]
	var whole json.RawMessage
	if err := json.Unmarshal(body, &whole); err != nil {
		s.report(badFile, s.mark()+jsonOffset(err, body), "not JSON: "+strings.TrimPrefix(err.Error(), "json: "))
		return nil
	}
	j := jsonReader{source: s, tokens: json.NewDecoder(bytes.NewReader(body)), left: mostValues}
	j.tokens.UseNumber()
	v := j.value(0)
	if j.left < 0 {
		s.reportFile(tooMuch)
		return nil
	}
	return v
}

const tooMuch = "the file expands to more than 100000 values or 200 levels; shorten it"

func jsonOffset(err error, body []byte) int {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		return min(int(syntax.Offset)-1, len(body))
	}
	return len(body)
}

// jsonReader reads JSON that is known to be valid.
type jsonReader struct {
	source *source
	tokens *json.Decoder
	left   int // values still allowed; below 0: too many
}

func (j *jsonReader) value(depth int) *value {
	token, v := j.next()
	j.left--
	if depth > mostDepth {
		j.left = -1
	}
	switch token := token.(type) {
	case json.Delim:
		v.kind, v.token = kind(token), ""
		seen := map[string]bool{}
		for j.left >= 0 && j.tokens.More() {
			if v.kind == array {
				v.items = append(v.items, j.value(depth+1))
				continue
			}
			key, at := j.next()
			j.source.add(v, seen, entry{key: key.(string), at: at.at, value: j.value(depth + 1)})
		}
		_, _ = j.tokens.Token() // the closing bracket
	case string:
		v.kind = text
	case bool:
		v.kind = boolean
	case json.Number:
		v.kind = number
	}
	return v
}

// next returns the next token and, as the token of a null, its source.
func (j *jsonReader) next() (json.Token, *value) {
	begin := j.tokens.InputOffset()
	token, _ := j.tokens.Token()
	end := int(j.tokens.InputOffset())
	raw := bytes.TrimLeft(j.source.bytes[j.source.mark():][begin:end], " \t\r\n,:")
	return token, &value{kind: null, at: j.source.mark() + end - len(raw), token: string(raw)}
}

// add adds a member to an object, unless its key has been seen.
func (s *source) add(v *value, seen map[string]bool, e entry) {
	if seen[e.key] {
		s.report(badKey, e.at, fmt.Sprintf("key %q appears twice; keep one of them", e.key))
		return
	}
	seen[e.key] = true
	v.entries = append(v.entries, e)
}
