package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Scripts of the guard that is also measured as a constant answer.
const (
	shGuard = "#!/bin/sh\ncase $(cat) in\n*\"git push\"*) echo 'people push' >&2; exit 2 ;;\nesac\n"
	pyGuard = "#!/usr/bin/env python3\nimport json, re, sys\n\nevent = json.load(sys.stdin)\nif re.search(r'\\bgit push', event['tool_input']['command']):\n    print('people push', file=sys.stderr)\n    sys.exit(2)\n"
)

// geminiPayload is a shell call of Gemini CLI, whose blocks have exit status 0.
const geminiPayload = `{"session_id":"2c1f0a4e","transcript_path":"","cwd":%q,"hook_event_name":"BeforeTool","timestamp":"2026-01-02T03:04:05Z","tool_name":"run_shell_command","tool_input":{"command":"cd web && git push origin main","description":"Push the branch"}}`

// answers compares guards as constant answers with guards as scripts, and with runs in which
// as many hooks do not match.
func (b *bench) answers() (string, error) {
	t := table{head: []string{"the call is blocked by", "as many that do not match, ms", "ms", "ratio", "quartiles"}}
	for _, row := range []struct {
		name, script, needs string
		guards              int
		goal                float64
	}{
		{"one of 2 constant answers", "", "", 2, 1.15},
		{"one of 10 constant answers", "", "", 10, 0},
		{"one of 20 constant answers", "", "", 20, 1.25},
		{"one of 1000 constant answers", "", "", 1000, 2},
		{"one guard in sh", shGuard, "sh", 1, 0},
		{"one guard in Python", pyGuard, "python3", 1, 0},
	} {
		if _, err := exec.LookPath(row.needs); row.needs != "" && err != nil {
			t.add(row.name, "not measured: "+row.needs+" is not installed", "-", "-", "-")
			continue
		}
		if row.needs == "python3" { // itself, not a version manager that finds it
			out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
			if err != nil {
				return "", err
			}
			row.script = strings.Replace(row.script, "/usr/bin/env python3", strings.TrimSpace(string(out)), 1)
		}
		idle, err := b.blocked(fmt.Sprintf("idle-answers-%d", row.guards), row.guards, false, row.script)
		if err != nil {
			return "", err
		}
		blocked, err := b.blocked(fmt.Sprintf("answers-%d-%s", row.guards, row.needs), row.guards, true, row.script)
		if err != nil {
			return "", err
		}
		times, err := interleave(b.roundsFor(row.guards, 0), idle.time, blocked.time)
		if err != nil {
			return "", err
		}
		t.add(row.name, ms(milliseconds(times[0])), ms(milliseconds(times[1])),
			against(ratio(times[1], times[0]), row.goal, "%.2f"), quartiles(ratios(times[1], times[0])))
	}
	return t.String(), nil
}

// blocked returns a run in a project with guards. If blocks is set, one of them blocks the call,
// and the others search its commands in vain; otherwise they are for another tool. script is the
// guards' script; "" means that they are constant answers.
func (b *bench) blocked(name string, guards int, blocks bool, script string) (process, error) {
	p, err := b.project(name, 0, 0)
	if err != nil {
		return process{}, err
	}
	for i := range guards {
		tool, pattern := "WriteFile", fmt.Sprintf("^kubectl( .*)? (delete|drain) node%d( |$)", i)
		if blocks {
			if tool = "Shell"; i == guards/2 {
				pattern = "^git( .*)? push( |$)"
			}
		}
		more := "metadata:\n  match: commands\n  answer:\n    decision: deny\n    reason: people push\n"
		if script != "" {
			more, pattern = "", `git\s+push`
		}
		hook := fmt.Sprintf("guard-%d", i)
		if err := p.hook(hook, "pre-tool-call", tool, pattern, more); err != nil {
			return process{}, err
		}
		if err := p.replaceScript(hook, script); err != nil {
			return process{}, err
		}
	}
	run := b.run(p, filepath.Join(b.dir, name+".json")).with("--agent", "gemini-cli")
	if err := os.WriteFile(run.stdin, fmt.Appendf(nil, geminiPayload, p.dir), 0o644); err != nil {
		return run, err
	}
	out, err := run.output()
	if err == nil && strings.Contains(out, "people push") != blocks {
		err = fmt.Errorf("%s: it printed %q", name, out)
	}
	return run, err
}

// replaceScript writes another script of a hook; "" removes it, and the timeout that
// only a script needs.
func (p project) replaceScript(hook, script string) error {
	file := filepath.Join(p.hooks, hook, "HOOK.md")
	scripts := filepath.Join(p.hooks, hook, "scripts")
	if script != "" {
		return os.WriteFile(filepath.Join(scripts, "run.sh"), []byte(script), 0o755)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	text = bytes.Replace(text, []byte("timeout: 5000\n"), nil, 1)
	return errors.Join(os.WriteFile(file, text, 0o644), os.RemoveAll(scripts))
}
