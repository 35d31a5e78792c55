package nearest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// subject is what an event with this tool and input offers.
func subject(tool, input string) matcher.Subject {
	s := matcher.Subject{Own: []string{tool}, Names: spec.ToolNames(tool), Text: input}
	for _, v := range Values(input) {
		s.Values = append(s.Values, v.Text)
	}
	return s
}

func TestFindTool(t *testing.T) {
	for _, test := range []struct{ source, tool, kind, to string }{
		{"bash", "Bash", "case", "Bash"},
		{"^(?:bash|edit)$", "Edit", "case", "^(?:bash|Edit)$"},
		{"^BAS", "Bash", "case", "(?i)^BAS"},
		{"Bsh", "Bash", "word", "Bash"},
		{"Raed|Wirte", "Write", "word", "Raed|Write"},
		{"^sh$", "Bash", "word", "^Shell$"},
		{`mcp__git\\.hub`, "mcp__git.hub__x", "escape", `mcp__git\.hub`},
		{"^github__", "mcp__github__issue", "", ""},
		{"^issue$", "@github/issue", "anchor", `\bissue$`},
		{"Edit", "Write", "branch", "Edit|Write"},
		{"Read|Grep", "Glob", "branch", "Read|Grep|Glob"},
		{"Edit", "write_file", "branch", "Edit|WriteFile"},
		{"Bash", "Write", "", ""},
		{"^(?!Bash$)", "Bash", "", ""}, // excluded on purpose
		{"(", "Bash", "", ""},
	} {
		m := Matcher{Tool: test.source, Subject: subject(test.tool, "{}")}
		change, ok := m.Find("tool")
		if ok != (test.to != "") || change.Kind != test.kind && ok || change.To != test.to && ok {
			t.Errorf("%q on %s: %+v, %v; want %s %q", test.source, test.tool, change, ok, test.kind, test.to)
		}
	}
}

func TestFindPattern(t *testing.T) {
	for _, test := range []struct{ source, input, kind, to string }{
		{"npm publish", `{"command": "npm  publish"}`, "blank", `npm\s+publish`},
		{"npm + publish", `{"command": "npm\t publish"}`, "blank", `npm\s+\s+publish`},
		{"NPM publish", `{"command": "npm publish"}`, "case", "(?i)NPM publish"},
		{"^rm", `{"command": "sudo rm x"}`, "anchor", `\brm`},
		{"^rm", `{"command": "npm run format"}`, "", ""},
		{"^rm", `{"command": "ls\nrm x"}`, "lines", "(?m)^rm"},
		{`^-rf`, `{"command": "rm -rf"}`, "anchor", "-rf"},
		{`\.py$`, `{"command": "python x.py -v"}`, "anchor", `\.py\b`},
		{`^rm$`, `{"command": "sudo rm x"}`, "anchor", `\brm\b`},
		{`\\.py$`, `{"file_path": "x.py"}`, "escape", `\.py$`},
		{`rm\\s+-rf`, `{"command": "rm  -rf"}`, "escape", `rm\s+-rf`},
		{`"file_path":".*\.py"`, `{"file_path": "x.py"}`, "blank", `"file_path": ".*\.py"`},
		{`"file": ".*\.py"`, `{"file_path": "x.py"}`, "key", `"file_path": ".*\.py"`},
		{`"path":".*\.py"`, `{"filePath": "x.py"}`, "key", `"filePath": ".*\.py"`},
		{`"file_path": "x"`, `{"command": "x"}`, "", ""},
		{"npm pubish", `{"command": "npm publish"}`, "word", "npm publish"},
		{"^begin.*end$", `{"command": "begin\nend"}`, "dot", "(?s)^begin.*end$"},
		{`npm\.publish`, `{"command": "npm publish"}`, "dot", "npm.publish"},
		{"cargo build", `{"command": "npm test"}`, "", ""},
		{"rm (?!-i)", `{"command": "rm -i"}`, "", ""},
	} {
		m := Matcher{Pattern: test.source, Subject: subject("Bash", test.input)}
		change, ok := m.Find("pattern")
		if ok != (test.to != "") || change.Kind != test.kind && ok || change.To != test.to && ok {
			t.Errorf("%q on %s: %+v, %v; want %s %q", test.source, test.input, change, ok, test.kind, test.to)
		}
	}
}

// A change of the tool is told even if the pattern fails then, and that it
// does.
func TestFindToolButNotPattern(t *testing.T) {
	m := Matcher{Tool: "bash", Pattern: "rm", Subject: subject("Bash", `{"command": "ls"}`)}
	want := Change{Part: "tool", Kind: "case", To: "Bash", Why: "case counts", Left: "pattern"}
	if got, ok := m.Find("tool"); !ok || got != want {
		t.Errorf("%+v, %v", got, ok)
	}
	m.Pattern = "ls"
	want.Left = ""
	if got, ok := m.Find("tool"); !ok || got != want {
		t.Errorf("%+v, %v", got, ok)
	}
}

func TestClosest(t *testing.T) {
	for _, test := range []struct {
		source, input string
		want          Closest
	}{
		{"npm publish", `{"description": "x", "command": "npm test"}`, Closest{Key: "command", Value: "npm test", Found: "npm ", Missing: "publish"}},
		{"npm publish", `{"command": "yarn publish"}`, Closest{Key: "command", Value: "yarn publish", Found: " publish", Missing: "npm", Before: true}},
		{"^(?:cargo publish|npm publish)$", `{"command": "npm test"}`, Closest{Key: "command", Value: "npm test", Found: "npm ", Missing: "publish"}},
		{"(?i)NPM publish", `{"command": "npm test"}`, Closest{Key: "command", Value: "npm test", Found: "(?i)NPM ", Missing: "publish"}},
		{"npm publish", `{"command": "ls"}`, Closest{}},
		{"n", `{"command": "ls"}`, Closest{}},
	} {
		m := Matcher{Pattern: test.source}
		got, ok := m.Closest(Values(test.input))
		got.Found, got.Begin, got.End, got.length = strings.TrimPrefix(got.Found, "(?i)"), 0, 0, 0
		test.want.Found = strings.TrimPrefix(test.want.Found, "(?i)")
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Closest{})); diff != "" || ok != (test.want.Key != "") {
			t.Errorf("%q: %s", test.source, diff)
		}
	}
}

func TestValues(t *testing.T) {
	want := []Value{{"command", "ls"}, {"n", "1.50"}, {"edits[0].old", "a"}, {"edits[1].old", "b"}, {"edits[1].all", "true"}, {"list[0][0]", "x"}, {"twice", "1"}, {"twice", "2"}}
	got := Values(`{"command": "ls", "n": 1.50, "none": null, "edits": [{"old": "a"}, {"old": "b", "all": true}], "list": [["x"]], "twice": 1, "twice": 2}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := Values(`{"a": "b", "c": broken}`); len(got) != 1 {
		t.Errorf("%v of a broken input", got)
	}
	if got := Values(strings.Repeat(`[`, 100_000)); len(got) != 0 {
		t.Errorf("%d values of nothing but brackets", len(got))
	}
	if got := keys(want); !cmp.Equal(got, []string{"command", "n", "edits", "old", "all", "list", "twice"}) {
		t.Errorf("keys %v", got)
	}
}

// Hostile expressions and large values do not hang it.
func TestBounded(t *testing.T) {
	large := `{"command": "` + strings.Repeat("a", 1<<20-100) + `"}`
	for name, m := range map[string]Matcher{
		"slow":  {Pattern: `^(a+)+$`, Subject: subject("Bash", `{"command": "`+strings.Repeat("a", 60)+`!"}`)},
		"large": {Pattern: `^(a|b)*x \.y$`, Subject: subject("Bash", large)},
		"words": {Pattern: strings.Repeat("word ", 500), Subject: subject("Bash", large)},
		"deep":  {Pattern: strings.Repeat("(", 90) + "a$" + strings.Repeat(")?", 90) + "b", Subject: subject("Bash", large)},
		"names": {Tool: `^(B+)+x$`, Subject: matcher.Subject{Own: []string{"B"}, Names: []string{strings.Repeat("B", 60)}}},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			m.Find("pattern")
			m.Find("tool")
			m.Closest(Values(m.Subject.Text))
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// What is proposed matches, and nothing panics.
func FuzzFind(f *testing.F) {
	for _, source := range []string{"npm publish", `^rm\b`, `"file":".*\.py"`, `\\.py$`, "(?i)x|y", "^(?:a|b c)$", "a.*b", "Bsh"} {
		f.Add(source, `{"command": "npm  publish x.py\nrm", "file_path": "a b"}`, "Bash")
	}
	f.Fuzz(func(t *testing.T, source, input, tool string) {
		if len(source) > 300 || len(input) > 2000 || strings.Count(source, "*")+strings.Count(source, "+")+strings.Count(source, "{") > 4 {
			return
		}
		s := subject(tool, input)
		for _, m := range []Matcher{{Tool: source, Subject: s}, {Pattern: source, Subject: s}} {
			part := "tool"
			if m.Tool == "" {
				part = "pattern"
			}
			if change, ok := m.Find(part); ok {
				changed := Matcher{Tool: change.To, Subject: s}
				if part == "pattern" {
					changed = Matcher{Pattern: change.To, Subject: s}
				}
				if !changed.Matches() {
					t.Errorf("%q does not match after all", change.To)
				}
			}
		}
		if c, ok := (Matcher{Pattern: source}).Closest(Values(input)); ok && (c.Begin > c.End || c.End > len(c.Value)) {
			t.Errorf("%q: found at %d-%d of %q", source, c.Begin, c.End, c.Value)
		}
	})
}
