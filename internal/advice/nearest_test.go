package advice

import (
	"fmt"
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

// manyWords returns more words than are read, which sort before others.
func manyWords() string {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "a%d ", i)
	}
	return b.String()
}

func values(input string) []Value {
	all, _ := Values(input)
	return all
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
		{"^github__", "mcp__github__issue", "server", "^mcp__github__"},
		{"^issue$", "@github/issue", "server", "^mcp__github__issue$"},
		{"^click$", "mcp__browser__click", "server", "^mcp__browser__click$"},
		{"^create_issue$", "mcp__github__create_issue", "server", "^mcp__github__create_issue$"},
		{"^browser", "mcp__browser__click", "server", "^mcp__browser__"},
		{"^Write$", "mcp__fs__Write", "server", "^mcp__fs__Write$"},
		{"^mcp__browser$", "mcp__browser__click", "word", "^mcp__browser__click$"},
		{"^tool$", "my_tool", "anchor", "tool$"},
		{"^App$", "DeployApp", "anchor", "App$"},
		{"^[a-z]+$", "mcp__git__push", "", ""},
		{"run_shell_command", "Bash", "agent", "Shell"},
		{"^execute_command$", "Bash", "agent", "^Shell$"},
		{"run_in_terminal", "Bash", "agent", "Shell"},
		{"exec", "Bash", "agent", "Shell"},
		{"run_shell", "Bash", "agent", "Shell"},
		{"Execute", "execute_command", "agent", "Shell"},
		{"mcp__github__*issue", "mcp__github__create_issue", "glob", "mcp__github__.*issue"},
		{"view", "read_file", "agent", "ReadFile"},
		{"mcp_github_.*", "mcp__github__create_issue", "server", "mcp__github__.*"},
		{"^mcp__git-hub__.*", "mcp__github__create_issue", "server", "^mcp__github__.*"},
		{"mcp__github-create_issue", "mcp__github__create_issue", "server", "mcp__github__create_issue"},
		{"github/create_issue", "mcp__github__create_issue", "server", "mcp__github__create_issue"},
		{"x|github.create_issue", "mcp__github__create_issue", "server", "x|mcp__github__create_issue"},
		{"create_isue", "mcp__github__create_issue", "server", "mcp__github__create_issue"},
		{"^gitub", "mcp__github__create_issue", "", ""}, // may be another server
		{"mcp__github", "mcp__gitlab__create", "", ""},
		{"mcp__github__create", "mcp__gitlab__create", "", ""},
		{"github/open", "mcp__gitlab__open", "", ""},
		{"mcp_git-lab_creat", "mcp__gitlab__create", "server", "mcp__gitlab__create"},
		{"^GITHUB", "mcp__github__create_issue", "server", "^mcp__github__"},
		{"^CREATE.*", "mcp__github__create_issue", "case", "(?i)__CREATE.*"},
		{"slack/post", "mcp__github__create_issue", "", ""},
		{"Bash\n", "Bash", "blank", "Bash"},
		{"/bash/i", "Bash", "quote", "(?i)bash"},
		{`"Bash"`, "Bash", "quote", "Bash"},
		{"Bash, Write", "Write", "list", "Bash|Write"},
		{"Bash(npm publish:*)", "Bash", "list", "Bash"},
		{"Bash(", "Bash", "list", "Bash"},
		{"mcp__github__(create|delete)_pr", "mcp__github__create_issue", "", ""},
		{"mcp__github__(delete)", "mcp__github__create_issue", "", ""},
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
		{"null x", `{"command": null}`, Closest{}},
		{"n", `{"command": "ls"}`, Closest{}},
	} {
		m := Matcher{Pattern: test.source}
		got, ok := m.Closest(values(test.input))
		got.Found, got.Begin, got.End, got.length = strings.TrimPrefix(got.Found, "(?i)"), 0, 0, 0
		test.want.Found = strings.TrimPrefix(test.want.Found, "(?i)")
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(Closest{})); diff != "" || ok != (test.want.Key != "") {
			t.Errorf("%q: %s", test.source, diff)
		}
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
		t.Errorf("%d values of nothing but brackets", len(got))
	}
	if got := keys(want); !cmp.Equal(got, []string{"command", "n", "none", "edits", "old", "all", "list", "twice"}) {
		t.Errorf("keys %v", got)
	}
	if got, total := Values("[" + strings.Repeat("1,", 4999) + "1]"); len(got) != mostValues || total != 5000 {
		t.Errorf("%d values of %d", len(got), total)
	}
}

// Change.Why explains the mismatch.
func TestWhy(t *testing.T) {
	for _, test := range []struct{ tool, pattern, own, input, want string }{
		{"^click$", "", "mcp__browser__click", "{}", "the tool's name is \"mcp__browser__click\""},
		{"^mcp__browser$", "", "mcp__browser__click", "{}", "\"mcp__browser__click\" is the tool's name"},
		{"", `a+b`, "Bash", `{"command": "a+b"}`, "that is there letter for letter; `+` stands for itself behind a backslash only"},
		{"exec", "", "Bash", "{}", `"exec" is what another agent calls it, "Shell" matches in every agent`},
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

// A change that would remove the end of a word is explained, not proposed.
func TestUnreached(t *testing.T) {
	for _, test := range []struct{ source, input, want string }{
		{`prod$`, `{"command": "deploy production"}`, "`$` is not reached: `uction` follows"},
		{`\.py$`, `{"command": "rm a.pyc b"}`, "`$` is not reached: `c` follows"},
		{`^rm$`, `{"command": "rmdir"}`, "`$` is not reached: `dir` follows"},
		{`\brm\b`, `{"command": "rmdir"}`, "`\\b` is not reached: `dir` follows"},
		{`(rm|mv)$`, `{"command": "mvx"}`, "`$` is not reached: `x` follows"},
		{`rm /$`, `{"command": "rm /home"}`, "`$` is not reached: `home` follows"},
		{`rm$`, `{"command": "ls"}`, ""},
		{`rm$`, `{"command": "rm x"}`, ""},
		{`^[a-z]+$`, `{"command": "ab1"}`, ""},
		{`^(?!x)rm$`, `{"command": "rmx"}`, ""},
	} {
		m := Matcher{Pattern: test.source, Subject: subject("Bash", test.input)}
		why, ok := m.Unreached()
		if why != test.want || ok != (why != "") {
			t.Errorf("%s on %s: %s, %v", test.source, test.input, why, ok)
		}
		if change, found := m.Find("pattern"); ok && found {
			t.Errorf("%s on %s: %s is proposed", test.source, test.input, change.To)
		}
	}
}

func TestUncovered(t *testing.T) {
	for _, test := range []struct {
		source, input string
		want          Uncovered
	}{
		{`^[^;&|]+$`, `{"command": "ls; rm"}`, Uncovered{"command", "ls", "; rm"}},
		{`^.{1,3}$`, `{"command": "abcd"}`, Uncovered{"command", "abc", "d"}},
		{`^\S+$`, `{"n": "a b", "command": "abc d"}`, Uncovered{"command", "abc", " d"}},
		{`^$`, `{"command": "x"}`, Uncovered{"command", "", "x"}},
		{`^(npm )?x*$`, `{"command": "npm xy"}`, Uncovered{"command", "npm x", "y"}},
		{`^[a-z]+`, `{"command": "X y"}`, Uncovered{"command", "", "X y"}},
		{`^[a-z]+$`, `{"command": ""}`, Uncovered{}},
		{`[a-z]+$`, `{"command": "X 1"}`, Uncovered{}},
		{`^rm[a-z]+$`, `{"command": "X 1"}`, Uncovered{}},
		{`^[a-z]+$|^\d+$`, `{"command": "x 1"}`, Uncovered{"command", "x", " 1"}},
		{`(?i)^[a-z]+$`, `{"command": "X 1"}`, Uncovered{"command", "X", " 1"}},
		{`^(?!x)[a-z]+$`, `{"command": "X 1"}`, Uncovered{}},
	} {
		got, ok := Matcher{Pattern: test.source}.Uncovered(values(test.input))
		if got != test.want || ok != (test.want != Uncovered{}) {
			t.Errorf("%s: %+v, %v", test.source, got, ok)
		}
	}
}

func TestInside(t *testing.T) {
	for _, test := range []struct{ source, input, key, before string }{
		{`^rm`, `{"n": 1, "command": "npm run format"}`, "command", "npm run fo"},
		{`\brm\b`, `{"command": "farms"}`, "command", "fa"},
		{`rm`, `{"command": "farms"}`, "", ""},
		{`^rm`, `{"command": "a rm"}`, "", ""},
		{`^[a-z]+$`, `{"command": "1 a"}`, "", ""},
		{`^$`, `{"command": "1 a"}`, "", ""},
		{`^(?!x)rm`, `{"command": "farm"}`, "", ""},
	} {
		key, before, ok := Matcher{Pattern: test.source}.Inside(values(test.input))
		if key != test.key || before != test.before || ok != (key != "") {
			t.Errorf("%s: %q, %q, %v", test.source, key, before, ok)
		}
	}
}

// Find is fast for hostile expressions and large values.
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
			m.Closest(values(m.Subject.Text))
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
		if c, ok := (Matcher{Pattern: source}).Closest(values(input)); ok && (c.Begin > c.End || c.End > len(c.Value)) {
			t.Errorf("%q: found at %d-%d of %q", source, c.Begin, c.End, c.Value)
		}
	})
}
