package manifest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/spec"
)

const minimal = "---\nname: a\ndescription: d\ntrigger: pre-tool-call\n"

func TestParse(t *testing.T) {
	front := `---
name: "guard-1"
description: >-
  Blocks what
  is dangerous.
trigger: pre-tool-call # a comment
matcher:
  tool: 'Bash|Shell'
  pattern: <<
timeout: 0x1388
async: No
priority: 1_000
metadata:
  on-failure: deny
  retry: 5
  note: é
  list: [1, 1.5, true, ~, 2024-01-01, .inf, {a: b}]
  1: one
---
`
	h, ds := Check([]byte(front+"# Body\n---\n"), "guard-1")
	if len(ds) > 0 {
		t.Error(ds)
	}
	want := Hook{
		Name: "guard-1", Description: "Blocks what is dangerous.", Trigger: spec.PreToolCall,
		Tool: "Bash|Shell", Pattern: "<<", Timeout: 5 * time.Second, TimeoutSet: true, AsyncSet: true, Priority: 1000, OnFailure: Deny, OnFailureSet: true, Retry: 5,
		Metadata: map[string]any{
			"note": "é", "1": "one",
			"list": []any{int64(1), 1.5, true, nil, "2024-01-01", ".inf", map[string]any{"a": "b"}},
		},
		Body: len(front),
	}
	if d := cmp.Diff(want, h); d != "" {
		t.Error(d)
	}
}

func TestDefaults(t *testing.T) {
	for _, source := range []string{
		minimal + "---\n", minimal + "matcher:\nmetadata: ~\n--- \t\n", minimal + "---",
		"\ufeff" + strings.ReplaceAll(minimal+"---\n", "\n", "\r\n"),
		"---  \n" + minimal[4:] + "# --- is no fence\n---\n",
		minimal + "metadata: &m\n" + "---\n",
	} {
		h, ds := Check([]byte(source), "a")
		if len(ds) > 0 {
			t.Errorf("%q: %v", source, ds)
		}
		want := Hook{
			Name: "a", Description: "d", Trigger: spec.PreToolCall, Timeout: 30 * time.Second, Priority: 100,
			OnFailure: Allow, Body: len(source),
		}
		if d := cmp.Diff(want, h); d != "" {
			t.Errorf("%q: %s", source, d)
		}
	}
}

func TestAlias(t *testing.T) {
	source := minimal + "matcher: {tool: &t Bash, pattern: *t}\nmetadata: {x: [*t, *t]}\n---\n"
	h, ds := Check([]byte(source), "a")
	if len(ds) > 0 || h.Tool != "Bash" || h.Pattern != "Bash" || !cmp.Equal(h.Metadata["x"], []any{"Bash", "Bash"}) {
		t.Errorf("%+v %v", h, ds)
	}
}

func TestAsync(t *testing.T) {
	for text, want := range map[string]string{
		"true": "true", "True": "true", "TRUE": "true", "yes": "true", "YES": "true", "1": "true", "'1'": "true", "'yes'": "true",
		"false": "false", "no": "false", "'No'": "false", "0": "false", "'0'": "false",
		"on": "value-type", "off": "value-type", "''": "async", "2": "async", "[true]": "async", "1.0": "async", "0x1": "async",
	} {
		h, ds := Parse([]byte(minimal+"async: "+text+"\n---\n"), "a")
		got := fmt.Sprint(h.Async)
		if len(ds) > 0 {
			got = ds[0].Code
		}
		if got != want {
			t.Errorf("async: %s is %s, want %s", text, got, want)
		}
	}
}

func TestIntegers(t *testing.T) {
	for text, want := range map[string]string{
		"timeout: 100": "100ms 100 0", "timeout: 600000": "10m0s 100 0", "priority: 0": "30s 0 0", "priority: 1000": "30s 1000 0",
		"timeout: 600001": "30s 100 0 timeout", "timeout: 1e3": "1s 100 0 value-type", "timeout: true": "30s 100 0 timeout",
		"timeout: !!int abc": "30s 100 0 timeout", "priority: -0": "30s 0 0", "priority: 1001": "30s 100 0 priority",
		"priority: high": "30s 100 0 priority", "metadata: {retry: 0}": "30s 100 0", "metadata: {retry: -1}": "30s 100 0 retry",
	} {
		h, ds := Parse([]byte(minimal+text+"\n---\n"), "a")
		got := fmt.Sprint(h.Timeout, h.Priority, h.Retry)
		for _, d := range ds {
			got += " " + d.Code
		}
		got = strings.Join(strings.Fields(got), " ")
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct{ name, folder, code string }{
		{"a", "a", ""}, {"a-1-b", "a-1-b", ""}, {"éß", "éß", ""}, {"中文-钩子", "中文-钩子", ""}, {"ガード", "ガード", ""},
		{"e\u0301", "\u00e9", ""}, {"ａ", "a", ""}, {"a", "ａ", ""}, {"٣", "٣", ""},
		{strings.Repeat("é", 64), strings.Repeat("é", 64), ""}, {strings.Repeat("é", 65), strings.Repeat("é", 65), "name"},
		{"É", "É", "name"}, {"a_b", "a_b", "name"}, {"a b", "a b", "name"}, {"a--b", "a--b", "name"}, {"-a", "-a", "name"},
		{"a-", "a-", "name"}, {"a/b", "b", "name"}, {"..", "..", "name"}, {"ǅ", "ǅ", "name"}, {"ᾈ", "ᾈ", "name"}, {"a\u200b", "a", "name"},
		{"a", "A", "name-mismatch"}, {"a", "b", "name-mismatch"},
	}
	for _, tt := range tests {
		source := fmt.Sprintf("---\nname: %q\ndescription: d\ntrigger: pre-session\n---\n", tt.name)
		_, ds := Parse([]byte(source), tt.folder)
		got := ""
		for _, d := range ds {
			got += d.Code
		}
		if got != tt.code {
			t.Errorf("name %q in %q: %q, want %q", tt.name, tt.folder, got, tt.code)
		}
	}
}

func TestLimits(t *testing.T) {
	pad := func(n int) string { return "#" + strings.Repeat("x", n-2) + "\n" }
	used := len(minimal) - len("---\n")
	tests := []struct {
		name, source, code string
	}{
		{"front matter as large as allowed", minimal + pad(spec.MaxFrontMatter-used) + "---\n", ""},
		{"front matter above", minimal + pad(spec.MaxFrontMatter-used+1) + "---\n", "front-matter-size"},
		{"file as large as allowed", minimal + "---\n" + strings.Repeat("x", spec.MaxHookFile-len(minimal)-4), ""},
		{"file above", minimal + "---\n" + strings.Repeat("x", spec.MaxHookFile-len(minimal)-3), "file-size"},
		{"cut inside the front matter", minimal + pad(spec.MaxHookFile-len(minimal)+1), "file-size front-matter-unclosed"},
		{"description as long as allowed", strings.Replace(minimal, ": d", ": "+strings.Repeat("é", 1024), 1) + "---\n", ""},
		{"fence with odd spaces", minimal + "---\u00a0\n---\n", "front-matter-fence"},
		{"invalid bytes in the body", minimal + "---\n\xff", ""},
	}
	for _, tt := range tests {
		h, ds := Parse([]byte(tt.source), "a")
		var codes []string
		for _, d := range ds {
			codes = append(codes, d.Code)
		}
		if got := strings.Join(codes, " "); got != tt.code {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.code)
		}
		if h.Trigger != spec.PreToolCall {
			t.Errorf("%s: trigger %q", tt.name, h.Trigger)
		}
	}
}

func TestSalvage(t *testing.T) {
	tests := []struct {
		source  string
		trigger spec.EventType
		policy  OnFailure
	}{
		{"---\ntrigger: pre-tool-call\nx: [\n---\n", "pre-tool-call", Allow},
		{"---\r\n\"trigger\" : 'pre-session' # x\r\nx: [\r\nmetadata:\r\n  on-failure: \"deny\" # y\r\n---\r\n", "pre-session", Deny},
		{"---\ntrigger: pre-tool-call\nmetadata: {on-failure: deny, retry: [}\n---\n", "pre-tool-call", Deny},
		{"---\ntrigger: pre-tool-call\nmetadata: {\"on-failure\": \"ask\"}}\n---\n", "pre-tool-call", Ask},
		{"---\ntrigger: pre-tool-call\n  on-failure: dney\n---\n", "pre-tool-call", Ask},
		{"---\n# trigger: pre-session\n#  on-failure: deny\n  trigger: pre-session\nx: [\n---\n", "", Allow},
		{"---\ntrigger: nonsense\ntrigger: pre-session\nx: [\n---\n", "pre-session", Allow},
		{"---\ntrigger: pre-session\non-failure is said here\nx: [\n---\n", "pre-session", Allow},
		{"---\ndescription: \"on-failure: allow\"\ntrigger: pre-tool-call\nx: [\nmetadata:\n  on-failure: deny\n---\n", "pre-tool-call", Deny},
		{"---\n!x\ntrigger: pre-tool-call\nmetadata:\n  on-failure: deny\n---\n", "pre-tool-call", Deny},
		{"---\ntrigger: pre-tool-call\nmetadata: !x\n  on-failure: deny\n---\n", "pre-tool-call", Deny},
		{"\n---\nname: a\ntrigger: post-session\n---\n", "post-session", Allow},
		{"\ufefftrigger: post-session\n", "post-session", Allow},
		{"", "", Allow},
		{"---", "", Allow},
	}
	for _, tt := range tests {
		h, ds := Parse([]byte(tt.source), "a")
		if h.Trigger != tt.trigger || h.OnFailure != tt.policy {
			t.Errorf("%q: %q, %q", tt.source, h.Trigger, h.OnFailure)
		}
		if !slices.ContainsFunc(ds, spec.Diagnostic.Fatal) {
			t.Errorf("%q: no fatal diagnostic in %v", tt.source, ds)
		}
	}
}

// TestDefects checks that exactly the defects that affect the execution keep a
// hook from running, and what the others mean (D85).
func TestDefects(t *testing.T) {
	base := Hook{Trigger: spec.PreToolCall, Timeout: spec.DefaultTimeout, Priority: spec.DefaultPriority, OnFailure: Allow}
	const head = "trigger: pre-tool-call\nmatcher: {tool: Bash}\n"
	others := func(events ...spec.EventType) func(*Hook) { return func(h *Hook) { h.OtherTriggers = events } }
	tests := []struct {
		text  string
		codes string      // "!" marks a fatal one
		set   func(*Hook) // what the hook has in addition to base
	}{
		{"name: B\ndescription: d\n", "name", nil},
		{"name: b\ndescription: d\n", "name-mismatch", nil},
		{"name: 5\ndescription: 5\n", "value-type name-mismatch value-type", nil},
		{"name: [a]\ndescription: {a: b}\n", "value-type value-type", nil},
		{"description: d\n", "missing-key", nil},
		{"name: a\n", "missing-key", nil},
		{"name: a\ndescription: d\ndescription: e\nname: b\n", "repeated-key repeated-key", nil},
		{"name: a\ndescription: !x d\n", "value-type", nil},
		{"name: a\ndescription: d\nown: 1\nown: 2\n", "repeated-key unknown-key", nil},
		{"name: a\ndescription: d\npattern: x\npattern: y\n", "duplicate-key! unknown-key", nil},
		{"name: a\ndescription: d\ntrigger: pre-session\n", "duplicate-key!", others("pre-session")},
		{"name: a\ndescription: d\u2028trigger: pre-session\n", "duplicate-key!", others("pre-session")},
		{"name: a\ndescription: d\u0085\"trig\\x67er\": pre-session\ntrigger: post-session\ntrigger: no-event\ntrigger: pre-session\n", "duplicate-key! duplicate-key! duplicate-key! duplicate-key!", others("pre-session", "post-session")},
		{"name: a\ndescription: d\nmetadata: x\n", "value-type", nil},
		{"name: a\ndescription: d\nmetadata: [x, y]\n", "value-type", nil},
		{"name: a\ndescription: d\nmetadata:\n- on-failure: deny\n", "wrong-type!", func(h *Hook) { h.OnFailure, h.OnFailureSet = Deny, true }},
		{"name: a\ndescription: d\nmetadata: |\n  on-failure: deny\n", "value-type", func(h *Hook) { h.OnFailure, h.OnFailureSet = Deny, true }},
		{"name: a\ndescription: d\nmetadata: [\"on-failure: deny\", x]\n", "value-type", func(h *Hook) { h.OnFailure, h.OnFailureSet = Deny, true }},
		{"name: a\ndescription: d\nmetadata: |\n  protocol: cursor\n", "wrong-type!", nil},
		{"name: a\ndescription: d\nmetadata: [\"when: x\"]\n", "wrong-type!", nil},
		{"name: a\ndescription: d\nown: &a {on-failure: deny}\nmetadata:\n  <<: *a\n", "yaml! unknown-key", func(h *Hook) { h.OnFailure, h.OnFailureSet = Deny, true }},
		{"name: a\ndescription: &a {on-failure: allow, on-failure: deny}\nmetadata: *a\n", "duplicate-key! value-type", func(h *Hook) { h.OnFailure, h.OnFailureSet = Deny, true }},
		{"name: a\ndescription: d\nmetadata: {x: 1, x: 2}\n", "repeated-key", nil},
		{"name: a\ndescription: d\nmetadata: {x: {y: 1, y: !z 2}}\n", "value-type repeated-key", nil},
		{"name: a\ndescription: d\nmetadata: {retry: 1, retry: 2}\n", "duplicate-key!", func(h *Hook) { h.Retry = 1 }},
		{"name: a\ndescription: d\nmetadata: {on-failure: deny}\nmetadata: {x: 1}\n", "duplicate-key!", func(h *Hook) { h.OnFailure, h.OnFailureSet = Deny, true }},
		{"name: a\ndescription: d\nmetadata: {on-failure: Deny}\n", "on-failure", func(h *Hook) { h.OnFailure, h.OnFailureSet = Ask, true }},
		{"name: a\ndescription: d\nmetadata: {retry: \"2\", pure: \"yes\"}\n", "value-type value-type", func(h *Hook) { h.Retry, h.Pure = 2, true }},
		{"name: a\ndescription: d\nmetadata: {retry: 9, pure: perhaps}\n", "retry pure", nil},
		{"name: a\ndescription: d\nmetadata: {when: {a: 5, b: }}\n", "value-type value-type", func(h *Hook) { h.When = []Condition{{"a", "5"}} }},
		{"name: a\ndescription: d\nmetadata: {when: x}\n", "wrong-type!", nil},
		{"name: a\ndescription: d\nmetadata: {native-event: 5}\n", "wrong-type!", nil},
		{"name: a\ndescription: d\ntimeout: \"5000\"\npriority: 7.0\n", "value-type value-type", func(h *Hook) { h.Timeout, h.TimeoutSet, h.Priority = 5*time.Second, true, 7 }},
		{"name: a\ndescription: d\ntimeout: \"5\"\npriority: 7.5\n", "timeout priority", nil},
		{"name: a\ndescription: d\nasync: on\n", "value-type", func(h *Hook) { h.Async, h.AsyncSet = true, true }},
		{"name: a\ndescription: d\nasync: \"OFF\"\n", "value-type", func(h *Hook) { h.AsyncSet = true }},
		{"name: a\ndescription: d\nasync: perhaps\n", "async", func(h *Hook) { h.AsyncSet = true }},
	}
	for _, test := range tests {
		h, ds := Parse([]byte("---\n"+head+test.text+"---\n"), "a")
		var codes []string
		for _, d := range ds {
			if d.Fatal() {
				d.Code += "!"
			}
			codes = append(codes, d.Code)
		}
		want := base
		if test.set != nil {
			test.set(&want)
		}
		want.Tool = "Bash"
		want.Name, want.Description, want.Metadata, want.Body = h.Name, h.Description, h.Metadata, h.Body
		if got := strings.Join(codes, " "); got != test.codes {
			t.Errorf("%s: %s, want %s", test.text, got, test.codes)
		}
		if d := cmp.Diff(want, h); d != "" {
			t.Errorf("%s: (-want +got)\n%s", test.text, d)
		}
	}
}

// An expression with another type than a string is its text, and an empty one
// counts as absent (D85).
func TestExpressionTypes(t *testing.T) {
	for text, want := range map[string][2]string{
		"{tool: , pattern: x}": {"", "x"}, "{tool: Bash, pattern: ~}": {"Bash", ""}, "{tool: 5, pattern: 010}": {"5", "010"},
		"{pattern: true}": {"", "true"}, "{pattern: 2026-01-02}": {"", "2026-01-02"},
	} {
		h, ds := Parse([]byte(minimal+"matcher: "+text+"\n---\n"), "a")
		if h.Tool != want[0] || h.Pattern != want[1] || len(ds) == 0 || slices.ContainsFunc(ds, spec.Diagnostic.Fatal) {
			t.Errorf("%s: tool %q, pattern %q, %v", text, h.Tool, h.Pattern, ds)
		}
	}
}

func TestDepth(t *testing.T) {
	for levels, want := range map[int]bool{maxDepth - 2: true, maxDepth + 1: false} {
		nested := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		h, ds := Parse([]byte(minimal+"metadata: {x: "+nested+"}\n---\n"), "a")
		if got := len(ds) == 0; got != want || h.Trigger != spec.PreToolCall {
			t.Errorf("%d levels: %v", levels, ds)
		}
	}
}

// The YAML parser counts some positions in another way than editors.
func TestPositions(t *testing.T) {
	tests := []struct {
		text string
		want []string // of the diagnostics, below the four lines of minimal
	}{
		{"matcher:\n  tool: &t 5\n  pattern: *t\n", []string{"6:9 tool-unknown", "6:9 value-type", "7:12 value-type"}},
		{"metadata:\n  x: \"\u2028\u0085\"\ntimeout: 5\n", []string{"7:10 timeout"}},
		{"metadata: {é: 1, 字: 2, retry: 9}\n", []string{"5:31 retry"}},
		{"metadata: {prot: 1, r: 2, on: 3}\n", nil},
		{"matcher: {tool: 'é(?P=x)', pattern: \"(?P=y)\"}\n", []string{"5:19 pattern", "5:38 pattern"}},
		{"matcher: {tool: 'it''s(?P=x)'}\n", []string{"5:17 pattern"}},
	}
	for _, tt := range tests {
		_, ds := Check([]byte(minimal+tt.text+"---\n"), "a")
		var got []string
		for _, d := range ds {
			got = append(got, fmt.Sprintf("%d:%d %s", d.Line, d.Column, d.Code))
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q: (-want +got)\n%s", tt.text, d)
		}
	}
}

// The most expensive input is parsed quickly, because nothing else runs until then.
func TestHostile(t *testing.T) {
	fill := func(s string) string { return strings.Repeat(s, 63<<10/len(s)) }
	for _, text := range []string{
		"x: " + fill("["), "x: " + fill("[]"), "x: " + fill("{a: "), fill("- "), fill("? "), fill("#\n"), fill("a:\n"),
		"x: \"" + fill("\\n"), "x: " + fill("&a "), fill("x: &a [*a]\n"), fill("a: 'b\n"), "x: |\n" + fill(" \n"), fill("!"), fill("\t"),
		fill("a: b # c\n"), "x: " + fill("\ra"), fill("k\u2028"), "x:\n" + fill("  - a: b\n"), fill("x: [\n"), fill("%Y\n"),
	} {
		start := time.Now()
		h, _ := Check([]byte(minimal+text+"\n---\n"), "a")
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%.20q took %v", text, took)
		}
		if h.Trigger != spec.PreToolCall {
			t.Errorf("%.20q: trigger %q", text, h.Trigger)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(minimal + "---\n"))
	f.Add([]byte(minimal + "matcher: {tool: \"a(\", pattern: '(?<n>é)'}\nmetadata: {on-failure: x, Retry: 1}\n---\nbody"))
	f.Add([]byte("\ufeff---\r\nname: x\r\n ---\r\n---"))
	f.Add([]byte(minimal + "a: &a [*a]\n<<: *a\n? [x]\n: !t y\n---\n"))
	f.Add([]byte(minimal + "x:\r  y: \"\\xe9\u2028\"\n...\n---\n"))
	f.Add([]byte("trigger: pre-session\n"))
	codes := map[string]bool{}
	for _, c := range spec.Codes() {
		codes[c.Code] = true
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		start := time.Now()
		h, parsed := Parse(source, "a")
		_, checked := Check(source, "a")
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("took %v", took)
		}
		for _, d := range parsed {
			if d.Fatal() && !slices.Contains(checked, d) {
				t.Errorf("only Parse returned %v", d)
			}
		}
		lines := strings.Split(string(source), "\n")
		for _, d := range checked {
			if !codes[d.Code] {
				t.Errorf("unknown code %q", d.Code)
			}
			if d.Line < 1 || d.Line > len(lines) || d.Column < 1 || d.Column > utf8.RuneCountInString(lines[d.Line-1])+1 {
				t.Errorf("%v is outside of the file", d)
			}
		}
		if h.Body < 0 || h.Body > len(source) || h.OnFailure == "" || h.Timeout == 0 {
			t.Errorf("%+v", h)
		}
		if h.Trigger == "" && !slices.ContainsFunc(parsed, spec.Diagnostic.Fatal) {
			t.Error("no trigger, but no fatal diagnostic")
		}
	})
}
