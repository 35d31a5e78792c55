package agenthooks_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/agents"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// ls is the tool call of most tests.
const ls = `{"tool_name": "Shell", "tool_input": {"command": "ls"}}`

// scratch is a temporary user and project.
type scratch struct {
	*testing.T
	project, user string // the project's root, and the user's hooks directory
	options       agenthooks.Options
}

func newScratch(t *testing.T) *scratch {
	t.Helper()
	needsShell(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scratch{T: t, project: filepath.Join(root, "project"), user: filepath.Join(root, "agents", "hooks")}
	if err := os.MkdirAll(filepath.Join(s.project, ".agents", "hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.options = agenthooks.Options{
		Scripts:   agents.Script,
		ConfigDir: root,
		Project:   s.project,
		Environ:   []string{"PATH=" + os.Getenv("PATH")},
		// Not that of whoever runs the test.
		AccountHome: filepath.Join(root, "account"), TrustProject: true,
	}
	return s
}

// needsShell skips a test on Windows, unless TEST_SHELL names a POSIX shell, as .ci/windows does:
// Git's bash was not tried yet.
func needsShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" && os.Getenv("TEST_SHELL") == "" {
		t.Skip("no POSIX shell")
	}
}

// onUnix skips a test whose subject Windows does not have.
func onUnix(t *testing.T, subject string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no " + subject)
	}
}

func (s *scratch) hooks() string { return filepath.Join(s.project, ".agents", "hooks") }

// hook writes a hook of the project. script is for sh; lines are front matter,
// in which the default trigger is pre-tool-call.
func (s *scratch) hook(name, script string, lines ...string) {
	s.Helper()
	if err := writeHook(s.hooks(), name, script, lines...); err != nil {
		s.Fatal(err)
	}
}

func (s *scratch) userHook(name, script string, lines ...string) {
	s.Helper()
	if err := writeHook(s.user, name, script, lines...); err != nil {
		s.Fatal(err)
	}
}

func writeHook(dir, name, script string, lines ...string) error {
	front := "---\nname: " + name + "\ndescription: A hook of a test.\n"
	if !strings.Contains(strings.Join(lines, "\n"), "trigger:") {
		front += "trigger: pre-tool-call\n"
	}
	front += strings.Join(append(lines, "---\n"), "\n")
	scripts := filepath.Join(dir, name, "scripts")
	return errors.Join(
		os.MkdirAll(scripts, 0o755),
		os.WriteFile(filepath.Join(dir, name, "HOOK.md"), []byte(front), 0o644),
		os.WriteFile(filepath.Join(scripts, "run"), []byte("#!/bin/sh\n"+script+"\n"), 0o755),
	)
}

func (s *scratch) plan(event spec.EventType, text string) *agenthooks.Plan {
	parsed, _ := protocol.ParseEvent(event, []byte(text), "2026-01-02T03:04:05Z")
	return agenthooks.Load(s.options).Plan(parsed)
}

func (s *scratch) run(event spec.EventType, text string) *agenthooks.Report {
	return s.plan(event, text).Run(s.Context(), agenthooks.RunOptions{Ask: agenthooks.Express, Modify: agenthooks.Express})
}

// preTool runs the hooks on ls.
func (s *scratch) preTool() *agenthooks.Report { return s.run(spec.PreToolCall, ls) }

// read returns a file that a hook wrote into the project, "" if there is none.
func (s *scratch) read(name string) string {
	s.Helper()
	b, err := os.ReadFile(filepath.Join(s.project, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.Fatal(err)
	}
	return string(b)
}

// await waits until a hook has written a line into the file.
func (s *scratch) await(name string) string {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		if text := s.read(name); strings.HasSuffix(text, "\n") {
			return text
		}
		time.Sleep(2 * time.Millisecond)
	}
	s.Fatalf("%s did not come", name)
	return ""
}

// of returns the report of one hook.
func of(t *testing.T, report *agenthooks.Report, name string) *agenthooks.HookReport {
	t.Helper()
	for _, h := range report.Hooks {
		if h.Hook == name {
			return h
		}
	}
	t.Fatalf("the report has no hook %q", name)
	return nil
}

// has fails the test if no text contains part.
func has(t *testing.T, texts []string, part string) {
	t.Helper()
	if !strings.Contains(strings.Join(texts, "\n"), part) {
		t.Errorf("%q does not contain %q", texts, part)
	}
}

// awaitQuietly waits until the file exists or the test ends.
func (s *scratch) awaitQuietly(name string) {
	for s.Context().Err() == nil {
		if _, err := os.Stat(filepath.Join(s.project, name)); err == nil {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func writeFile(dir, name string) error {
	return os.WriteFile(filepath.Join(dir, name), nil, 0o644)
}
