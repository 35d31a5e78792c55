package protocol

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/spec"
)

func TestJudge(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tests := []struct {
		name     string
		event    spec.EventType
		exit     Exit
		want     Answer
		warnings []string
		err      string
	}{
		{name: "nothing", event: spec.PreToolCall},
		{name: "stderr at status 0", event: spec.PreToolCall, exit: Exit{Stderr: []byte("debug")}},
		{name: "allow", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"decision":"allow","reason":" ok "}`)}, want: Answer{Decision: Allow, Reason: "ok"}},
		{name: "deny", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"decision":"deny","reason":"no","additional_context":"c","modified_input":{},"system_message":"m"}`)},
			want: Answer{Decision: Deny, Reason: "no", SystemMessage: "m"}},
		{name: "deny without a reason", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"decision":"deny","reason":" "}`)},
			want: Answer{Decision: Deny, Reason: "blocked by hook h"}},
		{name: "bad answer", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"decision":1}`)}, err: `bad answer: "decision" is not a string (line 1, column 13 of {"decision":1})`},
		{name: "above the limit", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"decision":"allow"}`), Dropped: 7},
			err: "bad answer: stdout is above its limit by 7 bytes"},
		{name: "block", event: spec.PreToolCall, exit: Exit{Status: 2, Stderr: []byte("\nno\n"), Stdout: []byte(`{"decision":"allow"}`)}, want: Answer{Decision: Deny, Reason: "no"}},
		{name: "block above the limit", event: spec.PreToolCall, exit: Exit{Status: 2, Stderr: []byte("no"), Dropped: 7}, want: Answer{Decision: Deny, Reason: "no"}},
		{name: "block on any event", event: spec.PostContextCompact, exit: Exit{Status: 2, Stderr: []byte("no")}, want: Answer{Decision: Deny, Reason: "no"}},
		{name: "block, blank", event: spec.PreToolCall, exit: Exit{Status: 2, Stderr: []byte(" \n\x00\t\xef\xbb\xbf")}, want: Answer{Decision: Deny, Reason: "blocked by hook h"}},
		{name: "block, binary", event: spec.PreToolCall, exit: Exit{Status: 2, Stderr: []byte("a\xff\xfeb")}, want: Answer{Decision: Deny, Reason: "a\ufffdb"}},
		{name: "error", event: spec.PreToolCall, exit: Exit{Status: 1}, err: "exit status 1"},
		{name: "error with text", event: spec.PreToolCall, exit: Exit{Status: 64, Stderr: []byte("\n usage: \xff \nmore")}, err: "exit status 64: usage: \ufffd"},
		{name: "error with long text", event: spec.PreToolCall, exit: Exit{Status: 3, Stderr: []byte(strings.Repeat("é", 999))}, err: "exit status 3: " + strings.Repeat("é", 100) + "…"},
		{name: "error with a deny", event: spec.PreToolCall, exit: Exit{Status: 1, Stdout: []byte(`{"decision":"deny"}`)}, err: "exit status 1 (an answer on stdout counts only with exit status 0)"},
		{name: "error with a reason", event: spec.PreToolCall, exit: Exit{Status: 1, Stderr: []byte("no\n")}, err: "exit status 1: no (only exit status 2 blocks)"},
		{name: "error with a reason on stdout", event: spec.PreToolCall, exit: Exit{Status: 1, Stdout: []byte("no\nmore\n")},
			err: `exit status 1, with "no" on stdout (only exit status 2 blocks, with the reason on stderr)`},
		{name: "node", event: spec.PreToolCall, exit: Exit{Status: 1, Stderr: []byte("/h/run.js:3\nthrow new Error(\"boom\")\n^\n\nError: boom\n    at Object.<anonymous> (/h/run.js:3:7)\n\nNode.js v24.1.0\n")}, err: "exit status 1: Error: boom"},
		{name: "node module", event: spec.PreToolCall, exit: Exit{Status: 1, Stderr: []byte("node:internal/modules/cjs/loader:1404\n  throw err;\n  ^\n\nError: Cannot find module '/x'\nRequire stack:\n- /h/run.js\n")}, err: "exit status 1: Error: Cannot find module '/x'"},
		{name: "node syntax", event: spec.PreToolCall, exit: Exit{Status: 1, Stderr: []byte("file:///h/run.mjs:1\nconst a = ;\n          ^^^\n\nSyntaxError: Unexpected token ';'\n")}, err: "exit status 1: SyntaxError: Unexpected token ';'"},
		{name: "bun", event: spec.PreToolCall, exit: Exit{Status: 1, Stderr: []byte("1 | throw new Error(\"boom\")\n          ^\nerror: boom\n      at /h/run.ts:1:11\n")}, err: "exit status 1: error: boom"},
		{name: "no marker", event: spec.PreToolCall, exit: Exit{Status: 3, Stderr: []byte("config.yaml:3\nis wrong\n")}, err: "exit status 3: config.yaml:3"},
		{name: "compiler", event: spec.PreToolCall, exit: Exit{Status: 3, Stderr: []byte("a.c:1:2: error: x\n y\n ^\n1 error\n")}, err: "exit status 3: a.c:1:2: error: x"},
		{name: "trace", event: spec.PreToolCall, exit: Exit{Status: 4, Stderr: []byte("+ cat\n++ pwd\n+./x.sh:3> ls\nls: cannot access 'x'\n+ exit 4\n")}, err: "exit status 4: ls: cannot access 'x'"},
		{name: "trace only", event: spec.PreToolCall, exit: Exit{Status: 4, Stderr: []byte("+ cat\n+ exit 4\n")}, err: "exit status 4: + exit 4"},
		{name: "crash", event: spec.PreToolCall, exit: Exit{Status: 1, Stderr: []byte("Traceback (most recent call last):\n  x")}, err: "exit status 1: x"},
		{name: "syntax error in Python", event: spec.PreToolCall, exit: Exit{Status: 1, Stderr: []byte("  File \"run.py\", line 1\n    x(\n     ^\nSyntaxError: '(' was never closed\n")}, err: "exit status 1: SyntaxError: '(' was never closed"},
		{name: "block with the reason on stdout", event: spec.PreToolCall, exit: Exit{Status: 2, Stdout: []byte("no\n"), Stderr: []byte("\n")},
			want: Answer{Decision: Deny, Reason: "blocked by hook h"}, warnings: []string{`exit status 2 with "no" on stdout, which is not read; print the reason on stderr`}},
		{name: "modified input", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"modified_input":{"a":1}}`)}, want: Answer{ModifiedInput: raw(`{"a":1}`)}},
		{name: "modified input elsewhere", event: spec.PreSession, exit: Exit{Stdout: []byte(`{"modified_input":{"a":1}}`)}, warnings: []string{"modified_input is ignored on pre-session"}},
		{name: "modified prompt elsewhere", event: spec.PreSession, exit: Exit{Stdout: []byte(`{"modified_prompt":"p"}`)}, warnings: []string{"modified_prompt is ignored on pre-session"}},
		{name: "updated output", event: spec.PostToolCall, exit: Exit{Stdout: []byte(`{"updated_output":1}`)}, want: Answer{UpdatedOutput: raw("1")}},
		{name: "updated output elsewhere", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"updated_output":1}`)}, warnings: []string{"updated_output is ignored on pre-tool-call"}},
		{name: "stop", event: spec.PostToolCall, exit: Exit{Stdout: []byte(`{"continue":false,"stop_reason":"s"}`)}, want: Answer{Stop: true, StopReason: "s"}},
		{name: "stop on a pre-event", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"continue":false,"stop_reason":"s","log":"l","additional_context":"c"}`)},
			want: Answer{Decision: Deny, Reason: "s", Log: "l", Stop: true, StopReason: "s"}},
		{name: "stop and allow", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"continue":false,"decision":"allow","reason":"fine","modified_input":{}}`)},
			want: Answer{Decision: Deny, Reason: "blocked by hook h", Stop: true}},
		{name: "stop and ask", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"continue":false,"decision":"ask","reason":"sure?","stop_reason":"s"}`)},
			want: Answer{Decision: Deny, Reason: "s", Stop: true, StopReason: "s"}},
		{name: "stop with only a reason", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"continue":false,"reason":"r"}`)}, want: Answer{Decision: Deny, Reason: "r", Stop: true}},
		{name: "stop and deny", event: spec.PreToolCall, exit: Exit{Stdout: []byte(`{"continue":false,"decision":"deny","reason":"r","stop_reason":"s"}`)},
			want: Answer{Decision: Deny, Reason: "r\ns", Stop: true, StopReason: "s"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, warnings, err := Judge(test.event, "h", test.exit)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if !slices.Equal(warnings, test.warnings) {
				t.Errorf("warned %q", warnings)
			}
			if (err != nil || test.err != "") && (err == nil || err.Error() != test.err) {
				t.Errorf("error %v, want %s", err, test.err)
			}
		})
	}
}

func TestReason(t *testing.T) {
	for name, b := range map[string][]byte{
		"at the limit": []byte(strings.Repeat("x", spec.MaxReason)),
		"above":        []byte("head" + strings.Repeat("x", spec.MaxReason) + "tail"),
		"runes":        []byte("head " + strings.Repeat("é", spec.MaxReason) + "tail"),
		"wide runes":   []byte("head " + strings.Repeat("日🎉", spec.MaxReason) + "xtail"),
		"binary":       []byte("head" + strings.Repeat("\xff\xc3x", 1<<18) + "tail"),
	} {
		got := Reason(b)
		if len(got) > spec.MaxReason || len(got) < spec.MaxReason-128 || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes, valid %v", name, len(got), utf8.ValidString(got))
		}
		if strings.HasPrefix(string(b), "head") && (!strings.HasPrefix(got, "head") || !strings.HasSuffix(got, "tail") || !strings.Contains(got, " bytes left out …\n")) {
			t.Errorf("%s: lost its head or tail: %.20q", name, got)
		}
	}
	if got := Reason([]byte(" \n a\nb \x00\n")); got != "a\nb" {
		t.Errorf("trimmed to %q", got)
	}
	long := strings.Repeat("x", 9999)
	if want := " 1871 bytes left out "; !strings.Contains(Reason([]byte(long)), want) {
		t.Errorf("does not say%s", want)
	}
}

func TestMerge(t *testing.T) {
	allow, ask, deny := Answer{Decision: Allow, Reason: "fine"}, Answer{Decision: Ask, Reason: "sure?"}, Answer{Decision: Deny, Reason: "no"}
	tests := []struct {
		name    string
		answers []Answer
		want    Answer
	}{
		{"none", nil, Answer{}},
		{"no opinion", []Answer{{}, {Reason: "because"}}, Answer{}},
		{"one allow", []Answer{{}, allow, {}}, allow},
		{"two allows", []Answer{allow, {Decision: Allow}, allow}, Answer{Decision: Allow, Reason: "fine\nfine"}},
		{"ask beats allow", []Answer{allow, ask, allow}, ask},
		{"ask first", []Answer{ask, allow}, ask},
		{"deny beats all", []Answer{allow, ask, deny, ask, allow}, deny},
		{"deny first", []Answer{deny, ask}, deny},
		{"reasons in order", []Answer{{Decision: Deny, Reason: "1\n"}, ask, {Decision: Deny}, {Decision: Deny, Reason: "2"}}, Answer{Decision: Deny, Reason: "1\n2"}},
		{"texts in order", []Answer{{AdditionalContext: "a", SystemMessage: "m", Log: "l"}, {}, {AdditionalContext: "b\n", SystemMessage: "n", Log: "k"}},
			Answer{AdditionalContext: "a\nb\n", SystemMessage: "m\nn", Log: "l\nk"}},
		{"deny drops contexts and changes, except an output", []Answer{
			{AdditionalContext: "a", SystemMessage: "m", Log: "l", ModifiedInput: json.RawMessage("{}"), UpdatedOutput: json.RawMessage("1")}, deny},
			Answer{Decision: Deny, Reason: "no", SystemMessage: "m", Log: "l", UpdatedOutput: json.RawMessage("1")}},
		{"ask keeps them", []Answer{{AdditionalContext: "a", ModifiedInput: json.RawMessage("{}")}, ask},
			Answer{Decision: Ask, Reason: "sure?", AdditionalContext: "a", ModifiedInput: json.RawMessage("{}")}},
		{"first stop", []Answer{{StopReason: "x"}, {Stop: true, StopReason: "1"}, {Stop: true, StopReason: "2"}}, Answer{Stop: true, StopReason: "1"}},
		{"last change", []Answer{{ModifiedInput: json.RawMessage(`{"a":1}`), UpdatedOutput: json.RawMessage("1")}, {},
			{ModifiedInput: json.RawMessage(`{"a":2}`), UpdatedOutput: json.RawMessage("2")}, {}},
			Answer{ModifiedInput: json.RawMessage(`{"a":2}`), UpdatedOutput: json.RawMessage("2")}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Merge(test.answers)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
