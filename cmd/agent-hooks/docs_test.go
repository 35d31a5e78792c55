package main

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestDocuments runs the commands of the documents' console blocks, in order and in one shell for
// each document, which begins in the document's folder (for docs, in its parent), and compares the output. A line "…" matches any lines, and "…" within a line any
// text. A date, a time of day, "12 ms" and "in 1.5 s" match any other, and "12 ms" also "1.5 s".
//
// A block "```console node" needs node and is skipped where node is not installed. A block
// "```console second-terminal" begins with commands, the last of which keeps running, or has the
// further output of that command; "```console second-terminal node" also needs node. The line "^C"
// ends the command. "# " begins a command in a block "```console root", which only TestAdminPage
// runs. Any other block below a line that is a path in backquotes is the contents of
// that file.
func TestDocuments(t *testing.T) {
	t.Parallel()
	root, bin := documentsOf(t)
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, filepath.Join(root, "README.md"), filepath.Join(root, "examples", "README.md"))
	for _, document := range documents {
		name, _ := filepath.Rel(root, document)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runDocument(t, root, name, startShell(t, bin))
		})
	}
}

// documentsOf returns the root of the repository, and a folder with a program for the documents'
// commands.
func documentsOf(t *testing.T) (root, bin string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the documents' commands are for a POSIX shell")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	program, err := osexec.LookPath("agent-hooks") // this test binary
	if err != nil {
		t.Fatal(err)
	}
	return root, filepath.Dir(program)
}

// block is a fenced block of a document.
type block struct {
	line  int      // of its fence
	info  []string // the words after the opening fence
	above string   // the last non-empty line before it
	lines []string
}

func readBlocks(text string) []block {
	var blocks []block
	inside, above := false, ""
	for i, line := range strings.Split(text, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && inside:
			inside, above = false, ""
		case fence:
			inside = true
			blocks = append(blocks, block{line: i + 1, info: append(strings.Fields(info), "", "", ""), above: above})
		case inside:
			b := &blocks[len(blocks)-1]
			b.lines = append(b.lines, line)
		case line != "":
			above = line
		}
	}
	return blocks
}

// step is one command of a document and its output.
type step struct {
	line    int
	command string // "" means more output of the command in the second terminal
	want    []string
	second  bool   // in the second terminal
	needs   string // a program; "" for none
}

// steps returns the commands of a block.
func (b block) steps() []step {
	path := strings.Trim(b.above, "`")
	switch {
	case b.info[0] == "console" && b.info[1] == "second-terminal":
		s := step{line: b.line, want: b.lines, second: true, needs: b.info[2]}
		var commands []string
		for len(s.want) > 0 && strings.HasPrefix(s.want[0], "$ ") {
			commands, s.want = append(commands, s.want[0][2:]), s.want[1:]
		}
		s.command = strings.Join(commands, "\n")
		return []step{s}
	case b.info[0] == "console":
		return consoleSteps(b)
	case b.above == "`"+path+"`":
		const end = "end of the file"
		text := strings.Join(append(b.lines, end), "\n")
		return []step{{line: b.line, command: fmt.Sprintf("mkdir -p \"$(dirname %s)\" && cat > %s <<'%s'\n%s", path, path, end, text)}}
	}
	return nil
}

// ownEtc is a variable of a test that runs in an /etc of its own, in which it is root.
const ownEtc = "OWN_ETC"

// consoleSteps returns the steps of a console block: "$ " begins a command, "> " continues it.
func consoleSteps(b block) []step {
	var steps []step
	prompt := "$ "
	if b.info[1] == "root" {
		if os.Getenv(ownEtc) == "" {
			return nil
		}
		prompt, b.info[1] = "# ", ""
	}
	for i, line := range b.lines {
		last := len(steps) - 1
		switch {
		case strings.HasPrefix(line, prompt):
			steps = append(steps, step{line: b.line + 1 + i, command: line[2:], needs: b.info[1]})
		case last >= 0 && (line == ">" || strings.HasPrefix(line, "> ")) && len(steps[last].want) == 0:
			steps[last].command += "\n" + strings.TrimPrefix(line[1:], " ")
		case last >= 0:
			steps[last].want = append(steps[last].want, line)
		}
	}
	return steps
}

func runDocument(t *testing.T, root, document string, shell *shell) {
	text, err := os.ReadFile(filepath.Join(root, document))
	if err != nil {
		t.Fatal(err)
	}
	shell.t = t
	start := filepath.Dir(document)
	if start == "docs" {
		start = "." // its commands are for the repository's root
	}
	shell.run(fmt.Sprintf("cd %q", filepath.Join(root, start)))
	skipped := map[string]int{}
	for _, b := range readBlocks(string(text)) {
		for _, s := range b.steps() {
			if strings.HasPrefix(s.command, "go test ") { // it would run this test
				continue
			}
			if _, err := osexec.LookPath(s.needs); s.needs != "" && err != nil {
				skipped[s.needs]++
				continue
			}
			if got := shell.do(s); !matchesOutput(s.want, got) {
				t.Errorf("%s:%d: $ %s\nprinted\n%s\nwant\n%s", document, s.line, s.command, got, strings.Join(s.want, "\n"))
			}
		}
	}
	shell.end()
	for program, n := range skipped {
		t.Run("without "+program, func(t *testing.T) { t.Skipf("%d commands did not run: %s is not installed", n, program) })
	}
}

// goEnv returns the settings of go that depend on HOME.
var goEnv = sync.OnceValues(func() (environ []string, err error) {
	names := []string{"GOPATH", "GOMODCACHE", "GOCACHE", "GOFLAGS"}
	out, err := osexec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil, err
	}
	for i, value := range strings.SplitN(string(out), "\n", len(names)+1)[:len(names)] {
		environ = append(environ, names[i]+"="+value)
	}
	return environ, nil
})

func matchesOutput(want []string, got string) bool {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for _, line := range want {
		if line == "…" {
			pattern.WriteString(`(?s:.*?)`)
			continue
		}
		text := regexp.QuoteMeta(strings.TrimRight(line, " "))
		for volatile, class := range map[string]string{
			"…":                   `.*?`,
			`\d\d:\d\d:\d\d`:      `\d\d:\d\d:\d\d`,
			`\d{4}-\d\d-\d\d`:     `\d{4}-\d\d-\d\d`,
			` +\d+ ms`:            `(?: +\d+ ms| \d+\.\d s)`,
			`\bin \d+\\\.\d+ s\b`: `in \d+\.\d+ s`,
			` +-$`:                ` +-`, // no time, below one
		} {
			text = regexp.MustCompile(volatile).ReplaceAllLiteralString(text, class)
		}
		pattern.WriteString(text + ` *\n`)
	}
	pattern.WriteString(`\n*\z`)
	return regexp.MustCompile(pattern.String()).MatchString(got)
}

func TestMatchesOutput(t *testing.T) {
	for _, test := range []struct {
		want string
		got  string
		ok   bool
	}{
		{"a", "a\n", true},
		{"a", "b\n", false},
		{"a", "a\nb\n", false},
		{"a\n…", "a\nb\nc\n", true},
		{"a … c", "a b c\n", true},
		{"a … c", "a b\n", false},
		{"2026-01-02 03:04:05 ran in 12 ms", "2027-11-12 13:14:15 ran in 5 ms\n", true},
		{"03:04:05 ran in 12 ms", "03:04 ran in 12 ms\n", false},
		{"a 12 ms  b", "a     130 ms  b\n", true},
		{"a   -", "a     -\n", true},
		{"12 passed, in 1.2 s", "12 passed, in 0.1 s\n", true},
		{"1 event in 12 ms: 1 changed", "1 event in 1.2 s: 1 changed\n", true},
		{"12 passed, in 1.2 s", "13 passed, in 1.2 s\n", false},
	} {
		if ok := matchesOutput(strings.Split(test.want, "\n"), test.got); ok != test.ok {
			t.Errorf("matchesOutput(%q, %q) = %v", test.want, test.got, ok)
		}
	}
}

func TestReadBlocks(t *testing.T) {
	const text = "x\n\n```console\n$ a\n> b\nc\n\n$ d\n```\n\n```console node\n$ e\n```\n\n`f/g`\n\n```sh\nh\n```\n\n```sh\ni\n```\n\n" +
		"```console second-terminal\n$ i\n$ j\nk\n```\n\n```console second-terminal node\nl\n```\n"
	const end = "end of the file"
	want := []step{
		{line: 4, command: "a\nb", want: []string{"c", ""}},
		{line: 8, command: "d"},
		{line: 12, command: "e", needs: "node"},
		{line: 17, command: `mkdir -p "$(dirname f/g)" && cat > f/g <<'` + end + "'\nh\n" + end},
		{line: 25, command: "i\nj", want: []string{"k"}, second: true},
		{line: 31, want: []string{"l"}, second: true, needs: "node"},
	}
	var got []step
	for _, b := range readBlocks(text) {
		got = append(got, b.steps()...)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(step{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
