package scaffold_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/spec"
)

// interpreters are the programs that the scripts need, by language.
var interpreters = map[string]string{"sh": "sh", "bash": "bash", "python": "python3", "node": "node"}

// TestNew validates the hook for each event and language.
func TestNew(t *testing.T) {
	for _, language := range scaffold.Languages() {
		t.Run(language, func(t *testing.T) {
			if _, err := exec.LookPath(interpreters[language]); err != nil {
				t.Skipf("%s is not installed", interpreters[language])
			}
			for _, info := range spec.Events() {
				o := scaffold.Options{Name: "a-hook", Trigger: info.Event, Language: language}
				check(t, o, false)
				if info.Event.IsTool() {
					check(t, scaffold.Options{Name: "a-hook", Trigger: info.Event, Language: language, Tool: "Shell"}, false)
					o.Tool, o.Pattern, o.Example = "^(WriteFile|mcp__.*)$", `['"\\]?secret\b: "x"`, `secret: "x"`
					check(t, o, false)
				}
			}
		})
	}
}

func check(t *testing.T, o scaffold.Options, lax bool) {
	t.Helper()
	files, err := scaffold.New(o)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	dir := filepath.Join(t.TempDir(), o.Name)
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
		write(t, filepath.Join(dir, filepath.FromSlash(f.Path)), f)
		if left := regexp.MustCompile(`@[a-z]+@`).Find(f.Data); left != nil {
			t.Errorf("%+v: %s has %s", o, f.Path, left)
		}
		for line := range strings.Lines(string(f.Data)) {
			if f.Path == "HOOK.md" && strings.HasPrefix(strings.TrimLeft(line, " "), "#") && len(line) > 81 {
				t.Errorf("%+v: a comment of more than 80 columns: %s", o, line)
			}
		}
		if strings.Contains(string(f.Data), "\r") || !strings.HasSuffix(string(f.Data), "\n") {
			t.Errorf("%+v: %s does not end its lines with LF", o, f.Path)
		}
	}
	scripts := map[string]string{"sh": "scripts/run.sh", "bash": "scripts/run.sh", "python": "scripts/run.py", "node": "scripts/run"}
	if want := "HOOK.md " + scripts[o.Language] + " tests/fires.yaml tests/passes.yaml"; strings.Join(paths, " ") != want {
		t.Errorf("%+v: files %q, want %s", o, paths, want)
	}
	h := discovery.ReadHook(dir, discovery.UserScope)
	for _, d := range h.Validate(os.Getenv("PATH")) {
		if d.Severity == spec.Error || !lax && d.Code != "trigger-extension" {
			t.Errorf("%+v: %s", o, d)
		}
	}
	if h.Name != o.Name || h.Trigger != o.Trigger || h.Tool != o.Tool || h.Pattern != o.Pattern || h.Description == "" {
		t.Errorf("%+v: read as %+v", o, h.Hook)
	}
}

func write(t *testing.T, path string, f state.File) {
	t.Helper()
	mode := os.FileMode(0o644)
	if f.Executable {
		mode = 0o755
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f.Data, mode); err != nil {
		t.Fatal(err)
	}
}

// TestRefuse checks that a hook that blocks every matching call is short, needs only its
// interpreter, and has a readable description whatever its matcher.
func TestRefuse(t *testing.T) {
	examples := map[string]string{`^rm -rf\b`: "rm -rf /", `\.env$`: ".env"}
	for _, test := range []struct{ tool, pattern string }{
		{"Shell", "npm publish"},
		{"", `^rm -rf\b`},
		{"^(WriteFile|EditFile)$", `\.env$`},
		{"Shell", `'"#: x`},
		{"Shell", "`date`"},
		{"Shell", "a\n---\nb"},
		{"Shell", "\u202eabc"},
		{"Shell|`", "x"},
	} {
		for _, language := range scaffold.Languages() {
			o := scaffold.Options{Name: "a", Trigger: spec.PreToolCall, Language: language, Tool: test.tool, Pattern: test.pattern, Example: examples[test.pattern]}
			files, err := scaffold.New(o)
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), o.Name)
			for _, f := range files {
				write(t, filepath.Join(dir, filepath.FromSlash(f.Path)), f)
			}
			if got := discovery.ReadHook(dir, discovery.UserScope).Description; got != "Blocks the tool calls that its matcher selects." {
				t.Errorf("%+v: %q", o, got)
			}
			if script := string(files[1].Data); strings.Count(script, "\n") > 12 || strings.Contains(script, "jq") {
				t.Errorf("%+v: the script is\n%s", o, script)
			}
		}
	}
}

// TestShellFunctions checks that a script in sh has exactly the functions that it calls.
func TestShellFunctions(t *testing.T) {
	for _, info := range spec.Events() {
		files, err := scaffold.New(scaffold.Options{Name: "a", Trigger: info.Event, Language: "sh"})
		if err != nil {
			t.Fatal(err)
		}
		script := string(files[1].Data)
		for _, name := range []string{"field", "answer"} {
			has := strings.Contains(script, "\n"+name+"() {")
			if calls := regexp.MustCompile(`(?m)(^|\$\()` + name + ` `).MatchString(script); has != calls {
				t.Errorf("%s: has %s %t, calls it %t\n%s", info.Event, name, has, calls, script)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{ // "": valid; "-": no suggestion
		"no-publish":            "",
		"a":                     "",
		"守卫-2":                  "",
		"My Hook":               "my-hook",
		"noPublish":             "nopublish",
		"No_Publish.sh":         "no-publish-sh",
		"a--b":                  "a-b",
		"-a-":                   "a",
		"../../etc/passwd":      "etc-passwd",
		"ＡＢＣ":                   "-", // full width
		"a\x1b[31m":             "a-31m",
		strings.Repeat("a", 65): "-",
		"":                      "-",
		"--":                    "-",
		"\xff":                  "-",
	} {
		err := scaffold.CheckName(name)
		var p *scaffold.Problem
		switch {
		case err == nil && want == "":
		case errors.As(err, &p) && p.Option == "name" && want != "" && p.Instead == strings.Trim(want, "-"):
		default:
			t.Errorf("CheckName(%q) = %v, %+v, want %q", name, err, p, want)
		}
	}
}

func TestProblems(t *testing.T) {
	good := scaffold.Options{Name: "a", Trigger: spec.PreToolCall, Language: "sh", Tool: "Shell"}
	for _, test := range []struct {
		change          func(*scaffold.Options)
		option, instead string
	}{
		{func(o *scaffold.Options) {}, "", ""},
		{func(o *scaffold.Options) { o.Name = "A" }, "name", "a"},
		{func(o *scaffold.Options) { o.Trigger = "pre-tool" }, "trigger", "pre-tool-call"},
		{func(o *scaffold.Options) { o.Language = "pyton" }, "lang", "python"},
		{func(o *scaffold.Options) { o.Language = "ruby" }, "lang", ""},
		{func(o *scaffold.Options) { o.Tool = "Bsh" }, "tool", "Bash"},
		{func(o *scaffold.Options) { o.Tool = "^Bsh$" }, "", ""},
		{func(o *scaffold.Options) { o.Tool = "tool" }, "", ""}, // too unlike todos
		{func(o *scaffold.Options) { o.Tool = "my_own_tool" }, "", ""},
		{func(o *scaffold.Options) { o.Tool = "WriteFile|EditFile|^mcp__" }, "", ""},
		{func(o *scaffold.Options) { o.Tool = "(" }, "tool", ""},
		{func(o *scaffold.Options) { o.Tool = `(?<!a)\A\Z` }, "tool", ""},
		{func(o *scaffold.Options) { o.Tool = "" }, "", ""},
		{func(o *scaffold.Options) { o.Pattern = "[" }, "pattern", ""},
		{func(o *scaffold.Options) { o.Pattern = `^git\s+push\b.*--force\b` }, "", ""},
		{func(o *scaffold.Options) { o.Pattern, o.Example = `^git\s+push\b.*(--force|-f)\b`, "git push -f" }, "", ""},
		{func(o *scaffold.Options) { o.Pattern = `(a|b){3,}[^x-z]?\d+` }, "example", ""},
		{func(o *scaffold.Options) { o.Pattern = `"file_path": ".*\.py"` }, "", ""},
		{func(o *scaffold.Options) { o.Pattern = `.` }, "", ""}, // matches everything
		{func(o *scaffold.Options) { o.Pattern = `a(?=b)` }, "example", ""},
		{func(o *scaffold.Options) { o.Pattern, o.Example = `a(?=b)`, "ab" }, "", ""},
		{func(o *scaffold.Options) { o.Pattern, o.Example = `a(?=b)`, "ac" }, "example", ""},
		{func(o *scaffold.Options) { o.Trigger, o.Tool = spec.PreSession, "" }, "", ""},
		{func(o *scaffold.Options) { o.Trigger = spec.PreSession }, "tool", ""},
		{func(o *scaffold.Options) { o.Trigger, o.Tool, o.Pattern = spec.PreSession, "", "x" }, "pattern", ""},
	} {
		o := good
		test.change(&o)
		_, err := scaffold.New(o)
		var p *scaffold.Problem
		switch {
		case err == nil && test.option == "":
		case errors.As(err, &p) && p.Option == test.option && p.Instead == test.instead && p.Message != "":
		default:
			t.Errorf("%+v: %v (%+v), want a problem of %q, instead %q", o, err, p, test.option, test.instead)
		}
	}
}

// The hint for an expression that does not compile is that of validate.
func TestHints(t *testing.T) {
	for _, test := range [][3]string{
		{"", "*.py", `it looks like a glob; the expression is \.py$`},
		{"", "src/**", "it looks like a glob; in an expression, .* matches any text"},
		{"", "*", "for any input, omit --pattern"},
		{"", "(", "use the syntax of Python's re"},
		{"*", "", "--tool '' is for every tool"},
		{"Bash(*)", "", "it looks like a permission rule; write `tool: Bash`"},
	} {
		_, err := scaffold.New(scaffold.Options{Name: "a", Trigger: spec.PreToolCall, Language: "sh", Tool: test[0], Pattern: test[1]})
		var p *scaffold.Problem
		if !errors.As(err, &p) || p.Likely != test[2] {
			t.Errorf("%q: %v, %+v", test, err, p)
		}
	}
}

// TestMatcherForEveryCall checks that the second case is a call that the script allows, if the
// matcher selects every call.
func TestMatcherForEveryCall(t *testing.T) {
	for pattern, fires := range map[string]bool{"npm publish": false, ".*": true} {
		files, err := scaffold.New(scaffold.Options{Name: "a", Trigger: spec.PreToolCall, Language: "sh", Pattern: pattern})
		if err != nil {
			t.Fatal(err)
		}
		if passes := string(files[3].Data); strings.Contains(passes, "fires: false") == fires {
			t.Errorf("pattern %q: the second case is\n%s", pattern, passes)
		}
	}
}

func TestLanguages(t *testing.T) {
	if runtime.GOOS != "windows" && len(scaffold.Languages()) != len(interpreters) {
		t.Errorf("languages %q", scaffold.Languages())
	}
	for _, tool := range scaffold.Tools() {
		if !spec.KnownTool(tool) {
			t.Errorf("no agent has a tool %q", tool)
		}
	}
}

// FuzzNew checks that any expression and name result in a Problem, or in a hook with exactly
// these values.
func FuzzNew(f *testing.F) {
	f.Add("My Hook", "Shell", `^git push`, "")
	f.Add("a", "mcp__x", `(?P<a>[é-ü]){2}\p{L}(?=x)`, "'\"\n\x00: #")
	f.Add("a-", "(((", `\`, "")
	f.Fuzz(func(t *testing.T, name, tool, pattern, example string) {
		o := scaffold.Options{Name: name, Trigger: spec.PreToolCall, Language: "sh", Tool: tool, Pattern: pattern, Example: example}
		_, err := scaffold.New(o)
		var p *scaffold.Problem
		if err != nil && (!errors.As(err, &p) || p.Message == "") {
			t.Fatalf("%+v: %v", o, err)
		}
		if p != nil && p.Option == "name" && p.Instead != "" && scaffold.CheckName(p.Instead) != nil {
			t.Fatalf("%q does not match: %v", p.Instead, scaffold.CheckName(p.Instead))
		}
		if err == nil {
			check(t, o, true) // the expression may cause a warning
		}
	})
}

// TestPlainPatterns checks that a pattern that matches itself or the usual text needs no
// --example, and that any other does.
func TestPlainPatterns(t *testing.T) {
	for _, test := range []struct{ tool, pattern, want string }{
		{"Shell", `npm\s+publish`, "command: npm publish\n"},
		{"Shell", `GIT`, "command: GIT\n"},
		{"Shell", `docker  run`, "command: docker  run\n"},
		{"Shell", `^git\s+push`, "command: git push\n"},
		{"WriteFile", `^src/.*\.go$`, "file_path: src/.go\n"},
		{"Shell", `a(?=b)`, ""},
	} {
		files, err := scaffold.New(scaffold.Options{Name: "a", Trigger: spec.PreToolCall, Language: "sh", Tool: test.tool, Pattern: test.pattern})
		var p *scaffold.Problem
		if errors.As(err, &p) && p.Option == "example" && test.want == "" {
			continue
		}
		i := slices.IndexFunc(files, func(f state.File) bool { return f.Path == "tests/fires.yaml" })
		if i < 0 || test.want == "" || !strings.Contains(string(files[i].Data), test.want) {
			t.Errorf("%s: %v, no %q", test.pattern, err, test.want)
		}
	}
}

func TestRename(t *testing.T) {
	got := scaffold.Rename([]byte("---\nname: notify\ndescription: notify\n---\n\n# notify\n\nnotify-send, my-notify: notify\n"), "notify", "null")
	want := "---\nname: 'null'\ndescription: notify\n---\n\n# null\n\nnotify-send, my-notify: null\n"
	if string(got) != want {
		t.Errorf("%q", got)
	}
	for source, want := range map[string]string{
		"": "", "x": "x", "notify": "a-b", "notify notify": "a-b a-b", "renotify notified Änotify _notify": "renotify notified Änotify _notify",
		"'by notify: '": "'by a-b: '", "a/notify/*.jsonl": "a/a-b/*.jsonl",
	} {
		if got := scaffold.RenameIn([]byte(source), "notify", "a-b"); string(got) != want {
			t.Errorf("%q: %q", source, got)
		}
	}
}

// TestScriptsNameTheInput checks that each script for tool calls names the keys
// that the input has in every agent.
func TestScriptsNameTheInput(t *testing.T) {
	for _, o := range []scaffold.Options{
		{Trigger: spec.PreToolCall},                         // guard
		{Trigger: spec.PreToolCall, Pattern: "npm publish"}, // refuse
		{Trigger: spec.PostToolCall},                        // words
	} {
		for _, o.Language = range scaffold.Languages() {
			o.Name = "a"
			files, err := scaffold.New(o)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"command", "file_path ", "file_paths"} {
				if !strings.Contains(strings.Join(strings.Fields(string(files[1].Data)), " "), key) {
					t.Errorf("%+v: %s does not name %s", o, files[1].Path, key)
				}
			}
		}
	}
}

// TestJudge checks the hooks that ask a model, on every event and in both languages.
func TestJudge(t *testing.T) {
	for _, info := range spec.Events() {
		for _, language := range []string{"sh", "python"} {
			o := scaffold.Options{Name: "a-hook", Trigger: info.Event, Language: language, Judge: true}
			if info.Event.IsTool() {
				o.Tool, o.Pattern, o.Example = "Shell", `['"]x\b`, `rm "x"`
			}
			files, err := scaffold.New(o)
			if err != nil {
				t.Fatalf("%+v: %v", o, err)
			}
			dir := filepath.Join(t.TempDir(), o.Name)
			for _, f := range files {
				write(t, filepath.Join(dir, filepath.FromSlash(f.Path)), f)
				if left := regexp.MustCompile(`(?m)@[a-z']+@|^@`).Find(f.Data); left != nil {
					t.Errorf("%+v: %s has %s", o, f.Path, left)
				}
			}
			h := discovery.ReadHook(dir, discovery.UserScope)
			for _, d := range h.Validate(os.Getenv("PATH")) {
				_, missing := exec.LookPath(interpreters[language])
				if d.Code != "trigger-extension" && (d.Code != "entry-interpreter" || missing == nil) {
					t.Errorf("%+v: %s", o, d)
				}
			}
			if h.Trigger != o.Trigger || h.OnFailure != "ask" || h.Pattern != o.Pattern {
				t.Errorf("%+v: read as %+v", o, h.Hook)
			}
		}
	}
}
