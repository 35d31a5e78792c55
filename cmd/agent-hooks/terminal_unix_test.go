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
// terminal, and that an agent gets it unchanged (D26).
func TestReasonOnTerminal(t *testing.T) {
	t.Parallel()
	place := newLookPlace(t)
	const written = "no\x1b[2J \u202erm\u202c\nhere\u3164"
	folder := filepath.Join(place.root, "code", ".agents", "hooks", "terminal")
	for name, text := range map[string]string{
		"HOOK.md":     "---\nname: terminal\ndescription: d\ntrigger: pre-session\n---\n",
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
	command := func() *osexec.Cmd {
		cmd := place.command(t.Context(), t, "", []string{"run", "pre-session"})
		cmd.Stdin = strings.NewReader("{}")
		return cmd
	}
	piped := command()
	var stderr bytes.Buffer
	piped.Stderr = &stderr
	if _ = piped.Run(); stderr.String() != written+"\n" {
		t.Errorf("a pipe gets %q, want %q", stderr.String(), written+"\n")
	}
	shown := command()
	s := startOnScreen(t, shown, place.root, 80)
	defer s.terminal.Close()
	s.readAll(t)
	_ = shown.Wait()
	if got, want := s.seen.String(), "no\\x1b[2J \\u202erm\\u202c\r\nhere\\u3164\r\n"; got != want {
		t.Errorf("a terminal gets %q, want %q", got, want)
	}
}
