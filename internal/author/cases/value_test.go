package cases

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

func jsonValue(t *testing.T, text string) *tree.Node {
	t.Helper()
	s := &source{bytes: []byte(text)}
	v := s.parseJSON()
	if v == nil || len(s.diagnostics) > 0 {
		t.Fatalf("%s: %v", text, s.diagnostics)
	}
	return v
}

// TestMerge checks the examples of RFC 7396, and the order of keys.
func TestMerge(t *testing.T) {
	for _, test := range [][3]string{
		{`{"a": "b"}`, `{"a": "c"}`, `{"a": "c"}`},
		{`{"a": "b"}`, `{"b": "c"}`, `{"a": "b", "b": "c"}`},
		{`{"a": "b"}`, `{"a": null}`, `{}`},
		{`{"a": "b", "b": "c"}`, `{"a": null}`, `{"b": "c"}`},
		{`{"a": ["b"]}`, `{"a": "c"}`, `{"a": "c"}`},
		{`{"a": "c"}`, `{"a": ["b"]}`, `{"a": ["b"]}`},
		{`{"a": {"b": "c"}}`, `{"a": {"b": "d", "c": null}}`, `{"a": {"b": "d"}}`},
		{`{"a": [{"b": "c"}]}`, `{"a": [1]}`, `{"a": [1]}`},
		{`["a", "b"]`, `["c", "d"]`, `["c", "d"]`},
		{`{"a": "b"}`, `["c"]`, `["c"]`},
		{`{"a": "foo"}`, `null`, `null`},
		{`{"e": null}`, `{"a": 1}`, `{"e": null, "a": 1}`},
		{`[1, 2]`, `{"a": "b", "c": null}`, `{"a": "b"}`},
		{`{}`, `{"a": {"bb": {"ccc": null}}}`, `{"a": {"bb": {}}}`},
		{`{"z": 1, "y": 2, "x": 3}`, `{"y": 4, "a": 5, "z": 6}`, `{"z": 6, "y": 4, "x": 3, "a": 5}`},
	} {
		target, patch := jsonValue(t, test[0]), jsonValue(t, test[1])
		if got := string(encode(merge(target, patch))); got != test[2] {
			t.Errorf("merge(%s, %s) = %s, want %s", test[0], test[1], got, test[2])
		}
		if before := string(encode(target)); before != test[0] {
			t.Errorf("the target was changed to %s", before)
		}
	}
}

func TestSame(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{"a": 1, "b": [true, null]}`, `{"b": [true, null], "a": 1}`, true},
		{`{"a": 1}`, `{"a": 1, "b": 1}`, false},
		{`{"a": 1, "b": 1}`, `{"a": 1, "c": 1}`, false},
		{`1`, `1.0`, true},
		{`1e2`, `100`, true},
		{`1`, `"1"`, false},
		{`12345678901234567890`, `12345678901234567891`, false},
		{`12345678901234567890`, `12345678901234567890`, true},
		{`1e999`, `1e998`, false},
		{`"é"`, `"\u00e9"`, true},
		{`"a"`, `"b"`, false},
		{`[1, 2]`, `[2, 1]`, false},
		{`null`, `null`, true},
		{`true`, `false`, false},
		{`{}`, `[]`, false},
	} {
		if got := same(jsonValue(t, test.a), jsonValue(t, test.b)); got != test.want {
			t.Errorf("%s same as %s: %v", test.a, test.b, got)
		}
	}
	if same(nil, jsonValue(t, "1")) || !same(nil, nil) {
		t.Error("a missing value equals an existing one, or differs from another missing one")
	}
}

func TestReplaced(t *testing.T) {
	v := jsonValue(t, `{"{{work_dir}}": "{{work_dir}}/a", "b": ["{{home}}", 1, "{{other}}"]}`)
	got := string(encode(replaced(v, []string{workDir, `C:\w "q"`, homeDir, "/h"})))
	want := `{"{{work_dir}}": "C:\\w \"q\"/a", "b": ["/h", 1, "{{other}}"]}`
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !json.Valid([]byte(got)) || strings.Contains(string(encode(v)), "/h") {
		t.Error("the result is not JSON, or the original was changed")
	}
}

// TestPlain checks plain scalars of the core schema of YAML 1.2, and those that are rejected
// because parsers differ.
func TestPlain(t *testing.T) {
	for _, test := range []struct{ plain, want string }{
		{"", "null"}, {"~", "null"}, {"null", "null"}, {"NULL", "null"}, {"nULL", `"nULL"`},
		{"true", "true"}, {"False", "false"}, {"TRUE", "true"}, {"tRue", `"tRue"`},
		{"yes", `"yes"`}, {"no", `"no"`}, {"on", `"on"`}, {"Off", `"Off"`}, {"y", `"y"`},
		{"0", "0"}, {"-0", "-0"}, {"12", "12"}, {"+12", "refused"}, {"-12", "-12"}, {"1_000", `"1_000"`},
		{"123456789012345678901234567890", "123456789012345678901234567890"},
		{"1.5", "1.5"}, {"-.5", "refused"}, {"1.", "refused"}, {"1e3", "1e3"}, {"1.e-3", "refused"}, {"1E+3", "1E+3"}, {".5e1", "refused"},
		{"2026-01-02", `"2026-01-02"`}, {"12:30:45", `"12:30:45"`}, {"0b11", `"0b11"`}, {"0x", `"0x"`}, {"-0x1f", `"-0x1f"`},
		{"<", `"<"`}, {"=", `"="`}, {"硬盘", `"硬盘"`},
		{"0777", "refused"}, {"-01", "refused"}, {"00", "refused"}, {"0x1F", "refused"}, {"0o17", "refused"},
		{".inf", "refused"}, {"-.Inf", "refused"}, {".nan", "refused"},
	} {
		_, token, problem := plain(test.plain)
		if problem != "" {
			token = "refused"
		}
		if token != test.want {
			t.Errorf("plain(%q) = %s (%s), want %s", test.plain, token, problem, test.want)
		}
	}
}
