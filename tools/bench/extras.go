package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// extra is a pair of runs that differ in one feature.
type extra struct {
	name          string
	without, with process
}

func (b *bench) extras() (string, error) {
	pairs, err := b.extraPairs()
	if err != nil {
		return "", err
	}
	t := table{head: []string{"", "without, ms", "with, ms", "it adds, ms", "ratio"}}
	for _, pair := range pairs {
		times, err := interleave(b.rounds, rested(pair.without.time), rested(pair.with.time))
		if err != nil {
			return "", err
		}
		without, with := times[0], times[1]
		t.add(pair.name, ms(milliseconds(without)), ms(milliseconds(with)), ms(added(with, without)), fmt.Sprintf("%.2f", ratio(with, without)))
	}
	return t.String(), nil
}

func (b *bench) extraPairs() ([]extra, error) {
	var failed error
	made := func(p project, err error) process {
		if err != nil && failed == nil {
			failed = err
		}
		return b.run(p, b.event)
	}
	none, one := made(b.fixture(0, 0)), made(b.fixture(0, 1))
	idle, hundred := made(b.fixture(1, 0)), made(b.fixture(99, 1))
	beside, alone := made(b.asyncProject("async-beside", 1)), made(b.asyncProject("async-alone", 0))
	if failed != nil {
		return nil, failed
	}
	noState, configured := b.otherHomes(one)
	native, err := b.claudeRun(one)
	if err != nil {
		return nil, err
	}
	pairs := []extra{
		{"the run log", noState, one},
		{"trust required, one idle hook", idle, trusted(idle)},
		{"trust required, one matching hook", one, trusted(one)},
		{"trust required, 100 hooks of which one matches", hundred, trusted(hundred)},
		{"one async hook in addition to a sync one", one, beside},
		{"one async hook alone", none, alone},
		{"trust required, the run log and an async hook", noState, trusted(beside)},
		{"a report", one, one.with("--report", filepath.Join(b.dir, "report.json"))},
		{"a hooks.toml of the user", one, configured},
		{"an agent's dialect (`--agent claude-code`), with its payload", native, native.with("--agent", "claude-code")},
	}
	return pairs, b.prepareExtras(configured, idle, one, hundred, beside)
}

// trusted returns a run that requires the project's hooks to be trusted.
func trusted(run process) process { return run.with("--require-trust") }

// claudePayload is the payload of Claude Code before a shell call, with the
// folder of the project.
const claudePayload = `{"session_id":"2c1f0a4e-6f0d-4f0b-9d0e-3f1f5a1f9b11","transcript_path":"/home/me/.claude/projects/-home-me-project/2c1f0a4e.jsonl","cwd":%q,"prompt_id":"7b0c","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push origin main","description":"Push the branch"},"tool_use_id":"toolu_01A"}`

// claudeRun returns a run with a payload of Claude Code on stdin.
func (b *bench) claudeRun(run process) (process, error) {
	run.stdin = filepath.Join(b.dir, "claude.json")
	return run, os.WriteFile(run.stdin, fmt.Appendf(nil, claudePayload, run.dir), 0o644)
}

// asyncProject creates a project with one async hook and match other hooks.
func (b *bench) asyncProject(name string, match int) (project, error) {
	p, err := b.project(name, 0, match)
	if err != nil {
		return p, err
	}
	return p, p.hook("later", "pre-tool-call", "", "", "async: true\n")
}

// otherHomes returns a run without a directory for the log, which is otherwise unchanged, and
// one with a hooks.toml.
func (b *bench) otherHomes(run process) (noState, configured process) {
	config := "XDG_CONFIG_HOME=" + filepath.Join(b.dir, "home", ".config")
	noState = run.under("HOME="+filepath.Join(b.dir, "none"), config)
	configured = run.under("XDG_CONFIG_HOME=" + filepath.Join(b.dir, "configured"))
	return noState, configured
}

// prepareExtras trusts projects, writes the hooks.toml, and checks that each run behaves as
// expected.
func (b *bench) prepareExtras(configured, idle process, matching ...process) error {
	agents := filepath.Join(b.dir, "configured", "agents")
	if err := os.MkdirAll(agents, 0o700); err != nil {
		return err
	}
	text := "[hooks]\nprotect = [\"guard\"]\n\n[[hooks.disable]]\nname = \"notify\"\n"
	if err := os.WriteFile(filepath.Join(agents, "hooks.toml"), []byte(text), 0o600); err != nil {
		return err
	}
	for _, run := range append(matching, idle) {
		trust := b.process(run.dir, b.event, b.agentHooks, "trust", "--yes", "--project", run.dir)
		if _, err := trust.output(); err != nil {
			return err
		}
	}
	for _, run := range matching {
		if err := verify(trusted(run), 1); err != nil {
			return err
		}
	}
	return verify(configured, 1)
}
