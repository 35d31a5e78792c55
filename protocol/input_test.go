package protocol

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// inputs are JSON objects, with numbers as Python formats them.
var inputs = []string{
	`{}`,
	`{"command":"ls -la"}`,
	"{\n\t\"command\" : \"ls\" ,\r\n \"n\":[ 1 , 2.5,-3,1e+16 ] }",
	`{"a":{"b":{"c":[[],{},[{}]]}},"d":null,"e":true,"f":false}`,
	`{"é":"naïve 日本 🎉","\u00e9t\u00e9":"\ud83c\udf89\u00fc"}`,
	`{"quote":"\"","slash":"\/","back":"\\","all":"\b\f\n\r\t","low":"\u0000\u0001\u001f","del":"\u007f"}`,
	`{"html":"<a href='x'>&amp;</a>","lines":"\u2028\u2029"}`,
	`{"":"","a":""}`,
	`{"long":"` + strings.Repeat(`\\`, 999) + `"}`,
	`{"big":123456789012345678901234567890,"neg":-1,"zero":0}`,
}

// python prints the searched values and text (D18) for each line of JSON, like the
// format's reference implementation.
const python = `
import json, sys
def values(v):
    if isinstance(v, dict):
        return [x for e in v.values() for x in values(e)]
    if isinstance(v, list):
        return [x for e in v for x in values(e)]
    return [] if v is None else [v if isinstance(v, str) else json.dumps(v)]
for line in json.load(sys.stdin):
    v = json.loads(line)
    print(json.dumps([values(v), json.dumps(v, ensure_ascii=False)]))
`

func TestInputIsPythons(t *testing.T) {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	lines, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", python)
	cmd.Stdin = bytes.NewReader(lines)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for _, raw := range inputs {
		var want Input
		if err := dec.Decode(&[]any{&want.Values, &want.Text}); err != nil {
			t.Fatal(err)
		}
		got := parse(t, `{"tool_input":`+raw+`}`).Input()
		if !slices.Equal(got.Values, want.Values) || got.Text != want.Text || got.Unknown != "" {
			t.Errorf("%s\n got %q\nwant %q", raw, got, want)
		}
	}
}

func TestInput(t *testing.T) {
	const inexact = "tool_input has text that is not valid Unicode"
	tests := []struct {
		name, raw string
		want      Input
	}{
		{"numbers as sent", `{"tool_input":{"a":1.0,"b":1E400,"c":-0,"d":12345678901234567890123}}`,
			Input{Values: []string{"1.0", "1E400", "-0", "12345678901234567890123"}, Text: `{"a": 1.0, "b": 1E400, "c": -0, "d": 12345678901234567890123}`}},
		{"repeated keys", `{"tool_input":{"a":"x","a":"y","A":"z"}}`,
			Input{Values: []string{"x", "y", "z"}, Text: `{"a": "x", "a": "y", "A": "z"}`}},
		{"repeated tool_input", `{"tool_input":{"a":"x"},"tool_input":{"b":"y"}}`,
			Input{Values: []string{"x", "y", `{"b": "y"}`}, Text: `{"a": "x"}`}},
		{"lone surrogate", `{"tool_input":{"a":"x\ud800y"}}`, Input{Values: []string{"x\ufffdy"}, Text: "{\"a\": \"x\ufffdy\"}", Unknown: inexact}},
		{"NUL", `{"tool_input":{"a":"rm\u0000"}}`, Input{Values: []string{"rm\x00"}, Text: `{"a": "rm\u0000"}`}},
		{"invalid UTF-8", "{\"tool_input\":{\"a\":\"rm \xff\"}}", Input{Values: []string{"rm \xff"}, Text: "{\"a\": \"rm \xff\"}", Unknown: inexact}},
		{"lone surrogate in a key", `{"tool_input":{"a\ud800":1}}`, Input{Values: []string{"1"}, Text: "{\"a\ufffd\": 1}", Unknown: inexact}},
		{"pairs and a replacement character", `{"tool_input":{"a":"\ud83d\ude00\ufffd�"}}`, Input{Values: []string{"😀\ufffd\ufffd"}, Text: "{\"a\": \"😀\ufffd\ufffd\"}"}},
		{"odd key of the event", `{"tool_input":{"a":1},"a\ud800":1}`, Input{Values: []string{"1"}, Text: `{"a": 1}`, Unknown: "the event has a key that is not valid Unicode"}},
		{"escaped key", `{"tool\u005finput":{"a":1}}`, Input{Values: []string{"1"}, Text: `{"a": 1}`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, parse(t, test.raw).Input()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInputUnknown(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 500_000) + strings.Repeat(`]}`, 500_000)
	for name, test := range map[string]struct{ raw, unknown string }{
		"none":                    {`{}`, "the event has no tool_input"},
		"other case":              {`{"Tool_Input":{},"toolInput":{}}`, "the event has no tool_input"},
		"null":                    {`{"tool_input":null}`, "tool_input is not an object"},
		"string":                  {`{"tool_input":"rm"}`, "tool_input is not an object"},
		"array":                   {`{"tool_input":["rm"]}`, "tool_input is not an object"},
		"number":                  {`{"tool_input":1}`, "tool_input is not an object"},
		"second is not an object": {`{"tool_input":{},"tool_input":null}`, "tool_input is not an object"},
		"bare word":               {`{"tool_input":{"a":nope}}`, "tool_input cannot be decoded as JSON"},
		"no number":               {`{"tool_input":{"a":[1,-]}}`, "tool_input cannot be decoded as JSON"},
		"other bracket":           {`{"tool_input":{"a":[1}}}`, "tool_input cannot be decoded as JSON"},
		"trailing comma":          {`{"tool_input":{"a":[1,]}}`, "tool_input cannot be decoded as JSON"},
		"missing colon":           {`{"tool_input":{"a" 1}}`, "tool_input cannot be decoded as JSON"},
		"missing comma":           {`{"tool_input":{"a":[1 2]}}`, "tool_input cannot be decoded as JSON"},
		"bad escape":              {`{"tool_input":{"a":"\q"}}`, "tool_input cannot be decoded as JSON"},
		"short escape":            {`{"tool_input":{"a":"\u12"}}`, "tool_input cannot be decoded as JSON"},
		"bad key":                 {`{"tool_input":{"\q":1}}`, "tool_input cannot be decoded as JSON"},
		"raw line break":          {"{\"tool_input\":{\"a\":\"rm\n\"}}", "tool_input cannot be decoded as JSON"},
		"raw NUL":                 {"{\"tool_input\":{\"a\":\"rm\x00\"}}", "tool_input cannot be decoded as JSON"},
		"deep":                    {`{"tool_input":` + deep + `}`, "tool_input cannot be decoded as JSON"},
		"large value":             {`{"tool_input":{"a":"` + strings.Repeat("x", spec.MaxSearched) + `"}}`, "tool_input is above 1 MiB"},
		"many values":             {`{"tool_input":{"a":[` + strings.Repeat("1,", spec.MaxSearched/3) + `1]}}`, "tool_input is above 1 MiB"},
		"large in escapes":        {`{"tool_input":{"a":"` + strings.Repeat(`\u0061`, spec.MaxSearched+1) + `"}}`, "tool_input is above 1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := parse(t, test.raw).Input(); got.Unknown != test.unknown {
				t.Errorf("unknown %q, want %q", got.Unknown, test.unknown)
			}
		})
	}
}

// An input that exceeds 1 MiB only because of the caller's formatting is
// searched.
func TestInputOfOneMebibyte(t *testing.T) {
	value := strings.Repeat("x", spec.MaxSearched-len(`{"a": ""}`))
	for _, raw := range []string{value, strings.ReplaceAll(value, "x", `\u0078`)} {
		in := parse(t, `{"tool_input":{"a":"`+raw+`"}}`).Input()
		if in.Unknown != "" || len(in.Values) != 1 || in.Values[0] != value {
			t.Errorf("%d bytes: %q, %d values", len(raw), in.Unknown, len(in.Values))
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "1", "-12", "1.5", "0.0", "1e5", "1E+5", "1e-05", "-1.25e10", "", "-", "+1", "01", "00", "-01", "1.", ".5",
		"1.e5", "1e", "1e+", "0x10", "1_0", "NaN", "Infinity", "1-", "--1", "1.5.5", "1e5e5", "1e5.5",
	} {
		got := rawjson.KindOf([]byte(s)) == rawjson.Number
		if want := json.Valid([]byte(s)); got != want {
			t.Errorf("%q: a number: %v, want %v", s, got, want)
		}
	}
}
