// Package examples_test runs every example hook's script as a real process,
// the way agent-hooks does: the event on stdin, the answer on stdout, the
// reason on stderr, the exit status.
package examples_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/reading"
	"github.com/agent-hooks/agent-hooks/internal/testenv"
	"github.com/agent-hooks/agent-hooks/spec"
)

const (
	hooksDir  = ".agents/hooks"
	eventsDir = "../testdata/events"
)

// TestMain runs the tests or, as the hooks' AGENT_HOOKS_PROGRAM, the command
// that the guards call.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "commands" {
		event, _ := io.ReadAll(os.Stdin)
		listing, err := reading.ListEvent(event, "", true, runtime.GOOS)
		_ = listing.Write(os.Stdout, true)
		if notes := listing.Notes(false); err != nil || len(notes) > 0 {
			fmt.Fprintln(os.Stderr, err, notes)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(testenv.Run(m.Run))
}

// python returns the interpreter's path, "" if there is none.
func python() string {
	path, _ := exec.LookPath("python3")
	return path
}

type result struct {
	status         int
	stdout, stderr string
}

// call is one run of a hook's script. If dir is "", it runs in a new folder.
type call struct {
	hook, dir string
	event     []byte
	script    string   // instead of the hook's own, in Python
	env       []string // after HOME and PATH, so it may replace them
}

func (c call) run(t *testing.T) result {
	t.Helper()
	script, err := filepath.Abs(filepath.Join(hooksDir, c.hook, "scripts"))
	if err != nil {
		t.Fatal(err)
	}
	var cmd *exec.Cmd
	file := filepath.Join(script, "run.py")
	if c.script != "" {
		file = c.script
	}
	if exists(file) {
		if python() == "" {
			t.Skip("python3 is not installed")
		}
		cmd = exec.CommandContext(t.Context(), python(), file)
	} else {
		sh, err := exec.LookPath("sh")
		if err != nil {
			t.Skip("sh is not installed")
		}
		cmd = exec.CommandContext(t.Context(), sh, filepath.Join(script, "run"))
	}
	if cmd.Dir = c.dir; c.dir == "" {
		cmd.Dir = t.TempDir()
	}
	cmd.Env = append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "PYTHONDONTWRITEBYTECODE=1", "AGENT_HOOKS_PROGRAM=" + program(t), "GORACE=" + os.Getenv("GORACE")}, c.env...)
	cmd.Stdin = bytes.NewReader(c.event)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, 10*time.Second
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func (r result) want(t *testing.T, status int, stdout, stderr string) {
	t.Helper()
	if r.status != status || r.stdout != stdout || r.stderr != stderr {
		t.Errorf("status %d, stdout %q, stderr %q; want %d, %q, %q", r.status, r.stdout, r.stderr, status, stdout, stderr)
	}
}

// silent checks for status 0 without any output.
func (r result) silent(t *testing.T) {
	t.Helper()
	r.want(t, 0, "", "")
}

// blocked checks for status 2 with a reason that contains part, and without an
// answer.
func (r result) blocked(t *testing.T, part string) {
	t.Helper()
	if r.status != 2 || r.stdout != "" || !strings.Contains(r.stderr, part) {
		t.Errorf("status %d, stdout %q, stderr %q; want a block for %q", r.status, r.stdout, r.stderr, part)
	}
}

// answer decodes stdout after status 0.
func (r result) answer(t *testing.T) map[string]any {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || r.status != 0 || r.stderr != "" {
		t.Fatalf("status %d, stdout %q, stderr %q; want an answer", r.status, r.stdout, r.stderr)
	}
	return got
}

func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// toolEvent returns a pre-tool-call event with the input.
func toolEvent(t *testing.T, tool string, input any) []byte {
	t.Helper()
	return encode(t, map[string]any{
		"event_type": "pre-tool-call", "timestamp": "2026-11-20T12:43:46Z", "session_id": "s", "work_dir": "",
		"context": map[string]any{}, "tool_name": tool, "tool_input": input,
	})
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// write creates a file and its folders. A script becomes executable.
func write(t *testing.T, path, text string) {
	t.Helper()
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestHookFiles checks the files that the format requires of each folder.
func TestHookFiles(t *testing.T) {
	t.Parallel()
	keys := []string{"name", "description", "trigger", "matcher", "timeout", "async", "priority", "metadata"}
	key := regexp.MustCompile(`(?m)^([a-z-]+):[ \t]*(.*)$`)
	folders, err := filepath.Glob(hooksDir + "/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("%d hooks (%v)", len(folders), err)
	}
	for _, folder := range folders {
		parts := strings.SplitN(string(read(t, filepath.Join(folder, "HOOK.md"))), "---\n", 3)
		if len(parts) != 3 || parts[0] != "" || !strings.Contains(parts[2], "## What it cannot do") {
			t.Errorf("%s: no front matter, or no body that names the limits", folder)
			continue
		}
		values := map[string]string{}
		for _, m := range key.FindAllStringSubmatch(parts[1], -1) {
			if !slices.Contains(keys, m[1]) {
				t.Errorf("%s: unknown key %q", folder, m[1])
			}
			values[m[1]] = m[2]
		}
		if values["name"] != filepath.Base(folder) || values["description"] == "" || !spec.EventType(values["trigger"]).Valid() {
			t.Errorf("%s: name %q, description %q, trigger %q", folder, values["name"], values["description"], values["trigger"])
		}
		checkScript(t, folder)
	}
}

func checkScript(t *testing.T, folder string) {
	t.Helper()
	scripts, err := filepath.Glob(folder + "/scripts/*")
	if answers := strings.Contains(string(read(t, filepath.Join(folder, "HOOK.md"))), "\n  answer:\n"); err != nil || answers && len(scripts) > 0 || !answers && len(scripts) != 1 {
		t.Fatalf("%s: scripts %q (%v), want one, or an answer", folder, scripts, err)
	} else if answers {
		return
	}
	info, err := os.Stat(scripts[0])
	if err != nil || info.Mode()&0o111 != 0o111 && os.PathSeparator == '/' {
		t.Errorf("%s: not executable (%v)", scripts[0], err)
	}
	lines := strings.Split(strings.TrimSuffix(string(read(t, scripts[0])), "\n"), "\n")
	if long := slices.IndexFunc(lines, func(l string) bool { return utf8.RuneCountInString(l) > 100 }); len(lines) > 450 || long >= 0 {
		t.Errorf("%s: %d lines, want at most 450 of at most 100 characters (line %d)", scripts[0], len(lines), long+1)
	}
	want := map[string]string{"run": "#!/bin/sh", "run.py": "#!/usr/bin/env python3"}[filepath.Base(scripts[0])]
	if lines[0] != want {
		t.Errorf("%s: begins with %q, want %q", scripts[0], lines[0], want)
	}
}

// TestEventSamples checks that there is one sample of the right shape for each
// event.
func TestEventSamples(t *testing.T) {
	t.Parallel()
	for _, info := range spec.Events() {
		var got map[string]any
		if err := json.Unmarshal(read(t, filepath.Join(eventsDir, string(info.Event)+".json")), &got); err != nil {
			t.Errorf("%s: %v", info.Event, err)
			continue
		}
		want := []string{"event_type", "timestamp", "session_id", "work_dir", "context"}
		if info.Event.IsTool() {
			want = append(want, "tool_name", "tool_input", "tool_use_id")
		}
		for _, k := range want {
			if _, ok := got[k]; !ok || got["event_type"] != string(info.Event) {
				t.Errorf("%s: no %q, or the event_type %q", info.Event, k, got["event_type"])
			}
		}
	}
}
