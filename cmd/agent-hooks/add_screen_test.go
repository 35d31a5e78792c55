//go:build linux || darwin || freebsd

package main

import (
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestPackOnTerminal follows a pack on a terminal of 60 columns: a user adds it, declines a hook, updates,
// rolls back, and removes it. testdata/look/packs-60.txt, which -update writes, is the session.
func TestPackOnTerminal(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	t.Run("packs-60", func(t *testing.T) { packOnTerminal(t, 60) })
}

func packOnTerminal(t *testing.T, columns int) {
	if _, err := osexec.LookPath("git"); err != nil {
		skipOrFail(t, "git is not installed")
	}
	p := newLookPlace(t)
	up := publisher{t, filepath.Join(p.root, "guards"), p}
	up.publish("v1", "no publishing")
	up.transcript()
	var session strings.Builder
	run := func(status int, args []string, exchanges ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := p.command(ctx, t, "", args)
		cmd.Env = append(cmd.Env, "NO_COLOR=1")
		s := startOnScreen(t, cmd, p.root, columns)
		defer s.terminal.Close()
		for i := 0; i < len(exchanges); i += 2 {
			s.waitFor(t, exchanges[i])
			if _, err := s.terminal.WriteString(exchanges[i+1] + "\n"); err != nil {
				t.Fatal(err)
			}
		}
		s.readAll(t)
		_ = cmd.Wait()
		text := strings.ReplaceAll(s.settled(), time.Now().UTC().Format(time.DateOnly), "2026-11-21")
		fmt.Fprintf(&session, "$ agent-hooks %s\n%s\n", strings.ReplaceAll(strings.Join(args, " "), p.root, lookRoot), text)
		if got := cmd.ProcessState.ExitCode(); got != status {
			t.Errorf("%s: exit status %d, want %d\n%s", args, got, status, text)
		}
		for line := range strings.Lines(text) {
			if width := term.Width(strings.TrimSuffix(line, "\n")); width > columns {
				t.Errorf("%d columns: %s", width, line)
			}
		}
	}
	url := "file://" + up.dir
	const install = "install this hook? [y/N] "
	run(1, []string{"add", url}, install, "y", install, "n")
	run(0, []string{"add", url, "no-publish"}, install, "y")
	run(0, []string{"list"})
	up.publish("v2", "use the release job")
	run(0, []string{"update"}, install, "y")
	run(0, []string{"update", "--check"})
	run(0, []string{"update", "no-publish", "--ref", "v1"}, install, "y")
	up.edit("careful")
	run(1, []string{"update", "--check"})
	run(0, []string{"remove", "no-publish"})
	compareLook(t, session.String())
}

// publisher has a repository with a pack.
type publisher struct {
	t   *testing.T
	dir string
	lookPlace
}

// publish commits and tags a version of the pack.
func (p publisher) publish(tag, reason string) {
	p.t.Helper()
	for name, text := range map[string]string{
		"pack.toml":                                     "name = \"guards\"\ndescription = \"Guards of the team\"\n",
		".agents/hooks/no-publish/HOOK.md":              "---\nname: no-publish\ndescription: Blocks npm publish.\ntrigger: pre-tool-call\nmatcher:\n  tool: Shell\n  pattern: ^npm publish( |$)\nmetadata:\n  match: commands\n  answer:\n    decision: deny\n    reason: " + reason + "\n---\n",
		".agents/hooks/no-publish/tests/publishes.yaml": "event: {tool_name: Shell, tool_input: {command: npm publish}}\nexpect: {decision: deny}\n",
		".agents/hooks/careful/HOOK.md":                 "---\nname: careful\ndescription: Blocks git push --force.\ntrigger: pre-tool-call\nmatcher: {tool: Shell, pattern: push --force}\n---\n",
		".agents/hooks/careful/scripts/run":             "#!/bin/sh\necho 'careful: do not force' >&2\nexit 2\n",
		".agents/hooks/careful/tests/forces.yaml":       "event: {tool_name: Shell, tool_input: {command: git push --force}}\nexpect: {decision: deny}\n",
	} {
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			p.t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if strings.Contains(name, "/scripts/") {
			mode = 0o755
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			p.t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main", "."}, {"add", "-A"}, {"commit", "-q", "-m", tag}, {"tag", tag}} {
		cmd := osexec.Command("git", args...)
		cmd.Dir = p.dir
		cmd.Env = []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + p.root, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=mei", "GIT_AUTHOR_EMAIL=mei@example.com", "GIT_AUTHOR_DATE=2026-11-20T12:00:00Z",
			"GIT_COMMITTER_NAME=mei", "GIT_COMMITTER_EMAIL=mei@example.com", "GIT_COMMITTER_DATE=2026-11-20T12:00:00Z",
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			p.t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
}

// transcript writes a session of Claude Code in which npm publish ran.
func (p publisher) transcript() {
	p.t.Helper()
	var lines strings.Builder
	for i, command := range []string{"npm test", "npm publish --tag next", "git status"} {
		fmt.Fprintf(&lines, `{"type":"assistant","sessionId":"s1","cwd":%q,"timestamp":%q,"message":{"content":[{"type":"tool_use","id":"toolu_000000000000000000000%d","name":"Bash","input":{"command":%q}}]}}`+"\n",
			filepath.Join(p.root, "elsewhere"), time.Now().UTC().Format(time.RFC3339), i, command)
	}
	path := filepath.Join(p.root, ".claude", "projects", "-p", "s1.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(lines.String()), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// edit changes an installed hook.
func (p publisher) edit(name string) {
	p.t.Helper()
	f, err := os.OpenFile(filepath.Join(p.root, ".config", "agents", "hooks", name, "scripts", "run"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("# mine\n")
		f.Close()
	}
	if err != nil {
		p.t.Fatal(err)
	}
}
