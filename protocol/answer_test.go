package protocol

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
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
		`{"decision":"dney"}`:       `bad answer: unknown decision "dney"; allow, deny or ask`,
		`{"decision":""}`:           `bad answer: unknown decision ""`,
		`{"decision":"Deny"}`:       `bad answer: unknown decision "Deny"`,
		`{"decision":true}`:         `bad answer: "decision" is not a string`,
		`{"decision":["deny"]}`:     `bad answer: "decision" is not a string`,
		`{"reason":1}`:              `bad answer: "reason" is not a string`,
		`{"additional_context":[]}`: `bad answer: "additional_context" is not a string`,
		`{"system_message":{}}`:     `bad answer: "system_message" is not a string`,
		`{"log":false}`:             `bad answer: "log" is not a string`,
		`{"stop_reason":0}`:         `bad answer: "stop_reason" is not a string`,
		`{"continue":"false"}`:      `bad answer: "continue" is not true or false`,
		`{"continue":0}`:            `bad answer: "continue" is not true or false`,
		`{"modified_input":"ls"}`:   `bad answer: "modified_input" is not an object`,
		`{"modified_input":[]}`:     `bad answer: "modified_input" is not an object`,
		`{'decision':'deny'}`:       "bad answer: stdout is not a JSON object",
		`{'decision':'deny'} {}`:    "bad answer: stdout is not a JSON object",
		`{"decision"="deny"`:        "bad answer: stdout is not a JSON object",
		`{"result":{"result":{"result":{"result":{"action":"deny"}}}}}`: "bad answer: no key of the format",
		`{"a":1,"decision"`:                      "bad answer: stdout is not a JSON object",
		`{"decision":deny}`:                      "bad answer: stdout is not a JSON object",
		"{\"reason\":\"a\nb\"}":                  "bad answer: stdout is not a JSON object",
		`{`:                                      "bad answer: stdout is not a JSON object",
		`{"decision":"allow",}`:                  "bad answer: stdout is not a JSON object: a trailing comma before }; remove it (line 1, column 21 of ",
		"{\n\"decision\": 'deny'}":               "bad answer: stdout is not a JSON object: strings need double quotes, not single ones (line 2, column 13 of {",
		`{"decision":"allow"`:                    "bad answer: stdout is not a JSON object: it is cut off",
		`{"Decision":"deny"}`:                    `bad answer: "Decision" is not a key of the format; did you mean "decision"? (line 1, column 2 of {"Decision":"deny"})`,
		`{"descision":"deny","reason":"r"}`:      `bad answer: "descision" is not a key of the format`,
		`{"decision":"allow","DECISION":"deny"}`: `bad answer: "DECISION" is not a key of the format`,
		`{"outcome":"deny"}`:                     `bad answer: no key of the format`,
		`{"a":[{"decision":"deny"}],"text":"{\"decision\":\"deny\"}"}`: `bad answer: no key of the format`,
		`x {"Decision":"deny"}`:            `bad answer: "Decision" is not a key of the format`,
		"banner\n" + `{"decision":"dney"}`: `bad answer: unknown decision "dney"`,
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
		{`{"decision":"allow","modified_input":{},"log":"a","log":"b"}`, Answer{Log: "a"}},
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

// A deny or ask counts even if other parts of the answer are invalid (D25).
func TestRestrictsDespiteFaults(t *testing.T) {
	deny, ask := Answer{Decision: Deny}, Answer{Decision: Ask}
	no := Answer{Decision: Deny, Reason: "no: "}
	for stdout, want := range map[string]Answer{
		`{"decision":"deny","reason":"no: ","log":3,"r":""}`:                    no,
		`{"decision":"deny","reason":"no: "x" y"}`:                              no,
		`{"reason":"no: "x" y","decision":"deny"}`:                              no,
		`{"reason":"no: ","decision":"allow","x":{"a":"","decision":"deny"}`:    no,
		`{"reason":"no: ","decision":"allow","x":"\","decision":"deny"}`:        no,
		`{"reason":"no: ","decision":"allow"} {"a":"","decision":"deny"}`:       deny,
		`{"decision":"deny","reason":"no: ","decision":"allow","reason":"yes"}`: no,
		`{"decision":"deny"`:                              deny,
		`{"decision":"deny",}`:                            deny,
		`{"decision":"deny","log":`:                       deny,
		`{"decision":"deny","log":"` + "a\nb" + `"}`:      deny,
		`{"decision":"deny"}}`:                            deny,
		`{"decision":"deny"} trailing {`:                  deny,
		`{"decision":"block","modified_input":[]}`:        deny,
		`{"decision":"deny","decision":"dney"}`:           deny,
		`{"decision":"dney","decision":"deny"}`:           deny,
		`{"decision":"deny","DECISION":"allow"}`:          deny,
		`{"decision":7,"permission":"deny"}`:              deny,
		`{"decision":"ask","continue":"no"}`:              ask,
		`{"decision":"ask"`:                               ask,
		`{"decision":"ask"` + "\xff":                      ask,
		`{"decision":"allow","log":1} {"decision":"ask"}`: ask,
	} {
		got, warnings, err := DecodeAnswer([]byte(stdout))
		if diff := cmp.Diff(want, got); diff != "" || err != nil || len(warnings) == 0 {
			t.Errorf("%s: %q, %v\n%s", stdout, warnings, err, diff)
		}
	}
}

// In an answer for another hook system, only restrictions count (D25).
func TestForeignAnswer(t *testing.T) {
	for stdout, want := range map[string]Answer{
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`: {Decision: Deny, Reason: "r"},
		`{"hookSpecificOutput":{"permissionDecision":"ask"}}`:                                                              {Decision: Ask},
		`{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{},"additionalContext":"c"}}`:                  {},
		`{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m"}}}`:                                            {Decision: Deny, Reason: "m"},
		`{"hookSpecificOutput":{}}`:                                              {},
		`{"log":"x","result":{"action":"deny"}}`:                                 {Decision: Deny, Log: "x"},
		`{"hookSpecificOutput":{"continue":false}}`:                              {Decision: Deny},
		`{"hook_specific_output":{"permission_decision":"deny"}}`:                {Decision: Deny},
		`{"permission_decision":"deny","reason":"r"}`:                            {Decision: Deny, Reason: "r"},
		`{"permissionDecision":"DENY"}`:                                          {Decision: Deny},
		`{"permission":"deny","user_message":"u"}`:                               {Decision: Deny, Reason: "u"},
		`{"permission":"allow"}`:                                                 {},
		`{"behavior":"deny"}`:                                                    {Decision: Deny},
		`{"action":"skip"}`:                                                      {Decision: Deny},
		`{"action":"stop","retry_feedback":"f"}`:                                 {Decision: Deny, Reason: "f"},
		`{"action":"deny_tool"}`:                                                 {Decision: Deny},
		`{"action":"reject-and-continue","message":"m"}`:                         {Decision: Deny, Reason: "m"},
		`{"action":"continue"}`:                                                  {},
		`{"jsonrpc":"2.0","id":1,"result":{"action":"hard_abort","reason":"r"}}`: {Decision: Deny, Reason: "r"},
		`{"other":{"decision":"deny"}}`:                                          {Decision: Deny},
		`{"decision":"approve"}`:                                                 {},
		`{"decision":"reject"}`:                                                  {Decision: Deny},
		`{"decision":{"behavior":"deny"},"log":"l"}`:                             {Decision: Deny, Log: "l"},
		`{"decision":"allow","permission":"ask"}`:                                {Decision: Ask},
		`{"decision":"allow","permission":"allow"}`:                              {Decision: Allow},
		`{"cancel":true,"errorMessage":"e"}`:                                     {Decision: Deny, Reason: "e"},
		`{"cancel":false}`:                                                       {},
		`{"approved":false}`:                                                     {Decision: Deny},
		`{"block":true,"reason":"r"}`:                                            {Decision: Deny, Reason: "r"},
		`{"ok":false}`:                                                           {Decision: Deny},
	} {
		got, warnings, err := DecodeAnswer([]byte(stdout))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", stdout, err, diff)
		}
		if len(warnings) == 0 || !strings.Contains(warnings[0], "metadata: {protocol: ") {
			t.Errorf("%s: warned %q", stdout, warnings)
		}
	}
	for _, stdout := range []string{`{"log":"x","action":"formatted"}`, `{"log":"x","block":"rm"}`, `{"log":"x","permission":1}`, `{"log":"x","result":{"a":1}}`, `{"log":"x","other":{"decision":"deny"}}`} {
		if a, warnings, err := DecodeAnswer([]byte(stdout)); a.Decision != NoOpinion || len(warnings) > 0 || err != nil {
			t.Errorf("%s: %+v, %q, %v", stdout, a, warnings, err)
		}
	}
}

// A hook that prints its input has no opinion, even if it reformats it.
func TestEcho(t *testing.T) {
	event, _ := ParseEvent(spec.PreToolCall, []byte(`{"tool_name":"Shell","tool_input":{"command":"echo <é>"},"permission":"deny","n":1.0}`), "2026-11-20T12:43:46Z")
	var b bytes.Buffer
	if _, err := event.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(b.Bytes(), &value); err != nil {
		t.Fatal(err)
	}
	respelled, _ := json.MarshalIndent(value, "", "\t")
	for stdout, echo := range map[string]bool{
		b.String():                     true,
		string(respelled):              true,
		"banner\n" + string(respelled): true,
		strings.Replace(b.String(), "Shell", "Bash", 1): false,
	} {
		a, _, err := Judge(spec.PreToolCall, "h", Exit{Stdout: []byte(stdout), Event: event})
		if echo != (a.Empty() && err == nil) {
			t.Errorf("%s: %+v, %v", stdout, a, err)
		}
	}
}

// A reason without a decision has no effect.
func TestReasonAlone(t *testing.T) {
	_, warnings, err := DecodeAnswer([]byte(`{"reason":"no"}`))
	if err != nil || !slices.Equal(warnings, []string{`its answer has a "reason" without a "decision"; no opinion`}) {
		t.Errorf("%q, %v", warnings, err)
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
		t.Error("the zero answer is not empty")
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
