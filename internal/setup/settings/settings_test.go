package settings

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// isOurs recognizes the handlers of these tests by their command.
func isOurs(handler any) bool {
	command, _ := At(handler, "command")
	text, _ := command.(string)
	return strings.HasPrefix(text, "ours ")
}

func layouts() map[string]Layout {
	return map[string]Layout{
		"nested.json": {Format: JSON, Root: []string{"hooks"}, Nested: "hooks"},
		"flat.json":   {Format: JSON, Root: []string{"hooks"}, Top: Object{{"version", 1}}},
		"bare.json":   {Format: JSON, Nested: "hooks"},
		"list.json":   {Format: JSON, Root: []string{"hooks"}, Flat: true, Top: Object{{"version", "v1"}}},
		"keyed.json":  {Format: JSON, Root: []string{"hooks", "processes"}, Key: "ours"},
		"flat.toml":   {Format: TOML, Root: []string{"hooks"}, Flat: true},
		"nested.toml": {Format: TOML, Root: []string{"hooks"}, Nested: "hooks"},
		"root.yaml":   {Format: YAML},
		"hooks.yaml":  {Format: YAML, Root: []string{"hooks"}},
	}
}

func wanted(l Layout, version string) []List {
	if l.Key != "" {
		return []List{{Path: l.Root, Want: []Object{handler("pre", version)}}}
	}
	if l.Flat {
		return []List{{Path: l.Root, Want: []Object{handler("pre", version), handler("stop", version)}}}
	}
	at := func(event string) []string { return append(slices.Clone(l.Root), event) }
	return []List{{Path: at("pre"), Want: []Object{handler("pre", version)}}, {Path: at("stop"), Want: []Object{handler("stop", version)}}}
}

func handler(event, version string) Object {
	return Object{{"type", "command"}, {"command", `ours "` + event + `" ` + version}, {"timeout", 600}}
}

// TestRoundTrip installs into settings of every style, updates, and uninstalls.
// Nothing else changes, a second installation changes nothing, and the result
// of uninstalling is the original.
func TestRoundTrip(t *testing.T) {
	for kind, l := range layouts() {
		for name, text := range corpus(kind) {
			t.Run(kind+"/"+name, func(t *testing.T) {
				had := hadPaths(t, l, text)
				first := mustApply(t, l, text, wanted(l, "1"), had)
				if again := mustApply(t, l, first, wanted(l, "1"), had); again != first {
					t.Errorf("a second time changes the text: %s", cmp.Diff(first, again))
				}
				second := mustApply(t, l, first, wanted(l, "2"), had)
				if fresh := mustApply(t, l, text, wanted(l, "2"), had); second != fresh {
					t.Errorf("an update differs from a new installation: %s", cmp.Diff(fresh, second))
				}
				checkStyle(t, text, second)
				removed := mustApply(t, l, second, nil, had)
				if removed != text && !isNew(text) {
					t.Errorf("removed: %s", cmp.Diff(text, removed))
				}
			})
		}
	}
}

// isNew reports whether nothing of the text's origin can be derived from what
// remains. Then only a caller that kept the text can restore it.
func isNew(text string) bool {
	return strings.TrimSpace(text) == "" || strings.Contains(text, ": null") || strings.Contains(text, ": {}")
}

// hadPaths returns the paths that a caller remembers of the original text.
func hadPaths(t *testing.T, l Layout, text string) func([]string) bool {
	decoded, err := Decode(l.Format, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return func(path []string) bool {
		_, ok := At(decoded, path...)
		return ok
	}
}

func mustApply(t *testing.T, l Layout, text string, want []List, keep func([]string) bool) string {
	t.Helper()
	got, err := l.Apply([]byte(text), want, isOurs, keep)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(got)
}

// checkStyle checks that the text keeps its line endings, tabs and byte-order
// mark.
func checkStyle(t *testing.T, old, new string) {
	t.Helper()
	if strings.Contains(old, "\r\n") && strings.Count(new, "\n") != strings.Count(new, "\r\n") {
		t.Errorf("line endings are mixed: %q", new)
	}
	if strings.Contains(old, "\n\t") && (strings.Contains(new, "\n  ") || strings.Contains(new, "\t  ")) {
		t.Errorf("indented by spaces: %s", new)
	}
	if strings.HasPrefix(new, "\n") {
		t.Error("it begins with an empty line")
	}
	if HasMark([]byte(old)) != HasMark([]byte(new)) {
		t.Error("the byte-order mark changed")
	}
	if tail := strings.HasSuffix(new, "\n"); old != "" && tail != strings.HasSuffix(old, "\n") {
		t.Errorf("the final newline changed: %q", new)
	}
}

func corpus(kind string) map[string]string {
	texts := map[string]string{"empty": ""}
	for name, text := range bodies(kind) {
		texts[name] = text
		texts[name+" CRLF"] = strings.ReplaceAll(text, "\n", "\r\n")
		texts[name+" mark"] = byteOrderMark + text
		texts[name+" no final newline"] = strings.TrimSuffix(text, "\n")
	}
	return texts
}

func bodies(kind string) map[string]string {
	switch kind {
	case "nested.json":
		return nestedJSON()
	case "flat.json":
		return flatJSON()
	case "bare.json":
		return map[string]string{"object": "{}\n", "other": "{\n  \"stop\": [\n    {\"hooks\": [{\"command\": \"x\"}]}\n  ]\n}\n"}
	case "list.json":
		return map[string]string{"object": "{}\n", "other": "{\n  \"version\": \"v1\",\n  \"hooks\": [\n    {\n      \"command\": \"x\"\n    }\n  ]\n}\n"}
	case "keyed.json":
		return map[string]string{
			"object": "{}\n",
			"other":  "{\n  \"hooks\": {\n    \"enabled\": true,\n    \"processes\": {\n      \"x\": {\"command\": [\"a\"]}\n    }\n  }\n}\n",
		}
	case "flat.toml":
		return flatTOML()
	case "nested.toml":
		return map[string]string{
			"other":  "model = \"x\" # which\n\n[features]\nhooks = true\n",
			"groups": "[[hooks.pre]]\nmatcher = \"^Bash$\"\n[[hooks.pre.hooks]]\ntype = \"command\"\ncommand = \"theirs\"\n\n# states\n[hooks.state.\"/a:pre:0:0\"]\ntrusted_hash = \"x\"\n",
		}
	case "root.yaml":
		return map[string]string{
			"comment": "# my hooks\n",
			"other":   "post:\n  - command: \"a: b\" # c\n    timeout: 5\n\n# the end\n",
			"same":    "pre:\n- command: |\n    cat\n    # not a comment\n  timeout: 5\nstop:\n  - command: x\n",
		}
	case "hooks.yaml":
		return map[string]string{
			"other":    "model: x\nhooks:\n  pre:\n    - matcher: a\n      command: b\n  # about stop\n  later: []\nafter: [1, 2]\n",
			"null":     "model: x\nhooks: # none yet\nafter: 1\n",
			"tilde":    "model: x\nhooks: null # none yet\nafter: 1\n",
			"braces":   "model: x\nhooks: {}\nafter: 1\n",
			"brackets": "hooks:\n  pre: []\n  stop: []\n",
			"absent":   "model: x\nlist:\n- 1\n- 2\n",
			"ümläut":   "größe: 1\nhooks:\n    pre:\n        - command: \"ü\"\n",
		}
	}
	return nil
}

func nestedJSON() map[string]string {
	return map[string]string{
		"object":                    "{}\n",
		"null":                      "{\n  \"hooks\": null\n}\n",
		"other":                     "{\n  \"model\": \"opus\",\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"]}\n}\n",
		"tabs":                      "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"pre\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"Bash\",\n\t\t\t\t\"hooks\": [{\"type\": \"command\", \"command\": \"theirs\"}]\n\t\t\t}\n\t\t]\n\t}\n}\n",
		"minified":                  `{"model":"opus","hooks":{"pre":[{"hooks":[{"type":"command","command":"theirs"}]}]}}` + "\n",
		"comments":                  "// mine\n{\n  // which\n  \"model\": \"opus\", // fast\n  /* all */\n  \"hooks\": {\n    \"pre\": [\n      // first\n      {\"hooks\": []}, // empty\n      // last\n    ],\n    // no more\n  },\n}\n",
		"comment without a newline": "{\n    \"hooks\": {}\n} // mine",
		"comment at the end":        "{\n    \"hooks\": {\n        \"pre\": [\n            {\"hooks\": []} // one\n            // two\n        ]\n        // three\n    }\n    // four\n}\n",
		"empty lists":               "{\"hooks\": {\"pre\": [], \"stop\": []}}\n",
		"one line":                  "{ \"hooks\": { \"pre\": [ { \"url\": \"http://x\", \"hooks\": [] } ] } }\n",
		"one-line lists":            "{\n  \"hooks\": {\"pre\": [{\"hooks\": [{\"command\": \"theirs\"}]}], \"other\": [1] // two\n  }\n}\n",
		"unknown":                   "{\n   \"a\": {\n      \"b\": [1, 2.50, 1e3, \"\\u00e9\", true, null]\n   },\n   \"hooks\": {\n      \"Other\": [],\n      \"odd\": \"text\"\n   },\n   \"z\": 0\n}\n",
	}
}

func flatJSON() map[string]string {
	return map[string]string{
		"version": "{\n  \"version\": 1,\n  \"hooks\": {\n    \"pre\": [\n      { \"command\": \"theirs\" }\n    ]\n  }\n}\n",
		"empty":   "{\n  \"version\": 1,\n  \"hooks\": {}\n}\n",
	}
}

func flatTOML() map[string]string {
	return map[string]string{
		"other":   "# top\nmodel = \"x\"\n\n[providers.a]\ntype = 'openai' # [[hooks]]\n",
		"tables":  "[[hooks]]\nevent = \"a\"\ncommand = \"\"\"\n[[hooks]]\nx\"\"\"\n[hooks.env]\nA = \"1\"\n\n# about b\n[[hooks]]\nevent = \"b\"\ncommand = \"y\"\n\n[last]\nn = 1\n# end\n",
		"numbers": "a = inf\nb = [-inf, nan]\n",
		"array":   "hooks = []\n\n[other]\na = 1\n",
	}
}

// TestOwnHandlersAmongOthers checks that text around the own handlers is kept.
func TestOwnHandlersAmongOthers(t *testing.T) {
	l := layouts()["nested.json"]
	for i, test := range []struct{ text, want string }{
		{
			`{"hooks":{"pre":[{"matcher":"x","hooks":[{"command":"a"},{"command":"ours old"},{"command":"b"}]}],"gone":[{"hooks":[{"command":"ours old"}]}]}}`,
			`{"hooks":{"pre":[{"matcher":"x","hooks":[{"command":"a"},{"command":"b"}]},{"hooks":[{"type":"command","command":"ours \"pre\" 1","timeout":600}]}],"stop":[{"hooks":[{"type":"command","command":"ours \"stop\" 1","timeout":600}]}]}}`,
		},
		{
			`{"hooks":{"pre":[{"matcher":"*","hooks":[{"command":"a"},{"command":"ours old"},{"command":"b"}]}],"gone":[{"hooks":[{"command":"ours old"}]}]}}`,
			`{"hooks":{"pre":[{"matcher":"*","hooks":[{"command":"a"},{"type":"command","command":"ours \"pre\" 1","timeout":600},{"command":"b"}]}],"stop":[{"hooks":[{"type":"command","command":"ours \"stop\" 1","timeout":600}]}]}}`,
		},
		{
			`{"hooks":{"pre":[{"hooks":[{"command":"ours a"}]},{"hooks":[{"command":"theirs"}]},{"hooks":[{"command":"ours b"}]}]}}`,
			`{"hooks":{"pre":[{"hooks":[{"type":"command","command":"ours \"pre\" 1","timeout":600}]},{"hooks":[{"command":"theirs"}]}],"stop":[{"hooks":[{"type":"command","command":"ours \"stop\" 1","timeout":600}]}]}}`,
		},
		{
			"{\"hooks\":{\"gone\":[ // one\n{\"hooks\":[{\"command\":\"ours old\"}]}, {\"hooks\":[]}]}}",
			`{"hooks":{"gone":[ // one
 {"hooks":[]}],"pre":[{"hooks":[{"type":"command","command":"ours \"pre\" 1","timeout":600}]}],"stop":[{"hooks":[{"type":"command","command":"ours \"stop\" 1","timeout":600}]}]}}`,
		},
	} {
		got := mustApply(t, l, test.text, wanted(l, "1"), nil)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%d: %s", i, diff)
		}
	}
}

// TestOwnTablesAmongOthers checks that tables and elements in brackets around the own ones are kept.
func TestOwnTablesAmongOthers(t *testing.T) {
	for _, test := range []struct{ kind, text, want string }{
		{
			"nested.toml",
			"[[hooks.pre]]\nmatcher = \"x\"\n[[hooks.pre.hooks]]\ncommand = 'a' # theirs\n[[hooks.pre.hooks]]\ncommand = 'ours 1'\n[[hooks.pre.hooks]]\ncommand = 'b'\n\n# end\n",
			"[[hooks.pre]]\nmatcher = \"x\"\n[[hooks.pre.hooks]]\ncommand = 'a' # theirs\n[[hooks.pre.hooks]]\ncommand = 'b'\n\n# end\n",
		},
		{
			"nested.toml",
			"[hooks] # mine\n\n[[hooks.pre]]\n[[hooks.pre.hooks]]\ncommand = 'ours 1'\n[hooks.state.\"/a:pre:0:0\"]\ntrusted_hash = \"x\"\n",
			"[hooks] # mine\n[hooks.state.\"/a:pre:0:0\"]\ntrusted_hash = \"x\"\n",
		},
		{
			"flat.toml",
			"hooks = [ # list\n  # about x\n  {command = 'x'}, # x\n  {command = 'ours 1'},\n]\nn = 1\n",
			"hooks = [ # list\n  # about x\n  {command = 'x'}, # x\n]\nn = 1\n",
		},
	} {
		if diff := cmp.Diff(test.want, mustApply(t, layouts()[test.kind], test.text, nil, nil)); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
	}
	l := layouts()["flat.toml"]
	text := "hooks = [\n  {command = 'x'}, # x\n]\n"
	with := mustApply(t, l, text, wanted(l, "1"), nil)
	if want := "hooks = [\n  {command = 'x'},\n  { type = \"command\", command = \"ours \\\"pre\\\" 1\", timeout = 600 },"; !strings.HasPrefix(with, want) {
		t.Errorf("%q", with)
	}
	if got := mustApply(t, l, with, nil, nil); got != text {
		t.Errorf("%q", got)
	}
}

// TestRefused checks that files that cannot be edited are not changed.
func TestRefused(t *testing.T) {
	for i, test := range []struct{ kind, text string }{
		{"nested.json", `{"hooks": [1]}`},
		{"nested.json", `{"hooks": "x"}`},
		{"nested.json", `{"hooks": {"pre": {}}}`},
		{"nested.json", `{"hooks": {`},
		{"nested.json", `[]`},
		{"nested.json", `"text"`},
		{"flat.toml", "hooks = 1\n"},
		{"flat.toml", "a = \n"},
		{"flat.toml", "[hooks]\na = 1\n"},
		{"flat.toml", "hooks = [{ event = \"a\", command = 'x' }]\n"},
		{"flat.toml", "hooks = [\n  # none yet\n]\n"},
		{"root.yaml", "pre: [{command: x}]\n"},
		{"root.yaml", "- a\n"},
		{"root.yaml", "a: 1\n---\nb: 2\n"},
		{"root.yaml", "a: b: c\n"},
		{"hooks.yaml", "hooks: text\n"},
		{"hooks.yaml", "hooks: { # none\n}\n"},
		{"root.yaml", "a: 1\rb: 2\n"},
		{"nested.toml", "hooks = 1\n"},
	} {
		l := layouts()[test.kind]
		if got, err := l.Apply([]byte(test.text), wanted(l, "1"), isOurs, nil); err == nil {
			t.Errorf("%d: %s became\n%s", i, test.text, got)
		} else if strings.Contains(err.Error(), `""`) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, text := range nestedJSON() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { fuzzApply(t, layouts()["nested.json"], text) })
}

func FuzzTOML(f *testing.F) {
	for _, text := range flatTOML() {
		f.Add(text)
	}
	for _, text := range bodies("nested.toml") {
		f.Add(text)
	}
	f.Add("hooks = [ # [\n  { command = \"ours 1\" }, # one\n  {command = 'x'},\n]\n[[other]]\n")
	f.Add("[[hooks.pre]]\n[[hooks.pre.hooks]]\ncommand = 'ours 1'\n[[hooks.pre.hooks]]\ncommand = 'x'\n[hooks.pre.hooks.env]\n")
	f.Fuzz(func(t *testing.T, text string) {
		fuzzApply(t, layouts()["flat.toml"], text)
		fuzzApply(t, layouts()["nested.toml"], text)
	})
}

func FuzzYAML(f *testing.F) {
	for _, kind := range []string{"root.yaml", "hooks.yaml"} {
		for _, text := range bodies(kind) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		fuzzApply(t, layouts()["root.yaml"], text)
		fuzzApply(t, layouts()["hooks.yaml"], text)
	})
}

// fuzzApply checks for any text that Apply returns an error, or a result that a
// second call does not change.
func fuzzApply(t *testing.T, l Layout, text string) {
	first, err := l.Apply([]byte(text), wanted(l, "1"), isOurs, nil)
	if err != nil {
		return
	}
	again, err := l.Apply(first, wanted(l, "1"), isOurs, nil)
	if err != nil || string(again) != string(first) {
		t.Fatal(fmt.Errorf("again: %w\n%q\n%q", err, first, again))
	}
	if _, err := l.Apply(first, nil, isOurs, nil); err != nil {
		t.Fatal(err)
	}
}

// TestPin adds a member that hooks need to documents of every style. Another value of it is an error.
func TestPin(t *testing.T) {
	toml := Layout{Format: TOML, Root: []string{"hooks"}, Nested: "hooks", Pin: Object{{"features", Object{{"hooks", true}}}}}
	json := Layout{Format: JSON, Root: []string{"hooks"}, Nested: "hooks", Pin: Object{{"features", Object{{"hooks", true}}}}}
	for _, test := range []struct {
		layout     Layout
		text, want string // want: the beginning of the result, or of the error
	}{
		{toml, "", "features.hooks = true\n\n[[hooks.pre]]"},
		{toml, "# ours\na = 1 # one\n\n[features] # some\nx = true\n[b]\nc = 1\n", "# ours\na = 1 # one\n\n[features] # some\nhooks = true\nx = true\n[b]\nc = 1\n\n[[hooks.pre]]"},
		{toml, "# ours\r\n[b]\r\nc = 1\r\n", "features.hooks = true\r\n# ours\r\n[b]\r\nc = 1\r\n\r\n[[hooks.pre]]"},
		{toml, "[features]\nhooks = true\n", "[features]\nhooks = true\n\n[[hooks.pre]]"},
		{toml, "features.hooks = true", "features.hooks = true\n\n[[hooks.pre]]"},
		{toml, "[features.deep]\nx = 1\n", "features.hooks = true\n[features.deep]\nx = 1\n\n[[hooks.pre]]"},
		{toml, "[features]\nhooks = false\n", `"features.hooks" is false, and hooks need true`},
		{toml, "features = {hooks = false}\n", `"features.hooks" is false, and hooks need true`},
		{toml, "features = {x = true}\n", `"features.hooks" cannot be added: write it yourself`},
		{json, "", "{\n  \"features\": {\n    \"hooks\": true\n  },\n  \"hooks\": {\n"},
		{json, "{\n  // ours\n  \"features\": {\"x\": 1}, // some\n}\n", "{\n  // ours\n  \"features\": {\"x\": 1, \"hooks\": true}, // some\n  \"hooks\": {\n"},
		{json, `{"features": {"hooks": false}}`, `"features.hooks" is false, and hooks need true`},
		{json, `{"features": 1}`, `"features.hooks" cannot be added: write it yourself`},
	} {
		got, err := test.layout.Apply([]byte(test.text), wanted(test.layout, "1"), isOurs, nil)
		if err != nil {
			got = []byte(err.Error())
		}
		if !strings.HasPrefix(string(got), test.want) {
			t.Errorf("%q becomes\n%s\nwant\n%s", test.text, got, test.want)
		}
		if removed, err := test.layout.Apply([]byte(test.text), nil, isOurs, nil); err != nil || string(removed) != test.text {
			t.Errorf("%q without handlers becomes %q, %v", test.text, removed, err)
		}
	}
}

// A text that is read several times is parsed and decoded once (D134).
func TestCache(t *testing.T) {
	l := Layout{Format: JSON, Cache: &Cache{}}
	text := `{"hooks": {}, "history": [1]}`
	first, err1 := l.parsed([]byte(text))
	second, err2 := l.parsed([]byte(text))
	if first != second || err1 != nil || err2 != nil {
		t.Errorf("two documents: %v, %v", err1, err2)
	}
	if other, _ := l.parsed([]byte(text + " ")); other == first {
		t.Error("another text has the same document")
	}
	value, err := l.Cache.Decode(JSON, []byte(text))
	if plain, _ := Decode(JSON, []byte(text)); err != nil || !reflect.DeepEqual(value, plain) {
		t.Errorf("%v, %v", value, err)
	}
}
