//go:build linux || darwin || freebsd

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestTrustPages checks that a long hook is shown a screen at a time, and that
// an answer to a page is not an answer to the question.
func TestTrustPages(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	const page, question = "q declines this hook -- ", "trust this hook? [y/N] "
	type exchange struct{ prompt, answer string }
	for _, test := range []struct {
		name      string
		exchanges []exchange
		want      string
	}{
		{"shown to the end", []exchange{{page, "y\n"}, {page, "\n"}, {page, "\n"}, {"evil last line", ""}, {question, "y\n"}}, "trusted long"},
		{"approved at a page only", []exchange{{page, "y\n"}, {page, "y\n"}, {page, "y\n"}, {question, "\n"}}, "nothing was trusted"},
		{"declined at a page", []exchange{{page, "\n"}, {page, "q\n"}}, "nothing was trusted"},
		{"end of input at a page", []exchange{{page, "\x04"}, {page, "\x04"}, {page, "\x04"}, {question, "\x04"}}, "nothing was trusted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := longHook(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			cmd := p.command(ctx, t, "", []string{"trust"})
			s := startOnScreen(t, cmd, p.root, 80) // 50 lines
			defer s.terminal.Close()
			for _, e := range test.exchanges {
				s.waitFor(t, e.prompt)
				if _, err := s.terminal.WriteString(e.answer); err != nil {
					t.Fatal(err)
				}
			}
			s.waitFor(t, test.want)
			s.readAll(t)
			if err := cmd.Wait(); (err == nil) != strings.HasPrefix(test.want, "trusted") {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// longHook writes a project's hook of 150 lines.
func longHook(t *testing.T) lookPlace {
	t.Helper()
	p := lookPlace{t.TempDir()}
	folder := filepath.Join(p.root, "code", ".agents", "hooks", "long")
	if err := os.MkdirAll(filepath.Join(folder, "scripts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		"HOOK.md":     "---\nname: long\ndescription: A long hook.\ntrigger: pre-tool-call\n---\n",
		"scripts/run": "#!/bin/sh\n" + strings.Repeat("# harmless\n", 135) + "evil last line\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}
