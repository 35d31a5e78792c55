package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRedactedEvents(t *testing.T) {
	for _, test := range []struct{ event, want, altered string }{
		{`{"b": 1, "a": [true, null, 1e5], "a": "x\u0041"}`, `{"b":1,"a":[true,null,1e5],"a":"x\u0041"}`, ""},
		{`{"session_id": "abc", "tool_name": "Grep", "tool_input": {"pattern": "password"}}`, `{"session_id":"abc","tool_name":"Grep","tool_input":{"pattern":"password"}}`, ""},
		{`{"usage": {"tokens": 5, "max_tokens": 6, "tokens_by": {"input": 7}}}`, `{"usage":{"tokens":5,"max_tokens":6,"tokens_by":{"input":7}}}`, ""},
		{`{"a/b~": {"password": "x"}}`, `{"a/b~":{"password":"[redacted:password]"}}`, "/a~1b~0/password password"},
		{`{"pin": 1, "password": 1234, "token": 5678}`, `{"pin":1,"password":"[redacted:password]","token":"[redacted:token]"}`, "/password password, /token token"},
		{`{"secrets": {"a": "x", "b": [1, "y", false]}}`, `{"secrets":{"a":"[redacted:secret]","b":["[redacted:secret]","[redacted:secret]",false]}}`, "/secrets/a secret, /secrets/b/0 secret, /secrets/b/1 secret"},
		{`{"env": [{"name": "STRIPE_KEY", "value": "Zk3Qw9xPr71bVm2Lt8Yd0a"}, {"name": "SORT_KEY", "value": "created_at"}]}`, `{"env":[{"name":"STRIPE_KEY","value":"[redacted:key]"},{"name":"SORT_KEY","value":"[redacted:key]"}]}`, "/env/0/value key, /env/1/value key"},
		{`{"env": {"STRIPE_KEY": "hunter2", "FOO_KEY": "$BAR", "SSL_KEY": "/etc/x", "sort_key": "a", "PUBLIC_KEY": "a", "PRIMARY_KEY": "id"}}`,
			`{"env":{"STRIPE_KEY":"[redacted:key]","FOO_KEY":"[redacted:key]","SSL_KEY":"[redacted:key]","sort_key":"[redacted:key]","PUBLIC_KEY":"a","PRIMARY_KEY":"[redacted:key]"}}`,
			"/env/STRIPE_KEY key, /env/FOO_KEY key, /env/SSL_KEY key, /env/sort_key key, /env/PRIMARY_KEY key"},
		{`{"a": [{"name": "FOO_KEY", "value": "x"}, {"name": "CACHE_KEY", "value": "x"}]}`, `{"a":[{"name":"FOO_KEY","value":"[redacted:key]"},{"name":"CACHE_KEY","value":"[redacted:key]"}]}`, "/a/0/value key, /a/1/value key"},
		{`{"stripeKey": "Zk3Qw9xPr71bVm2Lt8Yd0a", "sortKey": "created_at"}`, `{"stripeKey":"[redacted:key]","sortKey":"[redacted:key]"}`, "/stripeKey key, /sortKey key"},
		{`{"headers": [{"name": "Authorization", "value": "x"}, {"name": "Accept", "value": "y"}]}`, `{"headers":[{"name":"Authorization","value":"[redacted:authorization]"},{"name":"Accept","value":"y"}]}`, "/headers/0/value authorization"},
		{`{"argv": ["x", "--token", "abc", "--token", "$TOKEN", "--token", "--x", "y"]}`, `{"argv":["x","--token","[redacted:token]","--token","$TOKEN","--token","--x","y"]}`, "/argv/2 token"},
		{`{"lines": ["a", "-----BEGIN PRIVATE KEY-----", "MII", "-----END PRIVATE KEY-----", "b"]}`, `{"lines":["a","[redacted:private-key]","[redacted:private-key]","[redacted:private-key]","b"]}`, "/lines/1 private-key, /lines/2 private-key, /lines/3 private-key"},
		{`{"x": "` + strings.Repeat("[", 101) + `{\"pass\\u0077ord\": \"hunter2\"}` + strings.Repeat("]", 101) + `"}`, `{"x":"[redacted:secret]"}`, "/x secret"},
		{`{"x": "{\"pass\\u0077ord\": \"h\\u0075nter2\"}"}`, `{"x":"{\"pass\\u0077ord\": \"[redacted:password]\"}"}`, "/x password"},
		{`{"ghp_abcdefghijklmnopqrstuvwx": 1}`, `{"[redacted:github-token]":1}`, " github-token"},
		{`{"\u0070assword": "x", "y": "\u0067hp_abcdefghijklmnopqrstuvwx"}`, `{"\u0070assword":"[redacted:password]","y":"[redacted:github-token]"}`, "/password password, /y github-token"},
		{`{"password": "", "token": "[redacted:key]"}`, `{"password":"","token":"[redacted:key]"}`, ""},
		{`{"x": ["` + strings.Repeat(`--token", "a", "`, maxAltered+2) + `"]}`, `{"x":["` + strings.Repeat(`--token","[redacted:token]","`, maxAltered+2) + `"]}`, "MANY"},
		{"{\"x\": \"a\xffb\"}", "{\"x\":\"a\ufffdb\"}", ""},
	} {
		text, err := Record{Trigger: "pre-tool-call"}.Encode([]byte(test.event), len(test.event))
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		var altered []string
		for _, a := range r.Altered {
			altered = append(altered, a.At+" "+a.How)
		}
		if test.altered == "MANY" {
			if last := len(altered) - 1; last != maxAltered || altered[last] != " 2 more" {
				t.Errorf("%s: %d alterations", test.event, len(altered))
			}
			test.altered = strings.Join(altered, ", ")
		}
		if string(r.Event) != test.want || strings.Join(altered, ", ") != test.altered {
			t.Errorf("%s\n got %s (%s)\nwant %s (%s)", test.event, r.Event, altered, test.want, test.altered)
		}
		redact(t, test.event)
	}
}

func TestTokensAreRecognizedByForm(t *testing.T) {
	const tail = "A1B2C3D4E5F6G7H8I9J0K1L2M3N4O5P6Q7R8"
	for _, form := range tokenForms() {
		for prefix := range strings.FieldsSeq(form.prefixes) {
			secret := prefix + tail
			if form.kind == "jwt" {
				secret = prefix + "hbGciOiJIUzI1.NiJ9eyJzdWIi.abc"
			}
			for _, around := range []string{"%s", "x %s y", "'%s'", "(%s)", "a=%s;", "/%s/", "\n%s\n", `\n%s\n`, "x,%s,y", "%s\\\n" + tail} {
				survives(t, fmt.Sprintf(around, secret), secret)
			}
			split := secret[:len(prefix)+4] + "\\\n" + secret[len(prefix)+4:]
			survives(t, "x "+split, secret[len(prefix)+4:])
		}
	}
}

func TestCut(t *testing.T) {
	r := func(event string) *Record {
		t.Helper()
		text, err := Record{Trigger: "post-tool-call"}.Encode([]byte(event), len(event))
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > maxRecord {
			t.Errorf("a record of %d bytes", len(text))
		}
		r, _, err := Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	event := `{"x": "begin ` + strings.Repeat("a", 50_000) + ` end"}`
	got := r(event)
	var x struct{ X string }
	if err := json.Unmarshal(got.Event, &x); err != nil || !strings.HasPrefix(x.X, "begin a") || !strings.HasSuffix(x.X, "a end") || len(x.X) > maxText {
		t.Errorf("got %.100s of %d bytes", x.X, len(x.X))
	}
	if !strings.Contains(x.X, "\n[cut: 33") || !slices.Equal(got.Altered, []Alteration{{"/x", "cut"}}) {
		t.Errorf("got %v", got.Altered)
	}
	// A secret at the position of the cut.
	for _, secret := range []string{"ghp_abcdefghijklmnopqrstuvwxyz012345", "password=hunter22hunter22hunter22"} {
		for _, before := range []int{maxText/2 - 60, maxText/2 - 30, maxText / 2, maxText - 250, maxScanned - 20, maxScanned - 5, maxScanned + 20} {
			for _, after := range []int{0, 8150, 8170, 250_000} {
				if after > maxText && before < maxScanned/2 && before != maxText/2 {
					continue
				}
				event := `{"x": "` + strings.Repeat("a ", before/2) + secret + " " + strings.Repeat("b ", after/2) + `"}`
				if left := string(r(event).Event); strings.Contains(left, "hijkl") || strings.Contains(left, "hunter") {
					t.Errorf("with %d bytes before and %d behind, %q is left", before, after, secret)
				}
			}
		}
	}
	// Many strings, and many parts that cannot be shortened.
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d": "%s"`, i, strings.Repeat("x", 10_000))
	}
	if got := r("{" + strings.Join(many, ",") + "}"); got.LeftOut != "" || len(got.Event) < 50_000 || len(got.Altered) != maxAltered {
		t.Errorf("%q, %d bytes, %d alterations", got.LeftOut, len(got.Event), len(got.Altered))
	}
	if got := r("[" + strings.Repeat("1,", 300_000) + "1]"); got.LeftOut != "it has too many parts" || got.Event != nil {
		t.Errorf("%q, %d bytes", got.LeftOut, len(got.Event))
	}
	for event, want := range map[string]string{
		`{"x": tru}`: "it is not JSON",
		strings.Repeat("[", 2000) + strings.Repeat("]", 2000): "it is nested too deep",
		`{"x": "` + strings.Repeat("x", maxEvent) + `"}`:      "it has 2097161 bytes",
	} {
		if got := r(event); got.LeftOut != want {
			t.Errorf("got %q, want %q", got.LeftOut, want)
		}
	}
}

func TestDecodeFails(t *testing.T) {
	for text, want := range map[string]string{
		``:                             "not a JSON object",
		`[]`:                           "not a JSON object: it is an array",
		`null`:                         "not a JSON object: it is null",
		`{"agent_hooks_record": 2}`:    "version 2",
		`{"agent_hooks_record": "x"}`:  "not a record",
		`{"agent_hooks_record": null}`: "not a record",
		`{"agent_hooks_record": 1, "trigger": "x"}`:                          "unknown event",
		`{"agent_hooks_record": 1, "trigger": "pre-session"}`:                "without its event",
		`{"agent_hooks_record": 1, "trigger": "pre-session", "event": "{"}`:  "without its event",
		`{"agent_hooks_record": 1, "trigger": "pre-session", "hooks": true}`: "not a record: \"hooks\" is a bool",
	} {
		if _, foreign, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || foreign && want != "not a record" {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, foreign, err := Decode([]byte(`{"tool_name": "x"}`)); err == nil || !foreign {
		t.Errorf("an agent's event: %v, %v", foreign, err)
	}
}

func TestRelocate(t *testing.T) {
	moves := []Move{{"/home/dev", "/s/home"}, {"/home/dev/project", "/s/work"}, {"/", "/x"}, {"relative", "/y"}}
	for event, want := range map[string]string{
		`{"cwd":"/home/dev/project","x":1}`:                      `{"cwd": "/s/work", "x": 1}`,
		`{"f": "/home/dev/project/a b"}`:                         `{"f": "/s/work/a b"}`,
		`{"f": "cat /home/dev/.ssh/id x=/home/dev/project;"}`:    `{"f": "cat /s/home/.ssh/id x=/s/work;"}`,
		`{"f": "file:///home/dev/x"}`:                            `{"f": "file:///s/home/x"}`,
		`{"/home/dev": [["/home/dev"]]}`:                         `{"/s/home": [["/s/home"]]}`,
		`{"f": "/home/developer /mnt/home/dev /home/dev-x rel"}`: `{"f": "/home/developer /mnt/home/dev /home/dev-x rel"}`,
		`{"f": "\u002fhome/dev"}`:                                `{"f": "/s/home"}`,
		`{"f" : 1 , "g":"x"}`:                                    `{"f" : 1 , "g":"x"}`,
		`{"f" : tru`:                                             `{"f" : tru`,
	} {
		if got := string(Relocate([]byte(event), moves)); got != want {
			t.Errorf("%s: got %s, want %s", event, got, want)
		}
	}
}

// FuzzEncode checks that the record of any event is JSON within the limit, that redaction is
// idempotent, and that a secret of a known form is removed in every position.
func FuzzEncode(f *testing.F) {
	f.Add(`ls `, ` x`)
	f.Add(`password: `, "\n")
	f.Add(`"token": "\"`, `" , 'x'`)
	f.Add(`bash -c "x='`, `' \"y"`)
	f.Add("-----BEGIN PRIVATE KEY-----", "-----END ")
	f.Add(`{"a": ["`, `"]}`)
	f.Add(`[redacted:password]`, `[redacted:`)
	f.Add("cookie: a=b && pass=", "`${X}")
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "ghp_Abcdefghijklmnopqrstuvwxyz0123456789"
		for _, value := range []any{before + " " + secret + " " + after, map[string]any{before: []any{secret, after}}} {
			quoted, _ := json.Marshal(value)
			event := `{"tool_input": {"x": ` + string(quoted) + `}}`
			if got := redact(t, event); strings.Contains(got, secret) {
				t.Errorf("%s leaves %s", event, got)
			}
		}
	})
}

// FuzzEvent checks the same for any text as the event.
func FuzzEvent(f *testing.F) {
	f.Add([]byte(`{"a": 1, "b": ["x", {"password": "y"}]}`))
	f.Add([]byte(`{"a": "\ud800 \u0000 \"", "a": -1.5e+7}`))
	f.Add([]byte("{\"a\xff\": \"\xff\"}"))
	f.Fuzz(func(t *testing.T, event []byte) {
		text, err := Record{Trigger: "pre-session", Time: time.Unix(0, 0)}.Encode(event, len(event))
		if err != nil || len(text) > maxRecord || !json.Valid(text) {
			t.Fatalf("%v, %d bytes: %s", err, len(text), text)
		}
		if len(event) > 0 && event[0] == '{' {
			redact(t, string(event))
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, size := range []int{4 << 10, 2 << 20} {
		line := "The quick brown fox: jumps over = \"the\" lazy dog's back.\n"
		quoted, _ := json.Marshal(strings.Repeat(line, min(size, 250_000)/len(line)))
		var event strings.Builder
		event.WriteString(`{"x": [`)
		event.Write(quoted)
		for event.Len()+len(quoted) < size-10 {
			event.WriteString(",")
			event.Write(quoted)
		}
		event.WriteString("]}")
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(event.Len()))
			for range b.N {
				if _, err := (Record{}).Encode([]byte(event.String()), event.Len()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
