package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

const program = "/opt/my tools/agent-hooks"

// TestEveryClient installs for each agent, in both scopes, on a machine without
// settings. A second installation changes nothing, and uninstall leaves
// nothing, with and without the record.
func TestEveryClient(t *testing.T) {
	for _, c := range All() {
		for _, scope := range []string{"user", "project"} {
			for _, forget := range []bool{false, true} {
				t.Run(c.Name+"/"+scope, func(t *testing.T) {
					t.Parallel()
					s := machine(t)
					before := withoutState(s.both(t))
					o := Options{Scope: scope, Program: program}
					changes, err := s.Target(c).Install(o, false)
					if errors.Is(err, errUserOnly) || c.Places == nil {
						t.Skip("not in this scope")
					}
					if err != nil {
						t.Fatal(err)
					}
					if len(changes) == 0 {
						t.Fatal("nothing was written")
					}
					installed := withoutState(s.both(t))
					checkLines(t, s, c, o)
					changes, err = s.Target(c).Install(o, false)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(installed, withoutState(s.both(t))); diff != "" {
						t.Errorf("a second time: %s", diff)
					}
					for _, change := range changes {
						if change.Changed() {
							t.Errorf("%s changed a second time", change.Path)
						}
					}
					if forget {
						if err := os.RemoveAll(s.StateDir); err != nil {
							t.Fatal(err)
						}
					}
					if _, err := s.Target(c).Uninstall(scope, false); err != nil {
						t.Fatal(err)
					}
					after := withoutState(s.both(t))
					if forget {
						dropEmpty(after)
						dropEmpty(before)
					}
					if diff := cmp.Diff(before, after); diff != "" {
						t.Errorf("after uninstall: %s", diff)
					}
				})
			}
		}
	}
}

// checkLines checks that each installed command line is correct for its shell.
func checkLines(t *testing.T, s System, c *Client, o Options) {
	t.Helper()
	found := 0
	for _, e := range s.Target(c).Installed(o.Scope) {
		found++
		words := e.Words
		if filepath.Base(words[0]) == "agent-hooks.sh" {
			continue // it calls the program itself
		}
		if words[0] != program && o.Scope == "user" || words[0] != "agent-hooks" && o.Scope == "project" {
			t.Errorf("%s calls %q", e.Path, words[0])
		}
		if words[1] != "run" && words[1] != "serve" {
			t.Errorf("%s: %q", e.Path, words)
		}
		if o.Scope == "project" && strings.Contains(strings.Join(words, " "), "-dir") {
			t.Errorf("a project's entry names a directory: %q", words)
		}
	}
	if found == 0 {
		t.Error("no entry is recognized")
	}
}

// TestReads checks that the clients that read another one's files are the
// guests that package agent distinguishes there (D86).
func TestReads(t *testing.T) {
	for _, c := range All() {
		for _, other := range c.reads() {
			if owner := agent.Find(other.Agent); owner == nil || !slices.Contains(owner.Guests(), c.Agent) {
				t.Errorf("%s reads the files of %s, but is not its guest", c.Name, other.Agent)
			}
		}
	}
}

// TestEverySettingsFile installs into settings written by others, and
// uninstalls. The file and its mode are then as before.
func TestEverySettingsFile(t *testing.T) {
	texts := map[settings.Format][]string{
		settings.JSON: {
			"", "{}", "{ }\n", "{\"theme\":\"dark\"}", "// mine\n{\n\t\"theme\": \"dark\", // by night\n\t\"list\": [1, 2, ],\n}\n",
			"\ufeff{\r\n    \"theme\": \"dark\"\r\n}\r\n",
		},
		settings.TOML: {"", "# mine\nmodel = \"x\"\n\n[a.b]\nc = 1", "model = 'x'\r\n[t]\r\n"},
		settings.YAML: {"", "# mine\n", "model: x\nlist:\n- 1\n- 2", "a:\r\n  b: c\r\n"},
	}
	for _, c := range All() {
		for _, p := range c.Places {
			if p.whole() || p.When != nil || p.Scope() == managed { // TestManaged installs there, in a namespace
				continue
			}
			for _, text := range texts[p.Layout.Format] {
				t.Run(c.Name+"/"+p.Scope(), func(t *testing.T) {
					t.Parallel()
					s := machine(t)
					path := s.Expand(p.Path, p.Home)
					if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
						t.Fatal(err)
					}
					before := withoutState(s.both(t))
					_, err := s.Target(c).Install(Options{Scope: p.Scope(), Program: program}, false)
					if c.Flaws(p.Layout, p.Plain, []byte(text)) != nil { // the agent would ignore the file
						if err == nil || !cmp.Equal(before, withoutState(s.both(t))) {
							t.Errorf("written: %v", err)
						}
						return
					}
					if err != nil {
						t.Fatal(err)
					}
					if cmp.Equal(before, withoutState(s.both(t))) {
						t.Error("install changed nothing")
					}
					if _, err := s.Target(c).Uninstall(p.Scope(), false); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(before, withoutState(s.both(t))); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}

// TestEditedSince checks that edits after install are kept.
func TestEditedSince(t *testing.T) {
	s, c := machine(t), Find("claude-code")
	path := filepath.Join(s.Home, ".claude", "settings.json")
	write(t, path, "{\n  \"model\": \"a\"\n}\n")
	mustInstall(t, s, c)
	edit(t, path, `"model": "a"`, `"model": "b"`)
	mustInstall(t, s, c)
	if _, err := s.Target(c).Uninstall("user", false); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "{\n  \"model\": \"b\"\n}\n" {
		t.Errorf("got %q", got)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestOtherEntries checks that entries with another program's path, and those written by hand as in
// the README, are replaced.
func TestOtherEntries(t *testing.T) {
	for _, line := range []string{
		"agent-hooks run pre-tool-call", "/old/place/agent-hooks run pre-tool-call --require-trust", `'/old place/agent-hooks' run --agent claude-code --deadline 5`,
		"/opt/ah-1.2 run --agent claude --deadline 597000", `"C:/Program Files/agent-hooks.exe" run --agent claude-code`,
		posix.line(sharedWords([]string{"agent-hooks", "run", "--agent", "claude-code"}, absence{})),
		posix.line(closedWords([]string{"/old/agent-hooks", "run", "--agent", "claude-code"})),
		earlierClosed,
	} {
		s, c := machine(t), Find("claude-code")
		path := filepath.Join(s.Home, ".claude", "settings.json")
		write(t, path, `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":`+quoteJSON(line)+`}]}]}}`)
		mustInstall(t, s, c)
		for _, e := range s.Target(c).Installed("user") {
			if e.Words[0] != program {
				t.Errorf("%q still exists: %q", line, e.Words)
			}
		}
		if n := strings.Count(read(t, path), "PreToolUse"); n != 1 {
			t.Errorf("%q: %d lists", line, n)
		}
	}
	for _, line := range []string{"my-agent-hooks-wrapper run", "agent-hooks log", "echo agent-hooks run", "cat | agent-hooks run pre-tool-call", "agent-hooks run --agent codex", "X=1 agent-hooks run stop"} {
		if Find("claude-code").isOurs(map[string]any{"command": line}) {
			t.Errorf("%q is taken for ours", line)
		}
	}
}

// earlierClosed is an entry that fails closed, as an earlier version wrote it.
const earlierClosed = `/bin/sh -c 'trap "exit 2" EXIT; "$@"; exit 2' sh /old/agent-hooks run --agent claude-code --deadline 57000`

// TestEarlierClosed checks that an update of the program does not end failing closed.
func TestEarlierClosed(t *testing.T) {
	s, c := machine(t), Find("claude-code")
	path := filepath.Join(s.Home, ".claude", "settings.json")
	write(t, path, `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":`+quoteJSON(earlierClosed)+`}]}]}}`)
	if entries := s.Target(c).Installed("user"); len(entries) != 1 || !entries[0].Closed {
		t.Errorf("entries %+v", entries)
	}
}

// TestFailureMidway checks that no file changes if one cannot be written.
func TestFailureMidway(t *testing.T) {
	s, c := machine(t), Find("goose")
	blocked := filepath.Join(s.Home, ".agents", "plugins", "agent-hooks", "hooks")
	write(t, blocked, "a file in the place of a directory")
	before := withoutState(s.both(t))
	if _, err := s.Target(c).Install(userOptions(), false); err == nil {
		t.Fatal("installed")
	}
	if diff := cmp.Diff(before, withoutState(s.both(t))); diff != "" {
		t.Error(diff)
	}
}

// TestNotOurs checks that files written by others are not replaced, and that
// read-only ones are not changed.
func TestNotOurs(t *testing.T) {
	s := machine(t)
	write(t, filepath.Join(s.Home, "Documents", "Cline", "Hooks", "PreToolUse"), "#!/bin/sh\nmine\n")
	readOnly := filepath.Join(s.Home, ".claude", "settings.json")
	write(t, readOnly, "{}")
	if err := os.Chmod(readOnly, 0o444); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(s.Home, ".cursor", "hooks.json"), "{ not JSON")
	before := withoutState(s.both(t))
	for _, name := range []string{"cline", "claude-code", "cursor"} {
		if _, err := s.Target(Find(name)).Install(userOptions(), false); err == nil {
			t.Errorf("%s: installed", name)
		}
	}
	if diff := cmp.Diff(before, withoutState(s.both(t))); diff != "" {
		t.Error(diff)
	}
}

// TestLinks checks that the target of a link is written.
func TestLinks(t *testing.T) {
	s, c := machine(t), Find("claude-code")
	target := filepath.Join(s.Project, "dotfiles", "claude.json")
	write(t, target, "{}\n")
	link := filepath.Join(s.Home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := testtree.Link(target, link); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	before := withoutState(s.both(t))
	mustInstall(t, s, c)
	if !strings.Contains(read(t, target), "--agent claude-code") {
		t.Error("the target was not written")
	}
	if _, err := os.Readlink(link); err != nil {
		t.Error("the link was replaced")
	}
	if _, err := s.Target(c).Uninstall("user", false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, withoutState(s.both(t))); diff != "" {
		t.Error(diff)
	}
}

// TestTwoAtOnce installs and uninstalls in many goroutines. The file is
// complete at any time, and has one entry per event at the end.
func TestTwoAtOnce(t *testing.T) {
	s, c := machine(t), Find("claude-code")
	path := filepath.Join(s.Home, ".claude", "settings.json")
	write(t, path, "{\"model\": \"x\"}\n")
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			var err error
			if i%2 == 0 {
				_, err = s.Target(c).Install(userOptions(), false)
			} else {
				_, err = s.Target(c).Uninstall("user", false)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	mustInstall(t, s, c)
	if n, want := len(s.Target(c).Installed("user")), len(c.events(nil, "")); n != want {
		t.Errorf("%d entries for %d events", n, want)
	}
	if _, err := s.Target(c).Uninstall("user", false); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "{\"model\": \"x\"}\n" {
		t.Errorf("got %q", got)
	}
}

// TestKnownEvents checks that only events that the installed version knows are
// written.
func TestKnownEvents(t *testing.T) {
	s, c := machine(t), Find("claude-code")
	old := s.Target(c)
	old.Version = "2.0.40"
	if _, err := old.Install(Options{Scope: "user", Program: program, FailClosed: true}, false); err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(s.Home, ".claude", "settings.json"))
	for _, unknown := range []string{"SubagentStart", "PostCompact", "onFailure"} {
		if strings.Contains(text, unknown) {
			t.Errorf("%s is unknown to 2.0.40", unknown)
		}
	}
	now := s.Target(c)
	now.Version = "2.1.329"
	if _, err := now.Install(Options{Scope: "user", Program: program, FailClosed: true}, false); err != nil {
		t.Fatal(err)
	}
	text = read(t, filepath.Join(s.Home, ".claude", "settings.json"))
	for _, known := range []string{"SubagentStart", "PostCompact", `"onFailure": "block"`} {
		if !strings.Contains(text, known) {
			t.Errorf("%s is missing", known)
		}
	}
}

// TestQuoting checks that this package and the shells read a quoted word back.
func TestQuoting(t *testing.T) {
	words := []string{"/a b/agent-hooks", "run", "it's", `C:\Program Files\x`, "", "a$b`c"}
	for _, s := range []shell{posix, powerShell} {
		line := s.line(words[:2])
		if got := splitLine(line); !cmp.Equal(got, words[:2]) {
			t.Errorf("%q became %q", line, got)
		}
	}
	for line, want := range map[string]string{
		posix.line(words[2:]):                        `'it'\''s' 'C:\Program Files\x' '' 'a$b` + "`" + `c'`,
		powerShell.line(words[:3]):                   `& '/a b/agent-hooks' run 'it''s'`,
		cmdExe.line([]string{`C:\a b\x.exe`, "run"}): `"C:\a b\x.exe" run`,
	} {
		if line != want {
			t.Errorf("got %s, want %s", line, want)
		}
	}
}

// TestAgents checks that every agent of package agent can be installed.
func TestAgents(t *testing.T) {
	for _, a := range agent.All() {
		if Find(a.Name) == nil {
			t.Errorf("%s cannot be installed", a.Name)
		}
	}
}
