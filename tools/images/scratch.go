package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
)

// scratch is a home with a project in it, both with hooks.
type scratch struct{ home string }

func (s scratch) project() string { return filepath.Join(s.home, "project") }

// newScratch creates a home below dir, with examples as user hooks, and two project hooks.
func newScratch(dir string) (scratch, error) {
	s := scratch{home: filepath.Join(dir, "home")}
	if err := os.MkdirAll(filepath.Join(s.project(), ".git"), 0o755); err != nil {
		return s, err
	}
	user, project := filepath.Join(s.home, ".config", "agents", "hooks"), s.hooks()
	for folder, names := range map[string][]string{
		user:    {"no-tree-removal", "no-secret-files", "session-log"},
		project: {"format-on-write", "run-tests-gate"},
	} {
		for _, name := range names {
			if err := copyExample(filepath.Join(folder, name), name); err != nil {
				return s, err
			}
		}
	}
	for _, h := range []hook{noPublish(), commitMessage()} {
		if err := h.write(project); err != nil {
			return s, err
		}
	}
	return s, nil
}

// hooks returns the directory of the project's hooks.
func (s scratch) hooks() string { return filepath.Join(s.project(), ".agents", "hooks") }

func (s scratch) addBroken() error { return misspelled().write(s.hooks()) }

func copyExample(folder, name string) error {
	for _, f := range examples.Files(name) {
		if err := writeFile(filepath.Join(folder, filepath.FromSlash(f.Path)), f.Data, f.Executable); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file of the project.
func (s scratch) write(path, text string) error {
	return writeFile(filepath.Join(s.project(), path), []byte(text), false)
}

// replace writes a file of the project's hooks atomically, like editors, so that a watcher does
// not see a partial file.
func (s scratch) replace(path, text string) error {
	const draft = "draft"
	if err := s.write(draft, text); err != nil {
		return err
	}
	return os.Rename(filepath.Join(s.project(), draft), filepath.Join(s.hooks(), path))
}

// add adds a hook atomically.
func (s scratch) add(h hook) error {
	const drafts = "drafts"
	if err := h.write(filepath.Join(s.project(), drafts)); err != nil {
		return err
	}
	return os.Rename(filepath.Join(s.project(), drafts, h.name), filepath.Join(s.hooks(), h.name))
}

func writeFile(path string, data []byte, executable bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	return os.WriteFile(path, data, mode)
}

// writeTranscript writes a transcript of Claude Code with calls of yesterday.
func (s scratch) writeTranscript() error {
	const session = "5e55104e-0000-4000-8000-000000000000"
	at := time.Now().Add(-24 * time.Hour).UTC().Truncate(24 * time.Hour)
	var text strings.Builder
	for i, c := range []struct {
		command string
		times   int
	}{
		{"npm test", 164}, {"git status", 88}, {"go build ./...", 71}, {"git push --force origin main", 3}, {"git reset --hard origin/main", 4},
		{"cat .env", 3}, {"rm -rf ~/old-project", 1}, {"terraform destroy -auto-approve", 1}, {"rm -rf node_modules && npm ci", 12},
	} {
		for n := range c.times {
			fmt.Fprintf(&text, `{"type":"assistant","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"content":[{"type":"tool_use","id":"toolu_%016d%06d","name":"Bash","input":{"command":%q}}]}}`+"\n",
				session, s.project(), at.Format(time.RFC3339), i, n, c.command)
		}
	}
	return writeFile(filepath.Join(s.home, ".claude", "projects", "project", session+".jsonl"), []byte(text.String()), false)
}

// logged describes repeated runs of a hook, the last one some hours before the end of the
// log.
type logged struct {
	hook, scope, event string
	outcome, decision  string
	cause              string
	times              int
	ms                 float64 // approximately
	hoursAgo           int
}

// writeLog writes a run log with a history of the hooks.
func (s scratch) writeLog() error {
	const user, project, before, after = "user", "project", "pre-tool-call", "post-tool-call"
	var entries []runlog.Entry
	for _, l := range []logged{
		{hook: "no-tree-removal", scope: user, event: before, outcome: "none", times: 391, ms: 31},
		{hook: "no-tree-removal", scope: user, event: before, outcome: "deny", times: 4, ms: 33, hoursAgo: 20},
		{hook: "no-secret-files", scope: user, event: before, outcome: "none", times: 640, ms: 28},
		{hook: "no-secret-files", scope: user, event: before, outcome: "deny", times: 11, ms: 30, hoursAgo: 3},
		{hook: "session-log", scope: user, event: before, outcome: "none", decision: "none", times: 655, ms: 24},
		{hook: "format-on-write", scope: project, event: after, outcome: "none", decision: "none", times: 85, ms: 140, hoursAgo: 1},
		{hook: "format-on-write", scope: project, event: after, outcome: "failure", decision: "none", cause: "exit status 1", times: 3, ms: 95, hoursAgo: 26},
		{hook: "run-tests-gate", scope: project, event: "pre-agent-turn-stop", outcome: "none", times: 17, ms: 4120, hoursAgo: 1},
		{hook: "run-tests-gate", scope: project, event: "pre-agent-turn-stop", outcome: "deny", times: 5, ms: 5210, hoursAgo: 5},
		{hook: "run-tests-gate", scope: project, event: "pre-agent-turn-stop", outcome: "timeout", decision: "allow", cause: "timeout after 120000 ms", times: 1, ms: 120000, hoursAgo: 49},
		{hook: "commit-issue", scope: project, event: before, outcome: "none", times: 36, ms: 3, hoursAgo: 2},
		{hook: "commit-issue", scope: project, event: before, outcome: "deny", times: 6, ms: 4, hoursAgo: 4},
	} {
		entries = append(entries, l.entries(s.project())...)
	}
	return runlog.Append(filepath.Join(s.home, ".local", "state", "agent-hooks"), entries...)
}

func (l logged) entries(project string) []runlog.Entry {
	end := time.Date(2026, 11, 20, 17, 42, 0, 0, time.UTC).Add(time.Duration(-l.hoursAgo) * time.Hour)
	var list []runlog.Entry
	for i := range l.times {
		e := runlog.Entry{Time: end.Add(time.Duration(i-l.times+1) * 7 * time.Minute), Hook: l.hook, Scope: l.scope, Event: l.event, Outcome: l.outcome, Decision: l.decision, Cause: l.cause}
		e.DurationMS = l.ms * (1 + float64(i%20)/25)
		if l.outcome == "timeout" {
			e.DurationMS = l.ms
		}
		if l.scope == "project" {
			e.Project = project
		}
		list = append(list, e)
	}
	return list
}
