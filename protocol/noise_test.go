package protocol

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

func TestNoise(t *testing.T) {
	const (
		around  = "stdout has text around its JSON object"
		ignored = around + "; its allow and its changes are ignored"
		bad     = around + "; bad answer: stdout is not a JSON object"
	)
	tests := []struct {
		name, stdout string
		want         Answer
		warning      string
	}{
		{"text", "hello\nworld", Answer{}, `stdout is text, not a JSON object: "hello"; no opinion`},
		{"program text", "func f() { return }", Answer{}, `stdout is text, not a JSON object: "func f() { return }"; no opinion`},
		{"array", "[]", Answer{}, `stdout is text, not a JSON object: "[]"; no opinion`},
		{"string", `"deny"`, Answer{}, `stdout is text, not a JSON object: "\"deny\""; no opinion`},
		{"null", `null`, Answer{}, `stdout is text, not a JSON object: "null"; no opinion`},
		{"long text", strings.Repeat("é", 80), Answer{}, `stdout is text, not a JSON object: "` + strings.Repeat("é", 40) + `…"; no opinion`},
		{"deny after a banner", "hi\n" + `{"decision":"deny","reason":"r"}`, Answer{Decision: Deny, Reason: "r"}, around},
		{"deny before a banner", `{"decision":"deny","reason":"r"}` + "\nbye", Answer{Decision: Deny, Reason: "r"}, around},
		{"ask", "hi\n" + `{"decision":"ask"}`, Answer{Decision: Ask}, around},
		{"context", "hi\n" + `{"additional_context":"c"}`, Answer{AdditionalContext: "c"}, around},
		{"stop", "hi\n" + `{"continue":false,"stop_reason":"s"}`, Answer{Stop: true, StopReason: "s"}, around},
		{"allow", "hi\n" + `{"decision":"allow","reason":"r"}`, Answer{}, ignored},
		{"modified input", "hi\n" + `{"modified_input":{},"log":"l"}`, Answer{Log: "l"}, ignored},
		{"updated output", "hi\n" + `{"updated_output":1}`, Answer{}, ignored},
		{"allow in an array", `[{"decision":"allow"}]`, Answer{}, ignored},
		{"deny in an array", `[{"decision":"deny"}]`, Answer{Decision: Deny}, around},
		{"lines: deny, allow", `{"decision":"deny"}` + "\n" + `{"decision":"allow"}`, Answer{Decision: Deny}, ignored},
		{"lines: allow, deny", `{"decision":"allow"}` + "\n" + `{"decision":"deny"}`, Answer{Decision: Deny}, ignored},
		{"lines: allow, allow", `{"decision":"allow"}` + "\n" + `{"decision":"allow"}`, Answer{}, ignored},
		{"second mark", "{}\n\xef\xbb\xbf{\"decision\":\"deny\"}", Answer{Decision: Deny}, around},
		{"binary", "\x00\xff\xfe{\"decision\":\"deny\"}\x00", Answer{Decision: Deny}, around},
		{"behind an unclosed object", `{"a":` + "\n" + `{"decision":"deny"}`, Answer{Decision: Deny}, bad},
		{"trailing comma", `{"decision":"deny","reason":"r",}`, Answer{Decision: Deny, Reason: "r"}, "bad answer: stdout is not a JSON object"},
		{"behind an unclosed array", `{"a":[1,` + "\n" + `{"decision":"deny"}`, Answer{Decision: Deny}, bad},
		{"behind an open string", `{"a":"` + "\n" + `{"decision":"deny"}`, Answer{Decision: Deny}, bad},
		{"behind an open string, one line", `{"a":"` + `{"decision":"deny"}`, Answer{Decision: Deny}, bad},
		{"behind a quote", `it's 5" long {"decision":"deny"}`, Answer{Decision: Deny}, around},
		{"behind a backslash", `\{"decision":"deny"}`, Answer{Decision: Deny}, around},
		{"behind a syntax error", `{"a":1;"decision":"deny","reason":"r"}`, Answer{Decision: Deny}, "bad answer: stdout is not a JSON object"},
		{"in a string of a broken object", `{"a":"{}","b":{"decision":"deny"},}`, Answer{Decision: Deny}, bad},
		{"behind braces", strings.Repeat("{", 50) + `{"decision":"deny"}`, Answer{Decision: Deny}, bad},
		{"pretty-printed", "log: {\n\t\"decision\" : \"deny\"\n}", Answer{Decision: Deny}, around},
		{"ask in addition to a bad answer", `{"decision":"dney"} {"decision":"ask"}`, Answer{Decision: Ask}, around + `; bad answer: unknown decision "dney"; allow, deny or ask`},
		{"quoted in a whole object", `x {"a":"{\"decision\":\"deny\"}"}`, Answer{}, around},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, warnings, err := DecodeAnswer([]byte(test.stdout))
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("%v\n%s", err, diff)
			}
			if w := strings.Join(warnings, "\n"); w != test.warning && !(strings.Contains(test.warning, "bad answer") && strings.HasPrefix(w, test.warning)) {
				t.Errorf("warned %s\nwant   %s", w, test.warning)
			}
		})
	}
}

func TestNoiseWarnsOfRepeatedKeys(t *testing.T) {
	_, warnings, err := DecodeAnswer([]byte(`x {"log":"a","log":"b"} {"log":"c","log":"d"} {"log":"e"}`))
	if err != nil || len(warnings) != 2 || !strings.Contains(warnings[0], "twice") {
		t.Errorf("%q, %v", warnings, err)
	}
}

// Noise must not hide a deny, and must be searched in linear time: restarting
// at each brace would take hours here.
func TestHostileNoise(t *testing.T) {
	size := 1 << 18
	if os.Getenv("LONG_TESTS") != "" {
		size = 1 << 20
	}
	deny := []byte(`{"decision":"deny","reason":"r"}`)
	for _, filler := range []string{
		`{"a":`, `{"a":[`, `{"`, `{"a":"`, `{"a":"\`, `{"a":"{`, `{}`, `{"a":{}`, `[{"a":1},`, `{ "`, `{"a":1}}`, `"{"a":{"`, `{"a":"\"`, `\"{`, `"{"`,
		`{"{":"{`, `{"a":[{},`, "{\t", "{",
		`{"log":"x"}`, `{"decision":"deny","reason":"x"}`, `{"decision":"dney"}`, `{"decision":"allow"}`, `{"Decision":1}`, `{"log":1,"log":2}`,
	} {
		t.Run(filler, func(t *testing.T) {
			noise := bytes.Repeat([]byte(filler), size/len(filler))
			for name, stdout := range map[string][]byte{
				"before": append(noise[:len(noise):len(noise)], deny...),
				"line":   append(append(noise[:len(noise):len(noise)], '\n'), deny...),
				"after":  append(deny[:len(deny):len(deny)], noise...),
				"closed": append(append(noise[:len(noise):len(noise)], deny...), bytes.Repeat([]byte("}"), size/len(filler)-1)...),
			} {
				began := time.Now()
				a, _, err := DecodeAnswer(stdout)
				if took := time.Since(began); took > time.Minute {
					t.Errorf("%s: took %v", name, took)
				}
				// Brackets that enclose the deny make it part of another
				// object.
				if a.Decision != Deny && (name != "closed" || err == nil) {
					t.Errorf("%s: decision %q, %v", name, a.Decision, err)
				}
			}
		})
	}
}

func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"decision":"allow","modified_input":{"a":1}}`, `x {"decision":"deny"}`, `{"a":"{\"b":{"decision":"ask"}`, `[{"updated_output":1}]`,
		`{"decision":"allow","decision":"allow"}`, `{"a":{"b":[{},1,"\""]},`, "\xef\xbb\xbf{}", `{"a":"{"b":"}`, `{{"{"`, `{"a":"{}","b":{"c":x`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, stdout []byte) {
		a, warnings, err := DecodeAnswer(stdout)
		if err != nil && !a.Empty() {
			t.Error("an answer in addition to an error")
		}
		if !json.Valid(trimAnswer(stdout)) && (a.Decision == Allow || a.ModifiedInput != nil || a.UpdatedOutput != nil) {
			t.Errorf("noise lets through: %+v", a)
		}
		for _, w := range warnings {
			if strings.ContainsAny(w, "\n\r") {
				t.Errorf("a warning of several lines: %q", w)
			}
		}
		if out, err := json.Marshal(a); err != nil || !json.Valid(out) {
			t.Errorf("%+v: %s, %v", a, out, err)
		}
		checkObjects(t, bytes.ToValidUTF8(stdout, []byte("?")))
		withDeny := append(append(bytes.Clone(stdout), '\n'), `{"decision":"deny"}`...)
		if a, _, err := DecodeAnswer(withDeny); a.Decision != Deny {
			t.Errorf("%q hides a deny: %+v, %v", stdout, a, err)
		}
	})
}

// checkObjects compares rawjson.Objects with a search that tries every brace.
func checkObjects(t *testing.T, b []byte) {
	t.Helper()
	var want [][]byte
	for i := 0; i < len(b); i++ {
		next := rawjson.SkipSpace(b, i+1)
		if b[i] != '{' || i > 0 && (next == len(b) || b[next] != '"' && b[next] != '}') {
			continue
		}
		var object json.RawMessage
		if json.NewDecoder(bytes.NewReader(b[i:])).Decode(&object) == nil {
			want = append(want, object)
			i += len(object) - 1
		}
	}
	if got, _ := rawjson.Objects(b); !cmp.Equal(got, want) {
		t.Errorf("%q: found %q, want %q", b, got, want)
	}
}
