package protocol

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeAnswer(t *testing.T) {
	tests := []struct {
		stdout string
		want   Answer
	}{
		{"", Answer{}},
		{" \r\n\t", Answer{}},
		{"\xef\xbb\xbf\n", Answer{}},
		{`{}`, Answer{}},
		{`{"decision":"allow"}`, Answer{Decision: Allow}},
		{`{"decision":"ask","reason":"sure?"}`, Answer{Decision: Ask, Reason: "sure?"}},
		{`{"decision":"deny","reason":"no"}`, Answer{Decision: Deny, Reason: "no"}},
		{`{"decision":"block","reason":"no"}`, Answer{Decision: Deny, Reason: "no"}},
		{"\xef\xbb\xbf {\"decision\":\"deny\"}\n", Answer{Decision: Deny}},
		{`{"\u0064ecision":"d\u0065ny"}`, Answer{Decision: Deny}},
		{`{"decision":null,"reason":null,"modified_input":null,"continue":null,"permission":null,"updated_output":null}`, Answer{}},
		{`{"modified_input":{"a":[1.50]}}`, Answer{ModifiedInput: json.RawMessage(`{"a":[1.50]}`)}},
		{`{"updated_output":"x"}`, Answer{UpdatedOutput: json.RawMessage(`"x"`)}},
		{`{"additional_context":"c","system_message":"m","log":"l"}`, Answer{AdditionalContext: "c", SystemMessage: "m", Log: "l"}},
		{`{"continue":false,"stop_reason":"enough"}`, Answer{Stop: true, StopReason: "enough"}},
		{`{"continue":true,"stop_reason":"never"}`, Answer{}},
		{"{\"decision\":\"deny\",\"reason\":\"\xff\"}", Answer{Decision: Deny, Reason: "\ufffd"}},
		{"{\"modified_input\":{\"a\":\"\xff\"}}", Answer{ModifiedInput: json.RawMessage("{\"a\":\"\ufffd\"}")}},
	}
	for _, test := range tests {
		got, warnings, err := DecodeAnswer([]byte(test.stdout))
		if diff := cmp.Diff(test.want, got); diff != "" || len(warnings) > 0 || err != nil {
			t.Errorf("%s: %q, %v\n%s", test.stdout, warnings, err, diff)
		}
	}
}

func TestBadAnswer(t *testing.T) {
	for stdout, want := range map[string]string{
		`{"decision":"dney"}`:               `bad answer: unknown decision "dney"; allow, deny or ask`,
		`{"decision":""}`:                   `bad answer: unknown decision ""`,
		`{"decision":"Deny"}`:               `bad answer: unknown decision "Deny"`,
		`{"decision":true}`:                 `bad answer: "decision" is not a string`,
		`{"decision":["deny"]}`:             `bad answer: "decision" is not a string`,
		`{"reason":1}`:                      `bad answer: "reason" is not a string`,
		`{"additional_context":[]}`:         `bad answer: "additional_context" is not a string`,
		`{"system_message":{}}`:             `bad answer: "system_message" is not a string`,
		`{"log":false}`:                     `bad answer: "log" is not a string`,
		`{"stop_reason":0}`:                 `bad answer: "stop_reason" is not a string`,
		`{"continue":"false"}`:              `bad answer: "continue" is not true or false`,
		`{"continue":0}`:                    `bad answer: "continue" is not true or false`,
		`{"modified_input":"ls"}`:           `bad answer: "modified_input" is not an object`,
		`{"modified_input":[]}`:             `bad answer: "modified_input" is not an object`,
		`{"decision":"allow","cancel":0}`:   `bad answer: "cancel" belongs to another hook system; this format's key is "decision"`,
		`{"hookSpecificOutput":{}}`:         `bad answer: "hookSpecificOutput" belongs`,
		`{"permission":"deny"}`:             `bad answer: "permission" belongs`,
		`{"permissionDecision":"deny"}`:     `bad answer: "permissionDecision" belongs`,
		`{"approved":false}`:                `bad answer: "approved" belongs`,
		`{"action":"deny"}`:                 `bad answer: "action" belongs`,
		`{"decision":"deny"`:                "bad answer: stdout is not a JSON object",
		`{"decision":"deny",}`:              "bad answer: stdout is not a JSON object",
		`{'decision':'deny'}`:               "bad answer: stdout is not a JSON object",
		`{'decision':'deny'} {}`:            "bad answer: stdout is not a JSON object",
		`{"decision":deny}`:                 "bad answer: stdout is not a JSON object",
		"{\"reason\":\"a\nb\"}":             "bad answer: stdout is not a JSON object",
		`{`:                                 "bad answer: stdout is not a JSON object",
		"banner\n" + `{"decision":"deny",}`: "bad answer: stdout is not a JSON object",
		"banner\n" + `{"decision":"dney"}`:  `bad answer: unknown decision "dney"`,
		"banner\n" + `{"permission":1} {}`:  `bad answer: "permission" belongs`,
	} {
		a, warnings, err := DecodeAnswer([]byte(stdout))
		if err == nil || !strings.HasPrefix(err.Error(), want) || !a.Empty() || len(warnings) > 0 {
			t.Errorf("%s: %+v, %q, %v; want %s", stdout, a, warnings, err, want)
		}
	}
}

func TestRepeatedKeys(t *testing.T) {
	tests := []struct {
		stdout string
		want   Answer
	}{
		{`{"decision":"deny","decision":"allow"}`, Answer{Decision: Deny}},
		{`{"decision":"allow","decision":"ask","reason":"r"}`, Answer{Decision: Ask, Reason: "r"}},
		{`{"decision":"allow","decision":"allow","reason":"r"}`, Answer{}},
		{`{"decision":"allow","reason":"a","reason":"b"}`, Answer{}},
		{`{"decision":"allow","modified_input":{},"log":"a","log":"b"}`, Answer{Log: "b"}},
		{`{"modified_input":{"a":1},"modified_input":{"a":2}}`, Answer{}},
		{`{"updated_output":1,"updated_output":2}`, Answer{}},
		{`{"continue":false,"continue":true}`, Answer{Stop: true}},
		{`{"decision":"allow","d\u0065cision":"allow"}`, Answer{}},
	}
	for _, test := range tests {
		got, warnings, err := DecodeAnswer([]byte(test.stdout))
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", test.stdout, err, diff)
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0], "twice") {
			t.Errorf("%s: warned %q", test.stdout, warnings)
		}
	}
}

// A misspelt key must not switch a guard off in silence.
func TestMisspeltDecision(t *testing.T) {
	for stdout, want := range map[string][]string{
		`{"Decision":"deny"}`:                    {`its answer has no "decision", but "Decision"; no opinion`},
		`{"descision":"deny","reason":"r"}`:      {`its answer has no "decision", but "descision"; no opinion`},
		`{"decision":"deny","DECISION":"allow"}`: nil,
		`{"outcome":"deny"}`:                     {"its answer has no key of this format; no opinion"},
		`{"other":{"decision":"deny"},"list":[{"decision":"deny"}],"text":"{\"decision\":\"deny\"}"}`: {"its answer has no key of this format; no opinion"},
		`{"reason":"no"}`:                      {`its answer has a "reason" without a "decision"; no opinion`},
		`{"other":1,"additional_context":"c"}`: nil,
	} {
		if _, warnings, err := DecodeAnswer([]byte(stdout)); err != nil || !slices.Equal(warnings, want) {
			t.Errorf("%s: %q, %v", stdout, warnings, err)
		}
	}
}

func TestMarshalAnswer(t *testing.T) {
	full := Answer{
		Decision: Ask, Reason: "a < b && \"c\" é", ModifiedInput: json.RawMessage(`{"a":1.50}`), UpdatedOutput: json.RawMessage(`[1]`),
		AdditionalContext: "<x>\n", SystemMessage: "m", Log: "l", Stop: true, StopReason: "enough",
	}
	tests := []struct {
		answer Answer
		want   string
	}{
		{Answer{}, `{}`},
		{Answer{Decision: Deny, Reason: "no"}, `{"decision":"deny","reason":"no"}`},
		{Answer{Stop: true}, `{"continue":false}`},
		{full, `{"decision":"ask","reason":"a < b && \"c\" é","modified_input":{"a":1.50},"updated_output":[1],"additional_context":"<x>\n","system_message":"m","log":"l","continue":false,"stop_reason":"enough"}`},
	}
	for _, test := range tests {
		got, err := test.answer.MarshalJSON()
		if string(got) != test.want || err != nil {
			t.Errorf("got %s, %v\nwant %s", got, err, test.want)
		}
		back, warnings, err := DecodeAnswer(got)
		if diff := cmp.Diff(test.answer, back); diff != "" || len(warnings) > 0 || err != nil {
			t.Errorf("%s: %q, %v\n%s", got, warnings, err, diff)
		}
	}
}

func TestEmpty(t *testing.T) {
	if !(Answer{}).Empty() {
		t.Error("the zero answer says something")
	}
	for _, a := range []Answer{
		{Decision: Allow}, {Reason: "x"}, {ModifiedInput: json.RawMessage("{}")}, {UpdatedOutput: json.RawMessage("1")},
		{AdditionalContext: "x"}, {SystemMessage: "x"}, {Log: "x"}, {Stop: true}, {StopReason: "x"},
	} {
		if a.Empty() {
			t.Errorf("%+v is empty", a)
		}
	}
}

func TestComplete(t *testing.T) {
	for stdout, want := range map[string]bool{
		"": false, "{": false, "{}": true, " {} \n": true, "\xef\xbb\xbf{}": true, `{"a":{}`: false, `{"a":1}`: true,
		"[]": false, "text": false, "{} {}": false, "text {}": false, `{"a":"}`: false, "}": false,
	} {
		if got := Complete([]byte(stdout)); got != want {
			t.Errorf("%q: %v", stdout, got)
		}
	}
}
