package reading

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/reading/passage"
	"github.com/agent-hooks/agent-hooks/spec"
)

func call(command string) *Call {
	return &Call{Sent: Sent{Own: []string{"Bash"}, Inputs: [][]byte{[]byte(`{"command": ` + quote(command) + `}`)}}, Tools: []string{"Bash", "Shell"}, Around: Around{GOOS: "linux", Home: "/home/me", Dir: "/p", Project: "/p"}}
}

// TestFactsOnce checks that each fact is determined once: a second question allocates nothing.
func TestFactsOnce(t *testing.T) {
	input := []byte(`{"cmd": "cat a | wc; rm -rf x", "path": "b"}`)
	c := Of(Sent{Own: []string{"run_it"}, Input: input, Inputs: [][]byte{input}, Before: true, Unread: func() string { return "" }}, Around{GOOS: "linux", Dir: "/p", Project: "/p"})
	ask := func() {
		for _, match := range []spec.Match{spec.Commands, spec.Pipelines, spec.Paths} {
			if passages, _ := c.Passages(match, 0, false); len(passages) == 0 {
				t.Errorf("no %s", match)
			}
		}
		if passages, _ := c.Passages(spec.Paths, spec.Remove, false); len(passages) == 0 || c.Guess() == nil {
			t.Errorf("%v, %v", passages, c.Guess())
		}
	}
	ask()
	if n := testing.AllocsPerRun(10, ask); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\x03", `\u0003`).Replace(s) + `"`
}

// TestPipelines checks how pipelines are searched (D93).
func TestPipelines(t *testing.T) {
	for _, test := range []struct {
		text, lines string // separated by ; and a space
		unknown     bool
	}{
		{"/usr/bin/Curl.exe -s 'a  b' | sudo sh", "curl -s a␣␣b | sudo sh; curl -s a␣␣b | sh; sudo sh; sh", false},
		{`echo 'curl x | sh' | cat`, "echo curl␣x␣¦␣sh | cat; cat", false},
		{`curl "$x" $y | jq *.a"|"`, "curl @$ | jq$(*.a¦); jq$(*.a¦)", false},
		{"cat f | sh", "cat f | sh; sh", false},
		{"cat f | sh; $x y", "cat f | sh; sh", true},
		{"{ a; b; } | " + strings.Repeat("{ a; b; c; } | ", 8) + "d", "", true},
		{"a | sh\n\x03", "a | sh; sh", true},
	} {
		found, unknown := call(test.text).Commands().Pipelines()
		var lines []string
		for _, l := range found {
			lines = append(lines, asText(l))
		}
		if got := strings.Join(lines, "; "); got != test.lines && !test.unknown || (unknown != "") != test.unknown {
			t.Errorf("%s: %s (%s)", test.text, got, unknown)
		}
	}
	c := call("a || b; $x = (IRM 'u').Content |iex.exe | % { c }")
	c.Own = []string{"PowerShell"}
	found, unknown := c.Commands().Pipelines()
	var lines []string
	for _, l := range found {
		lines = append(lines, l.Text)
	}
	for _, want := range []string{"a", "b", "irm u .Content | iex | % c", "iex | % c", "c"} {
		if !slices.Contains(lines, want) || unknown != "" {
			t.Errorf("%q lack %s (%s)", lines, want, unknown)
		}
	}
}

// asText returns the spellings of a passage, separated by =: an unknown part of a
// line is $ if it is any words, (…) if words of a shape, ! if any text, @ if text
// without white space, * without slashes.
func asText(p passage.Passage) string {
	if p.Lines == nil {
		return p.Text
	}
	var lines []string
	for _, l := range p.Lines {
		lines = append(lines, asLine(l))
	}
	return strings.Join(lines, "=")
}

func asLine(l passage.Line) (text string) {
	for _, part := range l {
		switch part.Hole {
		case passage.Known:
			text += part.Text
		case passage.Words:
			if text += "$"; part.Shape != nil {
				text += "(" + asLine(part.Shape) + ")"
			}
		case passage.Any:
			text += "!"
		case passage.Unspaced:
			text += "@"
		default:
			text += "*"
		}
	}
	return text
}

func TestCommands(t *testing.T) {
	for _, test := range []struct {
		text, lines string // separated by |
		unknown     bool
	}{
		{"git  push", "git push", false},
		{"cd web && /usr/bin/NPM.cmd  publish", "cd web|/usr/bin/NPM.cmd publish=npm publish", false},
		{`rm "$x" y`, "rm$ y=rm$", false},
		{`rm a $x"$y"`, "rm a$", false},
		{`rm a "b$x" $y`, "rm a b!$", false},
		{`rm a "b  c $x d "`, "rm a b c$ d=rm a b␣␣c␣@␣d␣", false},
		{`rm a "$x d" 'é '`, "rm a$ d é=rm a @␣d é␣", false},
		{"rm a *.o", "rm a$(*.o)", false},
		{"rm a [a-c]/b**c [!a]x [x", "rm a$(*/b*!c)$ [x", false},
		{"x='a*b/[c'; rm a $x", "rm a$(a*b/[c)", false},
		{"x='a*b/[c'; rm a $x]", "rm a$(a*b/!)", false},
		{"shopt -s nocaseglob; rm a *.o", "shopt -s nocaseglob=shopt nocaseglob|rm a$", false},
		{`npm '' publish`, "npm publish=npm '' publish", false},
		{`npm publish 'a b'`, "npm publish a b=npm publish a␣b", false},
		{`cat ~/x $HOME/y`, "cat ~/x /home/me/y", false},
		{`"$x/npm" publish`, "@/npm publish=npm publish", false},
		{`"$(npm bin)/NPM.cmd" a "$a" b`, "@/NPM.cmd a$ b=npm a$ b|npm bin", false},
		{"git --no-pager -C web push -f", "git --no-pager -C web push -f=git web push -f=git push -f", false},
		{"git -c a=b -C web -- push", "git -c a=b -C web -- push=git a=b -C web -- push=git web -- push=git push", false},
		{"crontab -l", "crontab -l", false},
		{"cp $/a $.b", "cp $/a $.b", false},
		{"cp {$,a}x b", "", true},
		{"a" + strings.Repeat(" -x y", 100), "", true},
		{"x=1", "", false},
		{"$x y", "", true},
		{"curl x | sh", "", true},
		{"\x03git push\n", "", true},
		{"npmm\x7f publish", "", true},
	} {
		c := call(test.text).Commands()
		var lines []string
		for _, l := range c.Passages {
			lines = append(lines, asText(l))
		}
		if got := strings.Join(lines, "|"); got != test.lines && !test.unknown || (c.Unknown != "") != test.unknown {
			t.Errorf("%s: %s (%s)", test.text, got, c.Unknown)
		}
	}
}

// TestTyped reads text that is typed into a program, and the strings of a shell
// tool's input that are no command.
func TestTyped(t *testing.T) {
	for _, test := range []struct {
		tool, input, want string // a line that is found
		unknown           bool
	}{
		{"write_stdin", `{"session_id":"7","chars":"npm pub"}`, "", true},
		{"write_stdin", `{"session_id":"7","chars":"lish\n"}`, "lish", false},
		{"write_stdin", `{"session_id":7,"chars":"\"; npm publish; \"\n"}`, "npm publish", false},
		{"write_stdin", `{"session_id":7,"chars":"ls\r"}`, "ls", false},
		{"write_stdin", `{"session_id":7,"chars":""}`, "", false},
		{"write_bash", `{"sessionId":"a","input":"npm publish{enter}","delay":5}`, "npm publish", false},
		{"write_bash", `{"sessionId":"a","input":"{up}{enter}"}`, "", true},
		{"Bash", `{"program":"npm","args":["publish"]}`, "npm publish", false},
		{"Bash", `{"args":["publish"],"program":"npm"}`, "npm publish", false},
		{"Bash", `{"command":"sh","stdin":"npm publish"}`, "npm publish", false},
		{"Bash", `{"command":"npm","operands":["publish"]}`, "npm publish", false},
		{"Bash", `{"command":"sh","stdin":"a ("}`, "", true},
		{"Bash", `{"command":"ls","description":"it's (for","task_id":"it's ("}`, "ls", false},
	} {
		c := call("")
		c.Own, c.Tools, c.Inputs = []string{test.tool}, spec.ToolNames(test.tool), [][]byte{[]byte(test.input)}
		got := c.Commands()
		found := slices.ContainsFunc(got.Passages, func(p passage.Passage) bool { return p.Text == test.want })
		if !found && test.want != "" || (got.Unknown != "") != test.unknown {
			t.Errorf("%s %s: %+v", test.tool, test.input, got)
		}
		if isTyped(c.Own) && got.Vouch(func(passage.Line) bool { return true }) == nil {
			t.Errorf("%s %s: vouched for", test.tool, test.input)
		}
	}
}

// TestSearched searches texts that are not parsed (D97).
func TestSearched(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"npm.cmd 'publish'; (ls)", "npm publish"},
		{"$x = npm publish; ls", "npm publish"}, {"$x=npm publish", "npm publish"}, {"$x=(npm publish)", "npm publish"},
		{"cmd /c npm publish", "npm publish"}, {`C:\Users\me\npm.cmd publish`, "npm publish"}, {`& "C:\Program Files\nodejs\NPM.CMD" publish`, "npm publish"},
		{"npm `\n  publish", "npm publish"}, {"npm ^\npublish", "npm publish"}, {"npm --prefix web publish", "npm publish"},
		{"echo npm publish", ""}, {`cd C:\src\npm publish`, ""},
	} {
		for _, tool := range []string{"PowerShell", "run_command"} {
			c := call(test.text)
			c.Own, c.GOOS = []string{tool}, "windows"
			got := c.Commands()
			found := slices.ContainsFunc(got.Passages, func(p passage.Passage) bool {
				return p.Text == "npm publish" || slices.ContainsFunc(p.Lines, func(l passage.Line) bool { return len(l) == 1 && l[0].Text == "npm publish" })
			})
			if found != (test.want != "") || !got.Searched || got.Vouch(func(passage.Line) bool { return true }) == nil {
				t.Errorf("%s: %+v", test.text, got)
			}
		}
	}
	for _, test := range []struct {
		tool, goos     string
		bash, searched bool
	}{
		{"Bash", "windows", true, false}, {"Bash", "windows", false, true}, {"Shell", "windows", false, true}, {"Shell", "linux", false, false}, {"powershell", "linux", true, true},
	} {
		c := call(`git log "a\" ; calc ; echo \"b"`) // of PowerShell, which runs calc
		c.Own, c.GOOS, c.Bash = []string{test.tool}, test.goos, test.bash
		got := c.Commands()
		if got.Searched != test.searched || test.searched && got.Vouch(func(passage.Line) bool { return true }) == nil || test.searched != slices.ContainsFunc(got.Passages, func(p passage.Passage) bool { return p.Text == "calc" }) {
			t.Errorf("%+v: %+v", test, got)
		}
	}
	for _, unit := range []string{"npm ", "npm=", "= ", "-x "} {
		began := time.Now()
		c := call(strings.Repeat(unit, 100<<10/len(unit)))
		c.GOOS = "windows"
		c.Commands()
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%q: %v", unit, took)
		}
	}
}

func TestPieces(t *testing.T) {
	for _, test := range [][2]string{
		{"a", "a"},
		{"--file=a,b", "--file=a,b|--file|a,b|a|--file=a|b"},
		{"-f.env", "-f.env|.env"},
		{"/a:/b", "/a:/b|/a|/b"},
	} {
		if got := pieces(test[0]); !slices.Equal(got, strings.Split(test[1], "|")) {
			t.Errorf("%s: %q", test[0], got)
		}
	}
}

// TestNamedPaths checks which strings are paths: each of these calls names .env, or
// does not.
func TestNamedPaths(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		tool, input string
		want        bool
	}{
		{"Grep", `{"pattern":"KEY","glob":".env"}`, true},
		{"Grep", `{"pattern":"KEY","glob":"**/.env*"}`, true},
		{"Grep", `{"pattern":"KEY","glob":"{a,.en?}"}`, true},
		{"Grep", `{"pattern":".env","glob":"*.go","output_mode":"content"}`, false},
		{"Grep", `{"query":".env"}`, false},
		{"Glob", `{"pattern":"**/.env"}`, true},
		{"Glob", `{"pattern":"**/*"}`, false},
		{"Glob", `{"pattern":"*"}`, false},
		{"read_many_files", `{"include":["docs/a",".env"]}`, true},
		{"read_many_files", `{"include":["docs/a"],"exclude":["*.md"]}`, false},
		{"Write", `{"file_path":"a","content":".env"}`, false},
		{"Edit", `{"file_path":"a","old_string":".env","new_string":".env"}`, false},
		{"NotebookEdit", `{"notebook_path":"a","new_source":".env"}`, false},
		{"mcp__fs__move_file", `{"source":".env","destination":"b"}`, true},
		{"mcp__fs__move_file", `{"arguments":{"source":"/a b/.env"}}`, true},
		{"mcp__git__create_issue", `{"title":".env","body":".env"}`, false},
		{"mcp__git__create_issue", `{"subject":"do not commit x/.env"}`, false},
		{"mcp__fs__search", `{"query":".env"}`, false},
		{"ReadMcpResourceTool", `{"server":"fs","uri":"file:///p/%2eenv"}`, true},
		{"WebFetch", `{"url":"file:///p/.env","prompt":"x"}`, true},
		{"WebFetch", `{"url":"https://docs/.env","prompt":".env"}`, false},
		{"Task", `{"subject":".env"}`, false},
		{"apply_diff", `{"diff":"--- a/.env\n+++ b/.env\n@@ -1 +1 @@"}`, true},
		{"Bash", `for f in .env*; do cat "$f"; done`, true},
		{"Bash", `for f in "$x" .env; do cat "$f"; done`, true},
		{"Bash", `for f in *.go; do cat "$f"; done`, false},
		{"Bash", `xargs cat <<< .env`, true},
		{"Bash", `xargs cat <<< "a .env"`, true},
		{"Bash", "patch -p1 <<E\n--- a/.env\n+++ b/.env\nE", true},
		{"Bash", "git apply <<E\nrename from a\nrename to .env\nE", true},
		{"Bash", "cat <<E\n.env\nE", false},
		{"Bash", `python3 -c 'open(".env")'`, true},
		{"Bash", `python3 -c "print(open('.env').read())"`, true},
		{"Bash", "sudo python3 - <<'E'\nit's = 'x y'; open(\".env\")\nE", true},
		{"Bash", "node -e 'fs.readFileSync(`.env`)'", true},
		{"Bash", `perl -e 'open F, "<.env"'`, true},
		{"Bash", "cat > x.py <<E\nopen('.env')\nE\npython x.py", true},
		{"Bash", `python3 -c 'print("do not open .env")'`, false},
		{"Bash", `python3 -c 'import os; os.environ'`, false},
		{"Bash", `awk 'BEGIN { while (getline < ".env") print }'`, true},
		{"Bash", "cat <<E\nopen('.env')\nE", false},
		{"Bash", "curl file:///p/%2eenv", true},
	} {
		c := call("")
		c.Own, c.Tools, c.Inputs, c.Dir, c.Project = []string{test.tool}, spec.ToolNames(test.tool), [][]byte{[]byte(test.input)}, dir, dir
		if test.tool == "Bash" {
			c.Inputs = call(test.input).Inputs
		}
		paths, unknown := c.Paths(0)
		found := slices.ContainsFunc(paths, func(p passage.Passage) bool { return p.Text == ".env" || strings.HasSuffix(p.Text, "/.env") })
		if found != test.want || unknown != "" {
			t.Errorf("%s %s: %v (%s)", test.tool, test.input, paths, unknown)
		}
	}
}

// A glob with a faulty set, such as the brackets of a synopsis, may match every
// name that begins with the text before the set.
func TestFaultyGlobs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".env", "secret", "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{"run [--no-fetch]": ".env other secret", "cat s[--x]": "secret"} {
		c := call(text)
		c.Dir, c.Project = dir, dir
		lines, unknown := c.Paths(0)
		var found []string
		for _, l := range lines {
			if _, err := os.Lstat(filepath.Join(dir, l.Text)); err == nil && !filepath.IsAbs(l.Text) {
				found = append(found, l.Text)
			}
		}
		slices.Sort(found)
		if got := strings.Join(slices.Compact(found), " "); got != want || unknown != "" {
			t.Errorf("%s: %q (%s), want %q", text, got, unknown, want)
		}
	}
}

// Paths takes time that grows with the input, and no more.
func TestPathsAreBounded(t *testing.T) {
	for name, text := range map[string]string{
		"deep":       "cat " + strings.Repeat("a/", 50<<10),
		"dots":       "cat " + strings.Repeat("../", 30<<10),
		"many":       "cat " + strings.Repeat("x ", 20<<10),
		"separators": "cat " + strings.Repeat("=:", 40<<10),
		"cd":         strings.Repeat("cd a; ", 3000) + "cat x",
		"globs":      "ls /*/*/*/*",
	} {
		began := time.Now()
		c := call(text)
		_, unknown := c.Paths(0)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s: %v (%s)", name, took, unknown)
		}
	}
}

func BenchmarkCommands(b *testing.B) {
	for b.Loop() {
		call("cd web && git push origin main").Commands()
	}
}

// A guard of paths finds a file under every name that Windows or one of its shells has for it.
func TestPathsOfWindows(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("its paths are those of Windows")
	}
	dir, err := paths.Real(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".env", "a long name.secret"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	drive, below := dir[:1], filepath.ToSlash(dir[2:])
	for _, test := range []struct{ tool, text, want string }{
		{"Bash", "cat /" + strings.ToLower(drive) + below + "/.env", ".env"},
		{"Bash", "cat /mnt/" + drive + below + "/.env", ".env"},
		{"Bash", "cd /" + drive + below + "/sub && cat ../.env", ".env"},
		{"Bash", "cat '" + dir + `\sub\..\.ENV'`, ".ENV"},
		{"Bash", `cat '.env::$DATA'`, ".env"},
		{"Bash", "cat .env.", ".env"},
		{"Bash", "cat '" + `\\?\` + dir + `\.env'`, ".env"},
		{"Bash", `cat '\\localhost\` + drive + `$` + strings.ReplaceAll(below, "/", `\`) + `\.env'`, ".env"},
		{"Bash", "cat .E*", ".env"},
		{"", `type .env::$DATA`, ".env"},
		{"", "type .e^n\"\"v", ".env"},
		{"", "Get-Content .e`nv", ".env"},
		{"", "cd sub; gc ../.en?", ".env"},
		{"", "Set-Location -Path sub; gc ..\\.env", ".env"},
		{"", `type C:\Users\x ` + drive + ":.env", ".env"},
	} {
		c := call(test.text)
		c.Own, c.GOOS, c.Dir, c.Project = []string{test.tool}, "windows", dir, dir
		if test.tool == "" {
			c.Own = nil
		}
		lines, _ := c.Paths(0)
		if !slices.ContainsFunc(lines, func(l passage.Passage) bool { return l.Text == test.want }) {
			t.Errorf("%s: %v lacks %q", test.text, lines, test.want)
		}
	}
	began := time.Now()
	c := call(`cat '\\192.0.2.1\share\x' //192.0.2.1/share/*`)
	c.GOOS, c.Dir, c.Project = "windows", dir, dir
	lines, _ := c.Paths(0)
	if !slices.ContainsFunc(lines, func(l passage.Passage) bool { return l.Text == "//192.0.2.1/share/x" }) || time.Since(began) > 10*time.Second {
		t.Errorf("another computer's: %v in %v", lines, time.Since(began))
	}
}
