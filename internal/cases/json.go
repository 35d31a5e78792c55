package cases

import (
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
		s.report(badFile, s.mark()+jsonOffset(err, body), "not JSON: "+jsonMessage(err))
		return nil
	}
	j := jsonReader{source: s, pos: s.mark(), left: mostValues}
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
	if errors.As(err, &syntax) && syntax.Offset > 0 && !strings.HasPrefix(err.Error(), "unexpected end") {
		return min(int(syntax.Offset)-1, len(body))
	}
	return len(body)
}

func jsonMessage(err error) string {
	return strings.TrimPrefix(err.Error(), "json: ")
}

// jsonReader parses JSON that is known to be valid.
type jsonReader struct {
	source *source
	pos    int
	left   int // values still allowed; below 0: too many
}

func (j *jsonReader) value(depth int) *value {
	j.blank()
	v := &value{at: j.pos}
	j.left--
	if depth > mostDepth {
		j.left = -1
	}
	if j.left < 0 {
		return v
	}
	switch j.next() {
	case '{':
		v.kind = object
		j.members(v, depth)
	case '[':
		v.kind = array
		for j.open(); j.left >= 0 && j.more(']'); {
			v.items = append(v.items, j.value(depth+1))
		}
	case '"':
		v.kind, v.token = text, j.string()
	case 't', 'f':
		v.kind, v.token = boolean, j.word()
	case 'n':
		v.kind, v.token = null, j.word()
	default:
		v.kind, v.token = number, j.word()
	}
	v.end = j.pos
	return v
}

func (j *jsonReader) members(v *value, depth int) {
	seen := map[string]bool{}
	for j.open(); j.left >= 0 && j.more('}'); {
		e := entry{at: j.pos}
		e.key = (&value{kind: text, token: j.string()}).text()
		j.blank()
		j.pos++ // the colon
		e.value = j.value(depth + 1)
		if seen[e.key] {
			j.source.report(badKey, e.at, duplicate(e.key))
			continue
		}
		seen[e.key] = true
		v.entries = append(v.entries, e)
	}
}

func duplicate(key string) string { return fmt.Sprintf("key %q appears twice; keep one of them", key) }

func (j *jsonReader) next() byte { return j.source.bytes[j.pos] }

func (j *jsonReader) blank() {
	for j.pos < len(j.source.bytes) && strings.IndexByte(" \t\r\n", j.next()) >= 0 {
		j.pos++
	}
}

// open skips an opening bracket.
func (j *jsonReader) open() { j.pos++ }

// more skips a comma and moves to the next item, or skips the closing bracket.
func (j *jsonReader) more(closing byte) bool {
	j.blank()
	if j.next() == ',' {
		j.pos++
		j.blank()
	}
	if j.next() == closing {
		j.pos++
		return false
	}
	return true
}

// string consumes a string and returns it with its quotes.
func (j *jsonReader) string() string {
	begin := j.pos
	for j.pos++; j.next() != '"'; j.pos++ {
		if j.next() == '\\' {
			j.pos++
		}
	}
	j.pos++
	return string(j.source.bytes[begin:j.pos])
}

// word consumes a number, true, false or null.
func (j *jsonReader) word() string {
	begin := j.pos
	for j.pos < len(j.source.bytes) && strings.IndexByte(" \t\r\n,]}", j.next()) < 0 {
		j.pos++
	}
	return string(j.source.bytes[begin:j.pos])
}
