package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// shell is the bash that runs a document's commands, and the program in the
// second terminal.
type shell struct {
	t    *testing.T
	in   io.Writer
	out  *os.File // output of the commands
	over []byte   // read from out after the end of a command's output

	second string // the output of the second program
	pid    string // of the second program; "" if none runs
	shown  int    // bytes of its output that the document has shown
	late   bool   // it did not print what the document shows
}

// startShell starts a bash with a new home that contains only the settings of
// an agent that calls agent-hooks.
func startShell(t *testing.T, bin string) *shell {
	t.Helper()
	home := t.TempDir()
	t.Cleanup(func() { // reviewed copies are read-only
		_ = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = os.Chmod(path, 0o700)
			}
			return err
		})
	})
	const settings = `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "agent-hooks run --agent claude-code"}]}]}}`
	if err := os.Mkdir(filepath.Join(home, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".claude", "settings.json"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := osexec.Command("bash")
	cmd.Env = append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "TMPDIR="+home, "GOBIN="+filepath.Join(home, "bin"),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	goSettings, err := goEnv()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Env, goSettings...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	s := &shell{t: t, in: in, out: r, second: filepath.Join(home, "second-terminal")}
	t.Cleanup(func() {
		s.stopSecond()
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
		r.Close()
	})
	return s
}

// do runs a step and returns what it printed.
func (s *shell) do(step step) string {
	s.t.Helper()
	if !step.second {
		return s.run(step.command)
	}
	if strings.Join(step.want, "") == "^C" {
		s.end()
		return "^C\n"
	}
	if step.command != "" {
		s.stopSecond()
		os.Remove(s.second)
		s.shown = 0
		// A new terminal has none of the first one's variables and working
		// directory.
		last := strings.LastIndex(step.command, "\n") + 1
		s.pid = s.run(fmt.Sprintf("(cd; unset XDG_CONFIG_HOME XDG_STATE_HOME\n%sexec %s) </dev/null >%q 2>&1 & printf %%s $!",
			step.command[:last], step.command[last:], s.second))
	}
	return s.await(step.want)
}

// run runs one command in the shell and returns what it printed.
func (s *shell) run(command string) string {
	s.t.Helper()
	const end = "\x01the command has ended\x01"
	// The test's program is in a temporary folder, which install rejects.
	command = strings.Replace(command, "agent-hooks install claude-code", `agent-hooks install --program "$(command -v agent-hooks)" claude-code`, 1)
	// There is no terminal to ask on, either.
	command = strings.Replace(command, "agent-hooks setup", `agent-hooks setup --yes --program "$(command -v agent-hooks)"`, 1)
	fmt.Fprintf(s.in, "%s\nprintf '%s'\n", command, end)
	s.out.SetReadDeadline(time.Now().Add(2 * time.Minute))
	buffer := make([]byte, 64<<10)
	for {
		if printed, over, ok := strings.Cut(string(s.over), end); ok {
			s.over = []byte(over)
			return printed
		}
		n, err := s.out.Read(buffer)
		s.over = append(s.over, buffer[:n]...)
		if err != nil {
			s.t.Fatalf("$ %s\ndoes not end (%v); it printed\n%s", command, err, s.over)
		}
	}
}

// await returns the output of the second program that the document has not
// shown yet, once it matches want or nothing more comes. After one difference,
// it waits only a moment, so that a wrong document fails soon and as a whole.
func (s *shell) await(want []string) string {
	s.t.Helper()
	silence := 30 * time.Second
	if s.late {
		silence = 3 * time.Second
	}
	last := ""
	for deadline := time.Now().Add(silence); ; time.Sleep(10 * time.Millisecond) {
		text, err := s.readSecond()
		if err != nil && !errors.Is(err, os.ErrNotExist) { // the program has not started yet
			s.t.Fatal(err)
		}
		got := text[min(s.shown, len(text)):]
		if got != last {
			last, deadline = got, time.Now().Add(silence)
		}
		ok := matchesOutput(want, got)
		if !ok && time.Now().After(deadline) {
			s.t.Errorf("for %v, the second terminal printed nothing more, and not what the document shows (the difference follows)", silence)
			s.late = true
			ok = true
		}
		if ok {
			s.shown = len(text)
			return got
		}
	}
}

// readSecond returns what the second program has printed.
func (s *shell) readSecond() (string, error) {
	text, err := os.ReadFile(s.second)
	return withoutSlow(string(text)), err
}

// slowLine matches what watch prints about a hook that runs for a second, as any may on a busy
// machine.
var slowLine = regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d .* is running\n`)

func withoutSlow(text string) string { return slowLine.ReplaceAllString(text, "") }

// end checks that the document shows all output of the second program.
func (s *shell) end() {
	s.t.Helper()
	if s.pid == "" {
		return
	}
	s.stopSecond()
	if text, _ := s.readSecond(); len(text) > s.shown {
		s.t.Errorf("the second terminal printed more than is shown:\n%s", text[s.shown:])
	}
}

func (s *shell) stopSecond() {
	if s.pid != "" {
		s.run("kill " + s.pid + "; wait " + s.pid + " 2>/dev/null")
	}
	s.pid = ""
}
