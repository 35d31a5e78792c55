//go:build linux || darwin || freebsd

package main

import (
	"bytes"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReasonOnTerminal checks that a reason cannot send escape sequences to a
// terminal, and that an agent gets it unchanged.
func TestReasonOnTerminal(t *testing.T) {
	t.Parallel()
	place := newLookPlace(t)
	const written = "no\x1b[2J \u202erm\u202c\nhere\u3164\n"
	const printable = "no\\x1b[2J \\u202erm\\u202c\r\nhere\\u3164\r\n"
	project := filepath.Join(place.root, "code")
	folder := filepath.Join(project, ".agents", "hooks", "terminal")
	for name, text := range map[string]string{
		"HOOK.md":     "---\nname: terminal\ndescription: d\ntrigger: pre-agent-turn\n---\n",
		"scripts/run": "#!/bin/sh\nprintf 'no\\033[2J \\342\\200\\256rm\\342\\200\\254\\nhere\\343\\205\\244' >&2; exit 2\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args          []string
		input, prefix string
	}{
		{[]string{"run", "pre-agent-turn"}, "{}", ""},
		{[]string{"run", "--agent", "claude-code"}, `{"hook_event_name": "UserPromptSubmit", "prompt": "x", "session_id": "s", "cwd": "` + project + `"}`, "hook terminal: "},
	} {
		command := func() *osexec.Cmd {
			cmd := place.command(t.Context(), t, "", c.args)
			cmd.Stdin = strings.NewReader(c.input)
			return cmd
		}
		piped := command()
		var stderr bytes.Buffer
		piped.Stderr = &stderr
		if _ = piped.Run(); stderr.String() != c.prefix+written {
			t.Errorf("%s: a pipe gets %q, want %q", c.args, stderr.String(), c.prefix+written)
		}
		shown := command()
		s := startOnScreen(t, shown, place.root, 80)
		s.readAll(t)
		_ = shown.Wait()
		s.terminal.Close()
		if got, want := s.seen.String(), c.prefix+printable; got != want {
			t.Errorf("%s: a terminal gets %q, want %q", c.args, got, want)
		}
	}
}
