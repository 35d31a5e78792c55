package protocol

import (
	"slices"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestField(t *testing.T) {
	e, _ := ParseEvent(spec.PreSession, []byte(`{"source":"start\u0075p","n":1.50,"b":true,"o":{"a":{"b":"x"},"a.b":"y"},"null":null,"twice":"1","twice":"2","list":[1],"":"z"}`), "now")
	for path, want := range map[string][]string{
		"source": {"startup"}, "n": {"1.50"}, "b": {"true"}, "o.a.b": {"x", "y"}, "o.a": {`{"b": "x"}`}, "null": nil, "absent": nil,
		"twice": {"1", "2"}, "list": {"[1]"}, "list.0": nil, "source.x": nil, "Source": nil, "event_type": {"pre-session"}, "timestamp": {"now"}, "o.": nil,
	} {
		if got, undecided := e.Field(path); !slices.Equal(got, want) || undecided != "" {
			t.Errorf("%s: %q, %q; want %q", path, got, undecided, want)
		}
	}
	if got, _ := e.WithPrompt("new").Field("prompt"); !slices.Equal(got, []string{"new"}) {
		t.Errorf("prompt %q", got)
	}
	broken, _ := ParseEvent(spec.PreSession, []byte(`{"source":"a",}`), "now")
	if _, undecided := broken.Field("source"); undecided == "" {
		t.Error("a broken event is decided")
	}
}

// TestFieldUndecided checks that no value that a hook might read differently is
// decided.
func TestFieldUndecided(t *testing.T) {
	for raw, paths := range map[string][]string{
		`{"source":"a\x"}`:                                       {"source"},
		"{\"source\":\"a\x01\"}":                                 {"source"},
		"{\"source\":\"a\xff\"}":                                 {"source"},
		`{"source":"a\ud800"}`:                                   {"source"},
		`{"source":"a","source":"\udc00"}`:                       {"source"},
		`{"o":{"a":"\ud800"}}`:                                   {"o", "o.a"},
		`{"o":{"a":tru}}`:                                        {"o", "o.a"},
		`{"o":{"a\ud800":1,"a":1}}`:                              {"o", "o.a"},
		`{"o":["\q"]}`:                                           {"o"},
		`{"o":{"a":1},"o":{}}`:                                   {"o.a"},
		`{"o":{"a":1},"o":null}`:                                 {"o", "o.a"},
		`{"source":"a","source":null}`:                           {"source"},
		`{"source":"a","x\ud800":1}`:                             {"source", "session_id", "event_type"},
		`{"session_id":5,"work_dir":{},"context":1}`:             {"session_id", "work_dir", "context"},
		`{"session_id":"\ud800","work_dir":"\q","timestamp":[]}`: {"session_id", "work_dir", "timestamp"},
	} {
		e, _ := ParseEvent(spec.PreSession, []byte(raw), "now")
		for _, path := range paths {
			if got, undecided := e.WithWorkDir("/project").Field(path); undecided == "" {
				t.Errorf("%s: %s is decided: %q", raw, path, got)
			}
		}
	}
	e, _ := ParseEvent(spec.PreSession, []byte(`{"session_id":null}`), "now")
	for _, path := range []string{"session_id", "context"} {
		if got, undecided := e.Field(path); len(got) > 0 || undecided != "" {
			t.Errorf("an absent %s has the value %q, %q", path, got, undecided)
		}
	}
	e, _ = ParseEvent(spec.PreToolCall, []byte(`{"tool_input":{"file_path":"x"}}`), "now")
	if _, undecided := e.WithUndecidedInput("cut off").Field("tool_input.file_path"); undecided != "cut off" {
		t.Error("a field of an undecided input is decided")
	}
}
