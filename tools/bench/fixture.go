package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// project is a directory with hooks. Those whose names begin with match- match the event.
type project struct{ dir, hooks string }

// idle is a kind of hook that does not match the event.
type idle struct{ trigger, tool, pattern, more string }

// realistic is front matter of published hooks in addition to the keys of the format.
const realistic = `# Keeps the working tree in order.
license: Apache-2.0
metadata:
  author: "The \"platform\" team"
  version: 1.2.0
  tags: [files, 'clean up']
  reviewers:
    - alice
    - bob # on call
  notes: >-
    A longer text that explains to people why this hook exists,
    folded over two lines.
`

// idles returns hooks for another event, for another tool, and for another command, in turn.
// Every second one has realistic front matter.
func idles() []idle {
	return []idle{
		{"post-tool-call", "WriteFile|EditFile", `\.go$`, ""},
		{"post-tool-call", "WriteFile|EditFile", `\.py$`, realistic},
		{"pre-tool-call", "WriteFile|EditFile", `\.tf$`, ""},
		{"pre-tool-call", "WriteFile|EditFile", `\.ya?ml$`, realistic},
		{"pre-tool-call", "Shell", `terraform\s+(apply|destroy)`, ""},
		{"pre-agent-turn", "", "", realistic},
	}
}

// project creates a project in which match hooks match.
func (b *bench) project(name string, idle, match int) (project, error) {
	p := project{dir: filepath.Join(b.dir, name)}
	p.hooks = filepath.Join(p.dir, ".agents", "hooks")
	if err := os.MkdirAll(filepath.Join(p.dir, ".git"), 0o755); err != nil {
		return p, err
	}
	for i := range idle {
		kind := idles()[i%len(idles())]
		if err := p.hook(fmt.Sprintf("idle-%d", i), kind.trigger, kind.tool, kind.pattern, kind.more); err != nil {
			return p, err
		}
	}
	for i := range match {
		if err := p.hook(fmt.Sprintf("match-%d", i), "pre-tool-call", "Shell", `git\s+push`); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p project) hook(name, trigger, tool, pattern string, more ...string) error {
	front := fmt.Sprintf("---\nname: %s\ndescription: Keeps commands of one kind from being run without a second look.\ntrigger: %s\n", name, trigger)
	if tool != "" {
		front += fmt.Sprintf("matcher:\n  tool: %s\n  pattern: %s\n", tool, pattern)
	}
	front += "timeout: 5000\n" + strings.Join(more, "") + "---\n\n# " + name + "\n\nWhat it looks for, and why.\n"
	scripts := filepath.Join(p.hooks, name, "scripts")
	if err := os.MkdirAll(scripts, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(p.hooks, name, "HOOK.md"), []byte(front), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(scripts, "run.sh"), []byte("#!/bin/sh\nexit 0\n"), 0o755)
}

// firstScript returns the path of the script of the first matching hook.
func (p project) firstScript() string {
	return filepath.Join(p.hooks, "match-0", "scripts", "run.sh")
}

// script returns the first matching hook's script as a process.
func (b *bench) script(p project) process {
	return b.process(p.dir, b.event, program{p.firstScript()})
}

// payload writes an event of about size bytes, with values of at most 64 KiB.
func (b *bench) payload(name string, size int) (string, error) {
	words := strings.Repeat("the quick brown fox jumps over the lazy dog; ", 64<<10/45)
	input := map[string]any{"command": "git push origin main"}
	var edits []string
	for left := size - 256; left > 0; left -= len(words) {
		edits = append(edits, words[:min(left, len(words))])
	}
	input["edits"] = edits
	data, err := json.Marshal(map[string]any{"session_id": "bench", "tool_name": "Shell", "tool_input": input})
	if err != nil {
		return "", err
	}
	file := filepath.Join(b.dir, name)
	return file, os.WriteFile(file, data, 0o644)
}
