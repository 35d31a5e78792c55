package toolcall

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/realpath"
	"github.com/agent-hooks/agent-hooks/matcher"
)

func call(command string) *Call {
	return &Call{Own: []string{"Bash"}, Tools: []string{"Bash", "Shell"}, Inputs: [][]byte{[]byte(`{"command": ` + quote(command) + `}`)}, GOOS: "linux", Home: "/home/me", Dir: "/p", Project: "/p"}
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\x03", `\u0003`).Replace(s) + `"`
}

func TestCommands(t *testing.T) {
	for _, test := range []struct {
		text, lines string // separated by |; an unknown part is $
		unknown     bool
	}{
		{"git  push", "git push", false},
		{"cd web && /usr/bin/NPM.cmd  publish", "cd web|/usr/bin/NPM.cmd publish=npm publish", false},
		{`rm "$x" y`, "rm$ y", false},
		{"rm *.o", "rm$", false},
		{`npm '' publish`, "npm publish", false},
		{`cat ~/x $HOME/y`, "cat ~/x /home/me/y", false},
		{`"$x/npm" publish`, "$/npm publish=npm publish", false},
		{`"$(npm bin)/NPM.cmd" "$a" b`, "$/NPM$ b=npm $a b|npm bin", false},
		{"x=1", "", false},
		{"$x y", "$x y", true},
		{"curl x | sh", "", true},
		{"\x03git push\n", "", true},
		{"npmm\x7f publish", "", true},
	} {
		c := call(test.text).Commands()
		var lines []string
		for _, l := range c.Passages {
			text := l.Text
			if l.Parts != nil {
				text = strings.Join(l.Parts, "$")
			}
			if l.Other != "" {
				text += "=" + l.Other
			}
			lines = append(lines, text)
		}
		if got := strings.Join(lines, "|"); got != test.lines && !test.unknown || (c.Unknown != "") != test.unknown {
			t.Errorf("%s: %s (%s)", test.text, got, c.Unknown)
		}
	}
	c := call("npm.cmd 'publish'; (ls)")
	c.Own = []string{"PowerShell"}
	if got := c.Commands(); !got.Searched || len(got.Passages) != 2 || got.Passages[0].Other != "npm publish" {
		t.Errorf("%+v", got)
	}
	c = call("$x = npm publish; cmd /c npm publish; echo npm publish")
	c.Own = []string{"PowerShell"}
	if got := c.Commands().Passages; len(got) != 4 || got[0].Other != "npm publish" || got[2].Text != "npm publish" {
		t.Errorf("%+v", got)
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
		lines, unknown := c.Paths(c.Commands())
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
		_, unknown := c.Paths(c.Commands())
		if took := time.Since(began); took > 5*time.Second {
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
	dir, err := realpath.Of(t.TempDir())
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
	for _, test := range []struct{ tool, agent, text, want string }{
		{"Bash", "", "cat /" + strings.ToLower(drive) + below + "/.env", ".env"},
		{"Bash", "", "cat /mnt/" + drive + below + "/.env", ".env"},
		{"Bash", "", "cd /" + drive + below + "/sub && cat ../.env", ".env"},
		{"Bash", "", "cat '" + dir + `\sub\..\.ENV'`, ".ENV"},
		{"Bash", "", `cat '.env::$DATA'`, ".env"},
		{"Bash", "", "cat .env.", ".env"},
		{"Bash", "", "cat '" + `\\?\` + dir + `\.env'`, ".env"},
		{"Bash", "", `cat '\\localhost\` + drive + `$` + strings.ReplaceAll(below, "/", `\`) + `\.env'`, ".env"},
		{"Bash", "", "cat .E*", ".env"},
		{"", "cursor", `type .env::$DATA`, ".env"},
		{"", "cursor", "type .e^n\"\"v", ".env"},
		{"", "cursor", "Get-Content .e`nv", ".env"},
		{"", "cursor", "cd sub; gc ../.en?", ".env"},
		{"", "cursor", "Set-Location -Path sub; gc ..\\.env", ".env"},
		{"", "cursor", `type C:\Users\x ` + drive + ":.env", ".env"},
	} {
		c := call(test.text)
		c.Own, c.Agent, c.GOOS, c.Dir, c.Project = []string{test.tool}, test.agent, "windows", dir, dir
		if test.tool == "" {
			c.Own = nil
		}
		lines, _ := c.Paths(c.Commands())
		if !slices.ContainsFunc(lines, func(l matcher.Passage) bool { return l.Text == test.want }) {
			t.Errorf("%s: %q lacks %q", test.text, lines, test.want)
		}
	}
	began := time.Now()
	c := call(`cat '\\192.0.2.1\share\x' //192.0.2.1/share/*`)
	c.GOOS, c.Dir, c.Project = "windows", dir, dir
	lines, _ := c.Paths(c.Commands())
	if !slices.ContainsFunc(lines, func(l matcher.Passage) bool { return l.Text == "//192.0.2.1/share/x" }) || time.Since(began) > time.Second {
		t.Errorf("another computer's: %q in %v", lines, time.Since(began))
	}
}
