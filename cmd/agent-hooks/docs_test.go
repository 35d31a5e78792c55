package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestDocuments runs the commands of the documents' console blocks, in order
// and in one shell for each document, and compares what they print. A line
// that is "…" stands for any lines; "…" within a line for anything.
func TestDocuments(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the documents' commands are for a POSIX shell")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	build := osexec.Command("go", "build", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, filepath.Join(root, "README.md"), filepath.Join(root, "examples", "README.md"))
	for _, document := range documents {
		name, _ := filepath.Rel(root, document)
		t.Run(name, func(t *testing.T) { runDocument(t, document, bin) })
	}
}

// step is one command of a document and what it prints.
type step struct {
	line    int
	command string
	want    []string
}

// readSteps returns the commands of a document's console blocks: "$ " begins
// one, "> " continues it.
func readSteps(text string) []step {
	var steps []step
	inside := false
	for i, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case !inside:
		case strings.HasPrefix(line, "$ "):
			steps = append(steps, step{line: i + 1, command: line[2:]})
		case len(steps) > 0 && (line == ">" || strings.HasPrefix(line, "> ")) && len(steps[len(steps)-1].want) == 0:
			steps[len(steps)-1].command += "\n" + strings.TrimPrefix(line[1:], " ")
		case len(steps) > 0:
			steps[len(steps)-1].want = append(steps[len(steps)-1].want, line)
		}
	}
	return steps
}

func runDocument(t *testing.T, document, bin string) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var steps []step
	for _, s := range readSteps(string(text)) {
		if !strings.HasPrefix(s.command, "go test ") { // that is us
			steps = append(steps, s)
		}
	}
	if len(steps) == 0 {
		return
	}
	outputs := runSteps(t, steps, filepath.Dir(document), bin)
	for i, s := range steps {
		if got := outputs[i]; !matchesOutput(s.want, got) {
			t.Errorf("%s:%d: $ %s\nprinted\n%s\nwant\n%s", document, s.line, s.command, got, strings.Join(s.want, "\n"))
		}
	}
}

// runSteps runs the commands in one bash and returns what each printed.
func runSteps(t *testing.T, steps []step, dir, bin string) []string {
	const mark = "\x01step\x01"
	var script strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&script, "printf '%s'\n%s\n", mark, s.command)
	}
	home := t.TempDir()
	cmd := osexec.Command("bash")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(script.String())
	cmd.Env = append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME="+filepath.Join(home, "state"), "TMPDIR="+home, "GOBIN="+filepath.Join(home, "bin"),
		"GOPATH="+goEnv(t, "GOPATH"), "GOMODCACHE="+goEnv(t, "GOMODCACHE"), "GOCACHE="+goEnv(t, "GOCACHE"), "GOFLAGS="+goEnv(t, "GOFLAGS"),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var exit *osexec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	outputs := strings.Split(out.String(), mark)[1:]
	if len(outputs) != len(steps) {
		t.Fatalf("%d of %d commands ran:\n%s", len(outputs), len(steps), out.String())
	}
	return outputs
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := osexec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func matchesOutput(want []string, got string) bool {
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for _, line := range want {
		if line == "…" {
			pattern.WriteString(`(?s:.*?)`)
			continue
		}
		pattern.WriteString(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, " ")), "…", `.*?`) + ` *\n`)
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
	} {
		if ok := matchesOutput(strings.Split(test.want, "\n"), test.got); ok != test.ok {
			t.Errorf("matchesOutput(%q, %q) = %v", test.want, test.got, ok)
		}
	}
}
