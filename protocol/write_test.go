package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/spec"
)

// base is what WriteTo adds to an empty event.
const base = `"event_type": "pre-tool-call", "timestamp": "` + now + `", "session_id": "", "work_dir": "", "context": {}`

func TestWriteTo(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"well spelled", whole, whole},
		{"well spelled, odd elsewhere", strings.ReplaceAll(whole, ", ", "\n\t,"), strings.ReplaceAll(whole, ", ", "\n\t,")},
		{"no spaces", strings.ReplaceAll(whole, ": ", ":"), whole},
		{"two spaces", strings.ReplaceAll(whole, ": ", ":  "), whole},
		{"tabs and newlines", strings.ReplaceAll(whole, ": ", "\t\r\n :\n\t"), whole},
		{"space before", strings.ReplaceAll(whole, ": ", " : "), whole},
		{"nothing", ``, `{` + base + `}`},
		{"empty", `{ }`, `{` + base + `}`},
		{"members stay", `{"b":1.50,"a":{"x":[1,{"y":"\u00e9:\"\\"}]},"b":2}`,
			`{` + base + `, "b": 1.50, "a": {"x": [1,{"y": "\u00e9:\"\\"}]}, "b": 2}`},
		{"null and wrong types", `{"event_type":null,"timestamp":1,"session_id":[],"work_dir":{},"context":"x","a":1}`,
			`{` + base + `, "a": 1}`},
		{"repeated with a wrong type", `{"session_id":"s","a":1,"session_id":7}`,
			`{` + strings.Replace(base, `"session_id": ""`, `"session_id": "s"`, 1) + `, "a": 1}`},
		{"repeated strings stay", `{"session_id":"s","session_id":"t","event_type":"pre-tool-call","timestamp":"x","work_dir":"w","context":{}}`,
			`{"session_id": "s", "session_id": "t", "event_type": "pre-tool-call", "timestamp": "x", "work_dir": "w", "context": {}}`},
		{"other case is another key", `{"Context":{},"SESSION_ID":"s"}`, `{` + base + `, "Context": {}, "SESSION_ID": "s"}`},
		{"escaped key", `{"\u0063ontext":5}`, `{` + base + `}`},
		{"cwd serves as work_dir", `{"cwd":"/c \"\u00e9\""}`, `{` + strings.Replace(base, `"work_dir": ""`, `"work_dir": "/c \"é\""`, 1) + `, "cwd": "/c \"\u00e9\""}`},
		{"invalid UTF-8 in an added field", "{\"cwd\":\"/\xff\"}", `{` + strings.Replace(base, `"work_dir": ""`, "\"work_dir\": \"/\ufffd\"", 1) + ", \"cwd\": \"/\xff\"}"},
		{"undecodable", `{"a":1,"b":}`, `{` + base + `, "a": 1,"b": }`},
		{"undecodable and empty", `{]`, `{` + base + `]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, written(t, parse(t, test.raw))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Scripts that search their input with grep find the command, however the
// caller spells it.
func TestGrepFindsTheCommand(t *testing.T) {
	grep := regexp.MustCompile(`"command": "[^"]*"`)
	for _, raw := range []string{
		`{"tool_input":{"command":"rm -rf /"}}`,
		`{"tool_input":{"command": "rm -rf /"}}`,
		`{"tool_input":{"command" :"rm -rf /"}}`,
		"{\n  \"tool_input\": {\n    \"command\":\n\t\"rm -rf /\"\n  }\n}",
		"{\"tool_input\"\t:\t{\"command\"\r\n:\r\n\"rm -rf /\"}}",
		strings.Replace(whole, `: "ls"`, `  :     "rm -rf /"`, 1),
		strings.Replace(whole, "ls", "rm -rf /", 1),
	} {
		if got := grep.FindString(written(t, parse(t, raw))); got != `"command": "rm -rf /"` {
			t.Errorf("%s: found %q", raw, got)
		}
	}
}

func TestWellSpelled(t *testing.T) {
	for raw, want := range map[string]bool{
		`{}`: true, `{"a": 1}`: true, `{"a": ":"}`: true, `{"a:": [1,2]}`: true, `{"\":": 1}`: true, `[1]`: true,
		`{"a":1}`: false, `{"a" : 1}`: false, `{"a":  1}`: false, "{\"a\": \n1}": false, "{\"a\":\t1}": false,
		`{"a": 1,"b":2}`: false, `{"a": {"b":1}}`: false, `:`: false, `{"a":`: false, `{"a": `: false, `{"a`: true,
	} {
		if got := isFormatted([]byte(raw)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

// failing is a writer that accepts some bytes and then fails.
type failing struct{ room int }

var errFull = errors.New("full")

func (f *failing) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestWriteToFailing(t *testing.T) {
	big := `{"a":[` + strings.Repeat(`{"b":1},`, 50_000) + `{}]}`
	for name, raw := range map[string]string{
		"untouched": whole, "small": `{"a":1}`, "respelled": big, "undecodable": big[:len(big)-1] + "x}",
	} {
		for _, room := range []int{0, 1, 40_000} {
			n, err := parse(t, raw).WriteTo(&failing{room})
			if room < len(raw) && (err != errFull || n != int64(room)) {
				t.Errorf("%s into %d bytes: wrote %d, %v", name, room, n, err)
			}
		}
	}
}

func bigEvent(size int) []byte {
	line := `{"type":"text","text":"a line with \"quotes\", é and \n"},`
	return []byte(`{"tool_name":"Write","tool_input":{"content":[` + strings.Repeat(line, size/len(line)) + `{}]},"cwd":"/w"}`)
}

// A hundred hooks that read a large event must not need a hundred copies.
func TestWriteToCopiesNothing(t *testing.T) {
	raw := bigEvent(8 << 20)
	e := parse(t, string(raw))
	const rounds = 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds {
		if _, err := e.WriteTo(io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) / rounds; got > 64<<10 {
		t.Errorf("writing %d bytes allocates %d", len(raw), got)
	}
}

// checkSameValues checks that a hook reads raw as a JSON object with the same
// values, except the fields that agent-hooks may add or replace.
func checkSameValues(t *testing.T, raw []byte, wrote string) {
	t.Helper()
	sent, read := decodeNumbers(t, raw), decodeNumbers(t, []byte(wrote))
	for _, key := range []string{"event_type", "timestamp", "session_id", "work_dir", "context"} {
		if _, ok := read[key]; !ok {
			t.Errorf("no %q in %s", key, wrote)
		}
		delete(sent, key)
		delete(read, key)
	}
	if diff := cmp.Diff(sent, read); diff != "" {
		t.Errorf("%s\n%s\n%s", raw, wrote, diff)
	}
	rest := bytes.ReplaceAll(bytes.ReplaceAll([]byte(wrote), []byte(`\\`), nil), []byte(`\"`), nil)
	for inString := false; len(rest) > 0; rest = rest[1:] {
		if rest[0] == '"' {
			inString = !inString
		}
		if !inString && rest[0] == ':' && (rest[1] != ' ' || rawjson.IsSpace(rest[2])) {
			t.Errorf("a colon without exactly one space after it: %s", rest)
			return
		}
	}
}

func decodeNumbers(t *testing.T, raw []byte) map[string]any {
	t.Helper()
	var v map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

func TestWriteToKeepsValues(t *testing.T) {
	for _, input := range inputs {
		raw := []byte(`{"tool_input" :` + input + `,"work_dir":7,"x":` + input + `}`)
		checkSameValues(t, raw, written(t, parse(t, string(raw))))
	}
	raw := bigEvent(1 << 20)
	checkSameValues(t, raw, written(t, parse(t, string(raw))))
}

func FuzzEvent(f *testing.F) {
	for _, input := range inputs {
		f.Add([]byte(`{"tool_name":"Bash","tool_input":` + input + `}`))
	}
	for _, seed := range []string{
		whole, `{`, `{]`, `{"a":[}]}`, `{"tool_input":{},"tool_input":null}`, "{\"a\"\n:\t\"\\\\\\\"\"}",
		`{"event_type":"x","work_dir":"","cwd":"/","workspace_roots":["/r"],"stop_hook_active":true,"context":null}`,
		`{"tool_input":{"a":"\ud800\udc00\ud800"},"tool_response":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(bytes.TrimSpace(raw)) != len(raw) {
			return // a Scanner never passes such input to ParseEvent
		}
		e, _ := ParseEvent(spec.PreToolCall, raw, now)
		_, noTool := e.ToolNames()
		in := e.Input()
		_ = e.SameInput(raw)
		wrote := written(t, e)
		changed := written(t, e.WithInput([]byte(`{"a":1}`)).WithOutput([]byte(`2`)).WithWorkDir("/d"))
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil || object == nil {
			if !e.decodable && (noTool == "" || in.Unknown == "") {
				t.Error("an event that cannot be decoded is decided")
			}
			return
		}
		if !e.decodable {
			t.Fatal("a JSON object counts as undecodable")
		}
		checkSameValues(t, raw, wrote)
		if in.Unknown == "" && len(e.inputs) == 1 {
			if diff := cmp.Diff(decodeNumbers(t, object["tool_input"]), decodeNumbers(t, []byte(in.Text))); diff != "" {
				t.Error(diff)
			}
		}
		if after := decodeNumbers(t, []byte(changed)); !cmp.Equal(after["tool_input"], any(map[string]any{"a": json.Number("1")})) {
			t.Errorf("changed input: %s", changed)
		}
	})
}
