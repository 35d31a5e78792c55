//go:build unix

package install

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestSharedEntries runs each agent's project entries as the agent does: without the program
// they give the agent's answer without an opinion, and with it, they run it (D84).
func TestSharedEntries(t *testing.T) {
	for _, c := range All() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := machine(t)
			target := s.Target(c)
			o := Options{Scope: "project", Program: "/opt/agent-hooks"}
			if _, err := target.Install(o, false); err != nil {
				t.Skipf("its entries are written by hand: %v", err)
			}
			entries := target.Installed("project")
			first, told := target.firstEvent(o), 0
			for _, e := range entries {
				run := func() (status int, stdout string) { return runEntry(t, s, target, e) }
				if argv := target.entryCommand(s.Project, e); argv == nil {
					continue // a plugin: TestSharedPlugin
				}
				status, stdout := run()
				want := strings.TrimSpace(string(target.absentFor(o, e)))
				if status != 0 || stdout != want {
					t.Errorf("%s without the program: got %d %q, want %q", e.Event, status, stdout, want)
				}
				if e.Event == first && strings.Contains(stdout, (System{}).howToInstall()) {
					told++
				}
				fake := filepath.Join(s.Home, "go", "bin", "agent-hooks")
				write(t, fake, "#!/bin/sh\necho \"$GOMAXPROCS$GOGC$*\"\nexit 2\n")
				if status, stdout = run(); status == 0 || status == 2 {
					t.Errorf("%s with a program that is not executable: got %d %q", e.Event, status, stdout)
				}
				if err := os.Chmod(fake, 0o755); err != nil {
					t.Fatal(err)
				}
				if status, stdout = run(); status != 2 || !strings.HasPrefix(stdout, "run --agent "+c.Agent.Name+" ") {
					t.Errorf("%s with the program: got %d %q", e.Event, status, stdout)
				}
				if err := os.Remove(fake); err != nil {
					t.Fatal(err)
				}
			}
			if told > 1 {
				t.Errorf("%d events say how to install", told)
			}
		})
	}
}

// entryCommand returns the command with which an agent runs an entry; nil for a plugin.
func (t Target) entryCommand(project string, e Entry) []string {
	switch {
	case isOurScript(map[string]any{"command": e.Line}):
		return []string{e.Line}
	case e.Line != "":
		return []string{"sh", "-c", e.Line}
	}
	return nil
}

func (t Target) absentFor(o Options, e Entry) string {
	if isOurScript(map[string]any{"command": e.Line}) || e.Event == "" {
		return ""
	}
	return t.absent(o, Event{Name: e.Event}).answer
}

// runEntry runs an entry with a large payload and a PATH without agent-hooks.
func runEntry(t *testing.T, s System, target Target, e Entry) (int, string) {
	t.Helper()
	argv := target.entryCommand(s.Project, e)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = s.Project, []string{"HOME=" + s.Home, "PATH=/usr/bin:/bin", "GOMAXPROCS=30000", "GOGC=1"}
	cmd.Stdin = bytes.NewReader(make([]byte, 1<<20))
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), strings.TrimSpace(string(out))
}

// TestSharedScript checks the characters of the script: agents expand, quote or reject others.
func TestSharedScript(t *testing.T) {
	t.Parallel()
	if strings.ContainsAny(sharedScript()+closedScript+(System{}).howToInstall(), "'\\\n") || strings.Contains(sharedScript()+System{}.howToInstall(), "://") {
		t.Error("the script has an apostrophe, a backslash, a newline or an address")
	}
	// Grok Build refuses a command line with a plain variable that its environment lacks.
	for _, name := range regexp.MustCompile(`\$[A-Za-z_]\w*`).FindAllString(sharedScript()+closedScript, -1) {
		if name != "$HOME" {
			t.Errorf("the script has the variable %s", name)
		}
	}
}

// TestClearedEntries checks that the user's entries clear the variables of Go's runtime (D99).
func TestClearedEntries(t *testing.T) {
	for _, c := range All() {
		s := machine(t)
		target := s.Target(c)
		fake := filepath.Join(s.Home, "go", "bin", "agent-hooks")
		write(t, fake, "#!/bin/sh\necho \"$GOMAXPROCS$GOGC$*\"\n")
		if err := os.Chmod(fake, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := target.Install(Options{Scope: "user", Program: fake}, false); err != nil || c.NoShell {
			continue
		}
		if entries := target.Installed("user"); len(entries) > 0 && target.entryCommand(s.Project, entries[0]) != nil {
			e := entries[0]
			if strings.HasPrefix(read(t, e.Path), "#!") {
				e.Line = Quote(e.Path)
			}
			if _, stdout := runEntry(t, s, target, e); !strings.HasPrefix(stdout, "run --agent ") {
				t.Errorf("%s: %q", c.Name, stdout)
			}
		}
	}
}

// TestManagedScript checks the statuses of managed entries: whatever keeps the program from an answer
// blocks.
func TestManagedScript(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]int{
		"cat; exit 0": 0, "exit 2": 2, "exit 1": 2, "exit 137": 2, "kill -9 $$": 2, "ulimit -t 0; while :; do :; done": 2,
		`test "$GOMAXPROCS$GODEBUG$GOGC$GOMEMLIMIT" = ""`: 0,
	} {
		words := closedWords([]string{"/bin/sh", "-c", script})
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "GOMAXPROCS=30000", "GODEBUG=x", "GOGC=1", "GOMEMLIMIT=x", "BASH_FUNC_wait%%=() { true; }"}
		cmd.Stdin = strings.NewReader("payload")
		out, err := cmd.Output()
		if status := cmd.ProcessState.ExitCode(); status != want {
			t.Errorf("%s: status %d (%v), want %d", script, status, err, want)
		}
		if strings.HasPrefix(script, "cat") && string(out) != "payload" {
			t.Errorf("the program read %q", out)
		}
	}
	missing := closedWords([]string{"/none"})
	if err := exec.Command(missing[0], missing[1:]...).Run(); err == nil || err.(*exec.ExitError).ExitCode() != 2 {
		t.Errorf("a missing program: %v", err)
	}
	// Where sh is bash, it has functions and options from the environment.
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	sh := filepath.Join(t.TempDir(), "sh")
	if err := os.Symlink(bash, sh); err != nil {
		t.Fatal(err)
	}
	missing[slices.Index(missing, closedShell)] = sh
	for _, variable := range []string{"BASH_FUNC_echo%%=() { trap - EXIT; exit 0; }", "BASH_FUNC_exec%%=() { exit 0; }", "SHELLOPTS=noexec", "SHELLOPTS=xtrace"} {
		cmd := exec.Command(missing[0], missing[1:]...)
		cmd.Env = []string{"PATH=/usr/bin:/bin", variable}
		if err := cmd.Run(); err == nil || cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("%s: %v", variable, err)
		}
	}
}

// TestManagedSignal checks that a managed entry passes a signal on.
func TestManagedSignal(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	// The pause lets the entry's shell begin to wait: a signal before that finds a program that ends well.
	words := closedWords([]string{"/bin/sh", "-c", `trap "echo ended; exit 0" TERM; sleep 0.3; echo begun; sleep 20 & wait; echo not ended`})
	cmd := exec.Command(words[0], words[1:]...)
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, len("begun\n"))
	if _, err := io.ReadFull(stdout, line); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	line = make([]byte, len("ended\n"))
	if _, err := io.ReadFull(stdout, line); err != nil || string(line) != "ended\n" {
		t.Errorf("%q, %v", line, err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 2 {
		t.Error(err)
	}
}

// TestFailClosed checks that entries block by their own text without the program, whatever the
// agent's version, except at the end of its work; and that the next install finds the mode in them.
func TestFailClosed(t *testing.T) {
	for _, c := range All() {
		for _, scope := range []string{"user", "project"} {
			t.Run(c.Name+" "+scope, func(t *testing.T) {
				t.Parallel()
				s := machine(t)
				target := s.Target(c)
				o := Options{Scope: scope, Program: "/none/agent-hooks", FailClosed: true}
				if _, err := target.Install(o, false); err != nil || len(c.Places) == 0 || !target.CanFailClosed() {
					t.Skipf("it cannot: %v", err)
				}
				if !target.FailsClosed(scope) {
					t.Error("the entries are not found to fail closed")
				}
				if changes, err := target.Install(o, true); err != nil || slices.ContainsFunc(changes, Change.Changed) {
					t.Errorf("again: %v, %v", changes, err)
				}
				for _, e := range target.Installed(scope) {
					argv := target.entryCommand(s.Project, e)
					if argv == nil || c.FailClosed != nil && !c.Agent.ReadsStatus2() {
						continue // a plugin, or only its setting blocks
					}
					want := 2
					if row := c.Agent.Event(e.Event); row != nil && !isOurScript(map[string]any{"command": e.Line}) && slices.ContainsFunc(row.Spec(), func(s spec.EventType) bool { return s == spec.PreAgentTurnStop || s == spec.PostSubagent }) {
						want = 0
					}
					if status, _ := runEntry(t, s, target, e); (status == 2) != (want == 2) {
						t.Errorf("%s ends with %d: %s", e.Event, status, e.Line)
					}
				}
				o.FailClosed = false
				if _, err := target.Install(o, false); err != nil || target.FailsClosed(scope) {
					t.Errorf("it does not end: %v", err)
				}
			})
		}
	}
}

// TestHomeIsNoProject checks that the user's settings are not taken for a project's.
func TestHomeIsNoProject(t *testing.T) {
	t.Parallel()
	for _, c := range All() {
		s := machine(t)
		s.Project = s.Home
		target := s.Target(c)
		if _, err := target.Install(userOptions(), false); err != nil || len(target.Installed("user")) == 0 {
			continue // no file
		}
		users := map[string]bool{}
		for _, e := range target.Installed("user") {
			users[e.Path] = true
		}
		for _, e := range target.Installed("project") {
			if users[e.Path] {
				t.Errorf("%s: %s is taken for a project's", c.Name, e.Path)
			}
		}
	}
	s := machine(t)
	s.Project = s.Home
	if _, err := s.Target(Find("claude-code")).Install(Options{Scope: "project"}, false); err == nil || !strings.Contains(err.Error(), "your own settings file") {
		t.Errorf("got %v", err)
	}
}

// TestEditedEntries checks that entries that somebody narrowed or wrapped are found and repaired.
func TestEditedEntries(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(string) string{
		"matcher": func(text string) string {
			return strings.Replace(text, `"hooks": [`, `"matcher": "Bash", "hooks": [`, 1)
		},
		"|| true": func(text string) string { return strings.Replace(text, `/dev/null"`, `/dev/null || true"`, 1) },
	} {
		s := machine(t)
		target := s.Target(Find("claude-code"))
		if _, err := target.Install(userOptions(), false); err != nil {
			t.Fatal(err)
		}
		path := target.Installed("user")[0].Path
		before := read(t, path)
		want := len(target.Installed("user"))
		i := strings.Index(before, `"PreToolUse"`)
		edited := before[:i] + edit(before[i:])
		if edited == before {
			t.Fatalf("%s: the test edits nothing in\n%s", name, before)
		}
		write(t, path, edited)
		if got := len(target.Installed("user")); got != want {
			t.Errorf("%s: %d entries are recognized, not %d", name, got, want)
		}
		var r Report
		target.examineFiles(&r, "user", target.Installed("user"), Examination{})
		if len(r.Findings) != 1 || !r.Broken() || !strings.Contains(r.Findings[0].Text, name) {
			t.Errorf("%s: got %v", name, r.Findings)
		}
		if _, err := target.Install(userOptions(), false); err != nil {
			t.Fatal(err)
		}
		if len(target.Installed("user")) != want {
			t.Errorf("%s: after the repair there are %d entries", name, len(target.Installed("user")))
		}
		for _, e := range target.Installed("user") {
			if e.Only != "" || e.Wrapped {
				t.Errorf("%s is not repaired: %v", name, e)
			}
		}
	}
}

// TestEntriesWithOthersCommands checks that what somebody added to an entry remains.
func TestEntriesWithOthersCommands(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"claude-code", "gemini-cli", "codex", "hermes"} {
		for _, test := range []struct{ before, after, rest string }{
			{"my-audit 'a;b'; ", "", "my-audit 'a;b'"},
			{"", " && my-audit", "my-audit"},
			{"cd x && ", " || true; my-audit", "cd x ; my-audit"},
			{"", " 2>/dev/null | cat", ""},
			{"", " || true", ""},
			{"if x; then ", "; fi", "cannot"},
			{"tee log | ", "", "cannot"},
		} {
			s := machine(t)
			target := s.Target(Find(agent))
			if _, err := target.Install(userOptions(), false); err != nil {
				t.Fatal(err)
			}
			e := target.Installed("user")[0]
			line, settings := e.Line, read(t, e.Path)
			if line == "" {
				t.Fatalf("%s: no command line", agent)
			}
			quoted, with := quoteJSON(line), quoteJSON(test.before+line+test.after)
			edited := strings.Replace(settings, quoted, with, 1)
			if edited == settings {
				t.Fatalf("%s: %s is not in\n%s", agent, quoted, settings)
			}
			write(t, e.Path, edited)
			_, err := target.Uninstall("user", false)
			left, _ := os.ReadFile(e.Path)
			switch {
			case test.rest == "cannot":
				if err == nil || string(left) != edited {
					t.Errorf("%s, %s…%s: got %v and\n%s", agent, test.before, test.after, err, left)
				}
			case err != nil, strings.Contains(string(left), "agent-hooks run"), test.rest != "" && !strings.Contains(string(left), quoteJSON(test.rest)), test.rest == "" && strings.Contains(string(left), "command"):
				t.Errorf("%s, %s…%s: got %v and\n%s", agent, test.before, test.after, err, left)
			}
		}
	}
}
