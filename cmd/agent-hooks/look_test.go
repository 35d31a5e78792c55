//go:build linux || darwin || freebsd

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var updateLook = flag.Bool("update", false, "write testdata/look/*.txt again from what the commands print")

// look is a command whose output is compared, in the directory code of testdata/look/hooks.txtar.
type look struct {
	name   string
	args   []string
	stdin  string // a file; "" for the terminal
	status int
	alone  bool // it changes files
	before func(*testing.T, lookPlace)
	during func(*testing.T, *screen)
}

func looks() []look {
	return []look{
		{name: "list", args: []string{"list"}},
		{name: "why", args: []string{"why", "pre-tool-call"}, stdin: "event.json"},
		{name: "test", args: []string{"test"}, status: 1},
		{name: "test-expression", args: []string{"test", "--project", "../publish", "no-publish", "no-yank"}, status: 1},
		{name: "watch", args: []string{"watch", "pre-tool-call"}, stdin: "event.json", during: editHook, status: -1},
		{name: "log-summary", args: []string{"log", "--summary"}},
		{name: "log-summary-timeout", args: []string{"log", "--summary", "--hook", "格式化"}, before: timeOut},
		{name: "log", args: []string{"log"}},
		{name: "validate", args: []string{"validate", "../broken/.agents/hooks"}, status: 1},
		{name: "trust", args: []string{"trust", "--dry-run"}},
		{name: "trust-list", args: []string{"trust", "--list"}, before: trustAll},
		{name: "install", args: []string{"install", "codex", "copilot", "--scope", "project"}, alone: true},
		{name: "install-mistake", args: []string{"install", "claud"}, status: 64},
		{name: "doctor", args: []string{"doctor"}, before: installByHand, status: 1},
		{name: "events", args: []string{"events"}},
		{name: "help", args: []string{"help"}},
		{name: "help-log", args: []string{"help", "log"}},
		{name: "new", args: []string{"new", "公開を止める", "--trigger", "pre-tool-call", "--lang", "sh", "--pattern", "npm publish", "--user"}, stdin: "event.json", alone: true},
		{name: "new-list", args: []string{"new", "--list"}},
		{name: "warning", args: []string{"list", "--project", "../broken"}},
		{name: "mistake", args: []string{"why", "機密防護", "pre-tool-call"}, stdin: "event.json", status: 64},
	}
}

// TestLook compares the output of commands on a real terminal of 60 columns with
// testdata/look/NAME-60.txt, which -update writes. No line is wider than the terminal. The text
// does not depend on colors and on whether COLUMNS states the width, nor, which only LONG_TESTS
// checks, on escape sequences.
func TestLook(t *testing.T) {
	t.Parallel()
	shared := newLookPlace(t)
	for _, l := range looks() {
		place := func() lookPlace {
			if l.alone || l.before != nil || l.during != nil {
				return newLookPlace(t)
			}
			return shared
		}
		const columns = 60
		t.Run(fmt.Sprintf("%s-%d", l.name, columns), func(t *testing.T) {
			text := place().showPlain(t, l, columns)
			place().showColored(t, l, columns, text)
			if longTests {
				place().showDumb(t, l, columns, text)
			}
		})
	}
}

func (p lookPlace) showPlain(t *testing.T, l look, columns int) string {
	s := p.show(t, l, columns, "NO_COLOR=1")
	text := s.settled()
	compareLook(t, text)
	if regexp.MustCompile(colors).MatchString(s.seen.String()) {
		t.Error("NO_COLOR is colored")
	}
	for line := range strings.Lines(text) {
		if width := term.Width(strings.TrimSuffix(line, "\n")); width > columns {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	return text
}

func (p lookPlace) showDumb(t *testing.T, l look, columns int, text string) {
	s := p.show(t, l, columns, "TERM=dumb")
	if strings.Contains(s.seen.String(), "\x1b") || regexp.MustCompile(`\r[^\n]`).MatchString(s.seen.String()) {
		t.Errorf("a terminal without escape sequences gets %q", s.seen.String())
	}
	if got := s.settled(); got != text {
		t.Errorf("the output with TERM=dumb differs from that with NO_COLOR:\n%s", cmp.Diff(text, got))
	}
}

func (p lookPlace) showColored(t *testing.T, l look, columns int, text string) {
	s := p.show(t, l, 200, fmt.Sprintf("COLUMNS=%d", columns))
	if !regexp.MustCompile(colors).MatchString(s.seen.String()) {
		t.Error("nothing is colored")
	}
	if got := s.settled(); got != text {
		t.Errorf("with colors the text differs:\n%s", cmp.Diff(text, got))
	}
}

func trustAll(t *testing.T, p lookPlace) { p.run(t, "", "trust", "--yes") }

// installByHand writes settings of an agent with a user's own entry, and unreadable settings.
func installByHand(t *testing.T, p lookPlace) {
	for path, text := range map[string]string{
		".jdata/agent/hooks.yaml": "pre_tool_execution:\n  - command: \"agent-hooks run --agent j-cli\"\n",
		".cursor/hooks.json":      "{\"version\": 1,\n",
	} {
		path = filepath.Join(p.root, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// timeOut makes a hook's only failure a timeout.
func timeOut(t *testing.T, p lookPlace) {
	const run = `{"time":"2026-11-20T10:16:00Z","hook":"格式化","scope":"project","project":"ROOT/code","event":"post-tool-call","outcome":"timeout","decision":"allow","duration_ms":100,"cause":"timeout after 100 ms"}` + "\n"
	file := filepath.Join(p.root, "state", "agent-hooks", "runs.jsonl")
	if err := os.WriteFile(file, []byte(strings.Replace(run, "ROOT", p.root, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// editHook introduces a mistake in a hook, and ends the command once it has reported that.
func editHook(t *testing.T, s *screen) {
	s.waitFor(t, "[tool-unknown]")
	s.waitFor(t, "^")
	file := filepath.Join(s.root, ".config", "agents", "hooks", "機密保護", "HOOK.md")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.save(t, file, strings.Replace(string(good), "trigger", "triger", 1))
	s.waitFor(t, "last good version")
	s.waitFor(t, "誤記")
	s.waitFor(t, "^")
	if _, err := s.terminal.Write([]byte("\x03")); err != nil {
		t.Fatal(err)
	}
}

// lookPlace is a directory with the hooks of testdata/look.
type lookPlace struct{ root string }

// lookRoot replaces the path of the directory in the compared text. It has the same length, so that
// lines wrap in the same places.
const lookRoot = "/home/mei/look-at-agent-hooks"

func newLookPlace(t *testing.T) lookPlace {
	t.Helper()
	parent, err := os.MkdirTemp("", "") // a shorter path than that of t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(parent) })
	pad := len(lookRoot) - len(parent) - len("/")
	if pad < 1 {
		skipOrFail(t, fmt.Sprintf("the path %s is too long to be wrapped where %s is", parent, lookRoot))
	}
	root := filepath.Join(parent, strings.Repeat("x", pad))
	archive, err := txtar.ParseFile(filepath.Join("testdata", "look", "hooks.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		mode := os.FileMode(0o644)
		if strings.HasSuffix(f.Name, "/scripts/run") {
			mode = 0o755
		}
		path := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.ReplaceAll(f.Data, []byte("ROOT"), []byte(root)), mode); err != nil {
			t.Fatal(err)
		}
	}
	return lookPlace{root}
}

func (p lookPlace) command(ctx context.Context, t *testing.T, stdin string, args []string) *osexec.Cmd {
	t.Helper()
	cmd := osexec.CommandContext(ctx, "agent-hooks", args...)
	cmd.Dir = filepath.Join(p.root, "code")
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.root, "XDG_STATE_HOME=" + filepath.Join(p.root, "state"),
		"TERM=xterm-256color", "TZ=UTC", "PWD=" + cmd.Dir,
		"GORACE=" + os.Getenv("GORACE"),
	}
	if stdin != "" {
		event, err := os.ReadFile(filepath.Join(p.root, stdin))
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = bytes.NewReader(event)
	}
	return cmd
}

// run runs a command in preparation. Its status does not matter.
func (p lookPlace) run(t *testing.T, stdin string, args ...string) {
	t.Helper()
	out, err := p.command(t.Context(), t, stdin, args).CombinedOutput()
	var exit *osexec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// show runs a command on a terminal with the given width until it ends.
func (p lookPlace) show(t *testing.T, l look, columns int, environ ...string) *screen {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if l.before != nil {
		l.before(t, p)
	}
	cmd := p.command(ctx, t, l.stdin, l.args)
	cmd.Env = append(cmd.Env, environ...)
	s := startOnScreen(t, cmd, p.root, columns)
	defer s.terminal.Close()
	if l.during != nil {
		l.during(t, s)
	}
	s.readAll(t)
	status := 0
	var exit *osexec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if status != l.status {
		t.Errorf("exit status %d, want %d", status, l.status)
	}
	return s
}

func compareLook(t *testing.T, got string) {
	t.Helper()
	file := filepath.Join("testdata", "look", filepath.Base(t.Name())+".txt")
	if *updateLook {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; go test -run TestLook -update rewrites it:\n%s", file, diff)
	}
}
