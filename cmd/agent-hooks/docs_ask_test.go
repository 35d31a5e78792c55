//go:build linux || darwin || freebsd

package main

import (
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestDocumentedNewAsksNothing checks that the `agent-hooks new` commands of the
// documents ask no questions, which the documents do not show. TestDocuments
// has no terminal, and without one nothing is asked.
func TestDocumentedNewAsksNothing(t *testing.T) {
	testenv.Long(t)
	root := filepath.Join("..", "..")
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, document := range append(documents, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range readBlocks(string(text)) {
			for _, s := range b.steps() {
				if strings.Contains(s.command, "agent-hooks new ") {
					asked++
					askNothing(t, s.command)
				}
			}
		}
	}
	if asked == 0 {
		t.Error("no document creates a hook")
	}
}

// askNothing types a command on a terminal, with --dry-run.
func askNothing(t *testing.T, command string) {
	t.Helper()
	home := t.TempDir()
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := osexec.CommandContext(t.Context(), "bash", "-c", strings.ReplaceAll(command, "agent-hooks new ", "agent-hooks new --dry-run "))
	cmd.Dir = project
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "TERM=dumb", "GORACE=" + os.Getenv("GORACE")}
	s := startOnScreen(t, cmd, home, 120)
	defer s.terminal.Close()
	if _, err := s.terminal.Write([]byte("\x04\x04")); err != nil { // end of file instead of an answer
		t.Fatal(err)
	}
	s.readAll(t)
	if err := cmd.Wait(); err != nil {
		t.Errorf("$ %s\n%v:\n%s", command, err, s.seen.String())
	}
}
