package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/spec"
)

const now = "2026-01-02T03:04:05Z"

// whole is an event with all base fields.
const whole = `{"event_type": "pre-tool-call", "timestamp": "2025-01-01T00:00:00Z", "session_id": "s", "work_dir": "/w", "context": {}, "tool_name": "Bash", "tool_input": {"command": "ls"}}`

func parse(t *testing.T, raw string) *Event {
	t.Helper()
	e, _ := ParseEvent(spec.PreToolCall, []byte(raw), now)
	return e
}

// written returns the event as a hook reads it, without the final newline.
func written(t *testing.T, e *Event) string {
	t.Helper()
	var b strings.Builder
	n, err := e.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("WriteTo: %d bytes of %d, %v", n, b.Len(), err)
	}
	object, ended := strings.CutSuffix(b.String(), "\n")
	if !ended || strings.HasSuffix(object, "\n") {
		t.Fatalf("hooks read %q, which does not end with one newline", b.String())
	}
	return object
}

func TestParseEventFields(t *testing.T) {
	e, warnings := ParseEvent(spec.PreToolCall, []byte(whole), now)
	if e.Type != spec.PreToolCall || e.SessionID != "s" || e.Timestamp != "2025-01-01T00:00:00Z" || e.StopHookActive || len(warnings) > 0 {
		t.Errorf("%+v, %q", e, warnings)
	}
	if names, unknown := e.ToolNames(); !slices.Equal(names, []string{"Bash"}) || unknown != "" {
		t.Errorf("tool names %q, %q", names, unknown)
	}
	want := Input{Values: []string{"ls"}, Text: `{"command": "ls"}`}
	if diff := cmp.Diff(want, e.Input()); diff != "" {
		t.Error(diff)
	}
	if e.Size() != len(whole) {
		t.Errorf("size %d", e.Size())
	}
}

func TestDirectories(t *testing.T) {
	tests := []struct {
		raw             string
		roots, workDirs []NamedDir
		warning         string
	}{
		{raw: `{}`},
		{raw: `{"work_dir":"/w","cwd":"/c"}`, roots: []NamedDir{{"work_dir", "/w"}, {"cwd", "/c"}}},
		{raw: `{"cwd":"/c","workspace_roots":["/r","/s"]}`,
			roots: []NamedDir{{"workspace_roots[0]", "/r"}, {"cwd", "/c"}}, workDirs: []NamedDir{{"cwd", "/c"}}},
		{raw: `{"work_dir":"","cwd":" "}`, roots: []NamedDir{{"work_dir", ""}, {"cwd", " "}}},
		{raw: `{"work_dir":null,"workspace_roots":[]}`},
		{raw: `{"work_dir":5}`, warning: "work_dir is not a string; it is skipped"},
		{raw: `{"work_dir":5,"work_dir":6}`, warning: "work_dir is not a string; it is skipped"},
		{raw: `{"cwd":{}}`, warning: "cwd is not a string; it is skipped"},
		{raw: `{"workspace_roots":[1]}`, warning: "workspace_roots[0] is not a string; it is skipped"},
		{raw: `{"workspace_roots":{"0":"/r"}}`, warning: "workspace_roots[0] is not a string; it is skipped"},
		{raw: `{"work_dir":"/w","work_dir":null}`, roots: []NamedDir{{"work_dir", "/w"}}},
		{raw: `{"Work_Dir":"/w","CWD":"/c"}`},
		{raw: `{"\u0063wd":"/\u0063"}`, roots: []NamedDir{{"cwd", "/c"}}},
	}
	for _, test := range tests {
		e, warnings := ParseEvent(spec.PreSession, []byte(test.raw), now)
		if test.workDirs == nil {
			test.workDirs = test.roots
		}
		if !slices.Equal(e.Roots, test.roots) || !slices.Equal(e.WorkDirs, test.workDirs) {
			t.Errorf("%s: roots %v, work dirs %v", test.raw, e.Roots, e.WorkDirs)
		}
		if got := strings.Join(warnings, "\n"); got != test.warning {
			t.Errorf("%s: warned %q, want %q", test.raw, got, test.warning)
		}
	}
}

func TestToolNames(t *testing.T) {
	tests := []struct {
		raw     string
		names   []string
		unknown string
	}{
		{`{"tool_name":"Bash"}`, []string{"Bash"}, ""},
		{`{"tool_name":"Ba\u0073h"}`, []string{"Bash"}, ""},
		{`{"tool_name":"Ba\u0000sh"}`, []string{"Ba\x00sh"}, ""},
		{`{"tool_name":"A","tool_name":"B"}`, []string{"A", "B"}, ""},
		{`{}`, nil, "the event has no tool_name"},
		{`{"Tool_Name":"Bash","TOOL_NAME":"Bash","toolName":"Bash"}`, nil, "the event has no tool_name"},
		{`{"x":{"tool_name":"Bash"}}`, nil, "the event has no tool_name"},
		{`{"tool_name":null}`, nil, "tool_name is not a name"},
		{`{"tool_name":""}`, nil, "tool_name is not a name"},
		{`{"tool_name":["Bash"]}`, nil, "tool_name is not a name"},
		{`{"tool_name":7}`, nil, "tool_name is not a name"},
		{`{"tool_name":"Ba\qsh"}`, nil, "tool_name is not a name"},
		{"{\"tool_name\":\"Ba\x00sh\"}", nil, "tool_name is not a name"},
		{`{"tool_name":"A","tool_name":null}`, []string{"A"}, "tool_name is not a name"},
		{`{"tool_name":"A"`, nil, "the event cannot be decoded"},
	}
	for _, test := range tests {
		names, unknown := parse(t, test.raw).ToolNames()
		if !slices.Equal(names, test.names) || unknown != test.unknown {
			t.Errorf("%s: %q, %q; want %q, %q", test.raw, names, unknown, test.names, test.unknown)
		}
	}
	e, _ := ParseEvent(spec.PreSession, []byte("{}"), now)
	if _, unknown := e.ToolNames(); unknown != "" {
		t.Errorf("an event without a tool misses its name: %q", unknown)
	}
}

func TestStopHookActive(t *testing.T) {
	for raw, want := range map[string]bool{
		`{}`:                                                 false,
		`{"stop_hook_active":true}`:                          true,
		`{"stop_hook_active":false}`:                         false,
		`{"stop_hook_active":"true"}`:                        false,
		`{"stop_hook_active":1}`:                             false,
		`{"stop_hook_active":null}`:                          false,
		`{"Stop_Hook_Active":true}`:                          false,
		`{"stop_hook_active":true,"stop_hook_active":true}`:  true,
		`{"stop_hook_active":true,"stop_hook_active":false}`: false,
		`{"stop_hook_active":false,"stop_hook_active":true}`: false,
	} {
		if e, _ := ParseEvent(spec.PreAgentTurnStop, []byte(raw), now); e.StopHookActive != want {
			t.Errorf("%s: %v, want %v", raw, e.StopHookActive, want)
		}
	}
}

// Undecodable input still makes an event, in which nothing is known (D20).
func TestUndecodable(t *testing.T) {
	known := `"tool_name":"Bash","tool_input":{"command":"ls"}`
	for name, raw := range map[string]string{
		"empty array":          `[]`,
		"no object":            `[` + known + `]`,
		"unclosed":             `{` + known,
		"no value":             `{` + known + `,"a":}`,
		"no key":               `{` + known + `,1:2}`,
		"no colon":             `{` + known + `,"a" 2}`,
		"no comma":             `{` + known + ` "a":2}`,
		"trailing comma":       `{` + known + `,}`,
		"bare word":            `{` + known + `,"a":nope}`,
		"single quotes":        `{'tool_name':'Bash'}`,
		"not a number":         `{` + known + `,"a":01}`,
		"key with bad escape":  `{"tool_\input":{},` + known + `}`,
		"key with a raw break": "{\"tool\n\":{}," + known + "}",
		"NUL between":          "{" + known + ",\x00\"a\":1}",
		"unclosed inner":       `{` + known + `,"a":[1}`,
		"a brace":              `{`,
		"comment":              `{/* */` + known + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			e, warnings := ParseEvent(spec.PreToolCall, []byte(raw), now)
			if len(warnings) != 1 || !strings.Contains(warnings[0], "cannot be decoded") {
				t.Errorf("warned %q", warnings)
			}
			if _, unknown := e.ToolNames(); unknown == "" {
				t.Error("its tool names count as known")
			}
			if e.Input().Unknown == "" {
				t.Error("its input counts as known")
			}
			if got := written(t, e); !strings.HasPrefix(got, `{"event_type": "pre-tool-call", `) {
				t.Errorf("hooks read %q", got)
			}
		})
	}
}

func TestEventType(t *testing.T) {
	for raw, warned := range map[string]bool{
		`{}`:                             false,
		`{"event_type":"pre-tool-call"}`: false,
		`{"event_type":null}`:            false,
		`{"event_type":"post-session"}`:  true,
		`{"event_type":"Pre-Tool-Call"}`: true,
		`{"event_type":"pre-tool-call","event_type":"post-session"}`: true,
		`{"event_type":"post-session","event_type":"pre-tool-call"}`: true,
		`{"event_type":"a","event_type":"b"}`:                        true,
		`{"event_type":"pre-tool-call","event_type":3}`:              false,
	} {
		e, warnings := ParseEvent(spec.PreToolCall, []byte(raw), now)
		if (len(warnings) == 1) != warned {
			t.Errorf("%s: warned %q", raw, warnings)
		}
		if got := written(t, e); strings.Count(got, `"event_type": "pre-tool-call"`) != 1 || strings.Count(got, "event_type") != 1 {
			t.Errorf("%s: hooks read %s", raw, got)
		}
	}
}

func TestSameInput(t *testing.T) {
	tests := []struct {
		sent, other string
		same        bool
	}{
		{`{"a":1}`, `{ "a" : 1 }`, true},
		{`{"a":"é/"}`, `{"a":"\u00e9\/"}`, true},
		{`{"a":1}`, `{"a":2}`, false},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":1}`, `{"A":1}`, false},
		{`{"a":1}`, `{"a":"1"}`, false},
		{`{"a":" "}`, `{"a":"  "}`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, false},
		{`{"a":"\ud800"}`, `{"a":"\ud801"}`, false},
		{"{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}", false},
		{`[1]`, `[1]`, true},
		{`{"a":nope}`, `{"a":nope}`, false},
	}
	for _, test := range tests {
		e := parse(t, `{"tool_name":"x","tool_input":`+test.sent+`}`)
		if got := e.SameInput([]byte(test.other)); got != test.same {
			t.Errorf("%s and %s: %v", test.sent, test.other, got)
		}
	}
	if e := parse(t, `{"tool_input":{"a":1},"tool_input":{"a":1}}`); e.SameInput([]byte(`{"a":1}`)) {
		t.Error("one of two inputs counts as the same")
	}
}

func TestWithInput(t *testing.T) {
	e := parse(t, whole)
	e.Input()
	next := e.WithInput([]byte(`{"command":"pwd"}`))
	if got := next.Input(); got.Unknown != "" || !slices.Equal(got.Values, []string{"pwd"}) {
		t.Errorf("input %+v", got)
	}
	if !next.SameInput([]byte(`{"command": "pwd"}`)) || !e.SameInput([]byte(`{"command": "ls"}`)) {
		t.Error("SameInput looks at the other event's input")
	}
	want := `{"tool_input": {"command": "pwd"}, "event_type": "pre-tool-call", "timestamp": "2025-01-01T00:00:00Z", "session_id": "s", "work_dir": "/w", "context": {}, "tool_name": "Bash"}`
	if got := written(t, next); got != want {
		t.Errorf("hooks read %s", got)
	}
	if got := written(t, next.WithInput([]byte(`{}`))); strings.Count(got, "tool_input") != 1 || !strings.Contains(got, `"tool_input": {}`) {
		t.Errorf("changed again: %s", got)
	}
	if got := written(t, e); got != whole {
		t.Errorf("the first event changed: %s", got)
	}
}

func TestWithWorkDir(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`:                          `"work_dir": "/p\"q"`,
		`{"work_dir":""}`:             `"work_dir": "/p\"q"`,
		`{"work_dir":" ","cwd":""}`:   `"work_dir": "/p\"q"`,
		`{"work_dir":7}`:              `"work_dir": "/p\"q"`,
		`{"work_dir":"/w"}`:           `"work_dir": "/w"`,
		`{"cwd":"/c"}`:                `"work_dir": "/c"`,
		`{"cwd":"/c","work_dir":""}`:  `"work_dir": "/c"`,
		`{"cwd":"/c","work_dir":"w"}`: `"work_dir": "w"`,
	} {
		got := written(t, parse(t, raw).WithWorkDir(`/p"q`))
		if strings.Count(got, "work_dir") != 1 || !strings.Contains(got, want) {
			t.Errorf("%s: hooks read %s; want %s", raw, got, want)
		}
	}
}

func TestWithOutput(t *testing.T) {
	for raw, keys := range map[string][]string{
		`{}`:                      {"tool_output"},
		`{"tool_output":"old"}`:   {"tool_output"},
		`{"tool_response":null}`:  {"tool_response"},
		`{"tool_result":["old"]}`: {"tool_result"},
		`{"tool_output":"old","tool_response":"old"}`: {"tool_output", "tool_response"},
		`{"tool_output":"old","tool_output":"old"}`:   {"tool_output"},
	} {
		e, _ := ParseEvent(spec.PostToolCall, []byte(raw), now)
		got := written(t, e.WithOutput([]byte(`{"a":"new"}`)))
		for _, key := range keys {
			if strings.Count(got, fmt.Sprintf(`"%s": {"a": "new"}`, key)) != 1 {
				t.Errorf("%s: hooks read %s", raw, got)
			}
		}
		if strings.Contains(got, "old") || strings.Count(got, "new") != len(keys) {
			t.Errorf("%s: hooks read %s", raw, got)
		}
	}
}
