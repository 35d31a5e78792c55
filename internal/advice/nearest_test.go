package advice

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// subject returns the subject of an event with this tool and input.
func subject(tool, input string) matcher.Subject {
	s := matcher.Subject{Own: []string{tool}, Names: spec.ToolNames(tool), Text: input}
	for _, v := range values(input) {
		s.Values = append(s.Values, v.Text)
	}
	return s
}

func values(input string) []Value {
	all, _ := Values(input)
	return all
}

func TestFindTool(t *testing.T) {
	for _, test := range []struct{ source, tool, kind, to string }{
		{"bash", "Bash", "case", "Bash"},
		{"^(?:bash|edit)$", "Edit", "case", "^(?:bash|Edit)$"},
		{"^BAS", "Bash", "word", "^Bash"},
		{"Bsh", "Bash", "word", "Bash"},
		{"Raed|Wirte", "Write", "word", "Raed|Write"},
		{`mcp__git\\.hub`, "mcp__git.hub__x", "escape", `mcp__git\.hub`},
		{"^[a-z]+$", "mcp__git__push", "", ""},
		{"run_shell_command", "Bash", "agent", "Shell"},
		{"^execute_command$", "Bash", "agent", "^Shell$"},
		{"run_in_terminal", "Bash", "agent", "Shell"},
		{"exec", "Bash", "agent", "Shell"},
		{"view", "read_file", "agent", "ReadFile"},
		{"^gitub", "mcp__github__create_issue", "", ""}, // may be another server
		{"mcp__github", "mcp__gitlab__create", "", ""},
		{"mcp__github__create", "mcp__gitlab__create", "", ""},
		{"github/open", "mcp__gitlab__open", "", ""},
		{"slack/post", "mcp__github__create_issue", "", ""},
		{"Bash\n", "Bash", "slip", "Bash"},
		{`"Bash"`, "Bash", "word", "Bash"},
		{"Bash, Write", "Write", "word", "Bash|Write"},
		{"Bash(npm publish:*)", "Bash", "word", "Bash"},
		{"mcp__github__(create|delete)_pr", "mcp__github__create_issue", "", ""},
		{"mcp__github__(delete)", "mcp__github__create_issue", "", ""},
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

// A change of the tool is reported even if the pattern then fails, which is reported, too.
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

func TestValues(t *testing.T) {
	want := []Value{{"command", "ls", false}, {"n", "1.50", true}, {"none", "null", true}, {"edits[0].old", "a", false}, {"edits[1].old", "b", false},
		{"edits[1].all", "true", true}, {"list[0][0]", "x", false}, {"twice", "1", true}, {"twice", "2", true}}
	got := values(`{"command": "ls", "n": 1.50, "none": null, "edits": [{"old": "a"}, {"old": "b", "all": true}], "list": [["x"]], "twice": 1, "twice": 2}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := values(`{"a": "b", "c": broken}`); len(got) != 1 {
		t.Errorf("%v of a broken input", got)
	}
	if got := values(strings.Repeat(`[`, 100_000)); len(got) != 0 {
		t.Errorf("%d values in brackets only", len(got))
	}
	if got, total := Values("[" + strings.Repeat("1,", 4999) + "1]"); len(got) != maxValues || total != 5000 {
		t.Errorf("%d values of %d", len(got), total)
	}
}

// Change.Why explains the mismatch.
func TestWhy(t *testing.T) {
	for _, test := range []struct{ tool, pattern, own, input, want string }{
		{"", `a+b`, "Bash", `{"command": "a+b"}`, "it occurs as literal text; special characters need a backslash"},
		{"", `^rm`, "Bash", `{"command": "sudo rm x"}`, "other text precedes it"},
		{"", `rm$`, "Bash", `{"command": "rm x"}`, "other text follows it"},
		{"", `^(sudo|npm|x) y`, "Bash", `{"command": "npm i"}`, ""}, // escaped parentheses would free the alternatives
		{"exec", "", "Bash", "{}", "it names `exec`, which only some agents have"},
	} {
		part := "tool"
		if test.tool == "" {
			part = "pattern"
		}
		m := Matcher{Tool: test.tool, Pattern: test.pattern, Subject: subject(test.own, test.input)}
		if change, _ := m.Find(part); change.Why != test.want {
			t.Errorf("%s%s: %s", test.tool, test.pattern, change.Why)
		}
	}
}

// Find is fast for hostile expressions and large values.
func TestBounded(t *testing.T) {
	size := 1 << 12
	if os.Getenv("LONG_TESTS") != "" {
		size = 1 << 20
	}
	large := `{"command": "` + strings.Repeat("a", size-100) + `"}`
	for name, m := range map[string]Matcher{
		"slow":  {Pattern: `^(a+)+$`, Subject: subject("Bash", `{"command": "`+strings.Repeat("a", 60)+`!"}`)},
		"large": {Pattern: `^(a|b)*x \.y$`, Subject: subject("Bash", large)},
		"long":  {Pattern: strings.Repeat("a", 8<<10+1), Subject: subject("Bash", large)},
		"words": {Pattern: strings.Repeat("word ", 500), Subject: subject("Bash", large)},
		"deep":  {Pattern: strings.Repeat("(", 90) + "a$" + strings.Repeat(")?", 90) + "b", Subject: subject("Bash", large)},
		"names": {Tool: `^(B+)+x$`, Subject: matcher.Subject{Own: []string{"B"}, Names: []string{strings.Repeat("B", 60)}}},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			m.Find("pattern")
			m.Find("tool")
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

// FuzzFind checks that proposed changes match, and that nothing panics.
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
	})
}
