package rawjson

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

func TestScanner(t *testing.T) {
	tests := []struct {
		name, input string
		object      string // "" if it never ends
		refused     bool
	}{
		{name: "empty object", input: `{}`, object: `{}`},
		{name: "white space around", input: " \r\n\t{} \n", object: `{}`},
		{name: "byte-order mark", input: "\xef\xbb\xbf {}", object: `{}`},
		{name: "trailing object", input: `{"a":1}{"b":2}`, object: `{"a":1}`},
		{name: "trailing bracket", input: `{"a":[1]}]`, object: `{"a":[1]}`},
		{name: "brackets in a string", input: `{"a":"}]"}`, object: `{"a":"}]"}`},
		{name: "brackets in a key", input: `{"}":1}`, object: `{"}":1}`},
		{name: "escaped quote", input: `{"a":"\"}"}`, object: `{"a":"\"}"}`},
		{name: "escaped backslash", input: `{"a":"\\"}"}`, object: `{"a":"\\"}`},
		{name: "three backslashes", input: `{"a":"\\\"}"}`, object: `{"a":"\\\"}"}`},
		{name: "empty string", input: `{"":""}`, object: `{"":""}`},
		{name: "backslash outside a string", input: `{\"a}"}`, object: `{\"a}"}`},
		{name: "not JSON inside", input: `{what: ever}`, object: `{what: ever}`},
		{name: "unclosed", input: `{"a":{}`},
		{name: "unclosed string", input: `{"a":"}`},
		{name: "nothing", input: ""},
		{name: "white space", input: " \n"},
		{name: "only the mark", input: "\xef\xbb\xbf"},
		{name: "half a mark", input: "\xef\xbb"},
		{name: "array", input: `[{}]`, refused: true},
		{name: "string", input: `"{}"`, refused: true},
		{name: "number", input: `1`, refused: true},
		{name: "closing brace", input: `}`, refused: true},
		{name: "broken mark", input: "\xef\xbb{}", refused: true},
		{name: "two marks", input: "\xef\xbb\xbf\xef\xbb\xbf{}", refused: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for chunk := 1; chunk <= max(len(test.input), 1); chunk++ {
				object, err := scanInChunks([]byte(test.input), chunk)
				if refused := errors.Is(err, ErrNoObject); refused != test.refused || object != test.object {
					t.Fatalf("chunks of %d: %q, %v; want %q, refused %v", chunk, object, err, test.object, test.refused)
				}
			}
		})
	}
}

// scanInChunks returns the object that a Scanner finds in input, "" if it finds
// no end.
func scanInChunks(input []byte, chunk int) (string, error) {
	var s Scanner
	for end := 0; ; end = min(end+chunk, len(input)) {
		start, stop, done, err := s.End(input[:end:end])
		if done || err != nil {
			return string(input[start:stop]), err
		}
		if end == len(input) {
			return "", nil
		}
	}
}

func TestScannerBegun(t *testing.T) {
	var s Scanner
	for _, step := range []struct {
		input string
		begun bool
	}{{"", false}, {"\xef\xbb\xbf \n", false}, {"\xef\xbb\xbf \n{", true}} {
		if _, _, _, err := s.End([]byte(step.input)); err != nil || s.Begun() != step.begun {
			t.Errorf("after %q: begun %v, %v; want %v", step.input, s.Begun(), err, step.begun)
		}
	}
}

// A scanner that examines bytes again with each chunk would take minutes here.
func TestScannerIsLinear(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("LONG_TESTS is not set: it needs 100 MiB")
	}
	const chunk = 64 << 10
	for _, test := range []struct {
		name, filler string
		size         int
	}{
		{"plain", "x", 100 << 20}, {"backslashes", `\`, 100 << 20}, {"escaped quotes", `\"`, 10 << 20}, {"deep", `"{[`, 10 << 20},
	} {
		t.Run(test.name, func(t *testing.T) {
			buf := append([]byte(`{"a":"`), bytes.Repeat([]byte(test.filler), test.size/len(test.filler))...)
			began := time.Now()
			var s Scanner
			for end := 0; end < len(buf); end = min(end+chunk, len(buf)) {
				if _, _, done, err := s.End(buf[:end]); done || err != nil {
					t.Fatalf("ended at %d: %v", end, err)
				}
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte(`{"a":"\\\"}"} rest`), 2)
	f.Add([]byte("\xef\xbb\xbf{\"a\":[{}]}"), 1)
	f.Add([]byte(strings.Repeat(`{"\`, 9)), 3)
	f.Fuzz(func(t *testing.T, input []byte, chunk int) {
		chunk = max(chunk&63, 1)
		whole, wholeErr := scanInChunks(input, max(len(input), 1))
		parts, partsErr := scanInChunks(input, chunk)
		if whole != parts || errors.Is(wholeErr, ErrNoObject) != errors.Is(partsErr, ErrNoObject) {
			t.Errorf("at once %q, %v; in chunks of %d %q, %v", whole, wholeErr, chunk, parts, partsErr)
		}
	})
}
