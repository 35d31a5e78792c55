package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// installed compares entries as `install` writes them, with reviewed hooks or with example guards, and other
// programs with guards, to the same entry without a hook.
func (b *bench) installed() (string, error) {
	none, err := b.project("installed-none", 0, 0)
	if err != nil {
		return "", err
	}
	empty, err := b.entry(none)
	if err != nil {
		return "", err
	}
	t := table{head: []string{"a shell call with", "without a hook, ms", "ms", "it adds, ms", "ratio"}}
	for _, row := range []struct {
		name    string
		prepare func() (process, error)
	}{
		{"one reviewed hook in sh, which matches", func() (process, error) { return b.reviewed(0, 1) }},
		{"100 reviewed hooks, of which one in sh matches", func() (process, error) { return b.reviewed(99, 1) }},
		{"100 reviewed hooks, of which none matches", func() (process, error) { return b.reviewed(100, 0) }},
		{"28 example guards of the user that answer, none of which concerns it", func() (process, error) { return b.exampleGuards(none, 28) }},
		{"all example guards of the user that answer, none of which concerns it", func() (process, error) { return b.exampleGuards(none, allGuards) }},
		{"cc-safety-net in Node", func() (process, error) { return b.safetyNet(empty) }},
		{"Rampart in Go, with its defaults", func() (process, error) { return b.rampart(empty) }},
	} {
		run, err := row.prepare()
		if err == nil {
			_, err = run.output()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			t.add(row.name, "-", "not measured", "-", "-")
			continue
		}
		times, err := interleave(b.rounds, empty.time, run.time)
		if err != nil {
			return "", err
		}
		without, with := times[0], times[1]
		t.add(row.name, ms(milliseconds(without)), ms(milliseconds(with)), ms(added(with, without)), fmt.Sprintf("%.2f", ratio(with, without)))
	}
	return t.String(), nil
}

// entry returns what Claude Code's entry runs in a project before a call that no example guard concerns.
func (b *bench) entry(p project) (process, error) {
	run := b.process(p.dir, filepath.Join(p.dir, "call.json"), b.agentHooks, "run", "--agent", "claude-code", "--config-dir", filepath.Join(b.dir, "home", ".config"), "--require-trust", "PreToolUse")
	payload := bytes.Replace(fmt.Appendf(nil, claudePayload, p.dir), []byte("git push origin main"), []byte("git status --short"), 1)
	return run, os.WriteFile(run.stdin, payload, 0o644)
}

// reviewed returns an entry's run in a project whose hooks are reviewed.
func (b *bench) reviewed(idle, match int) (process, error) {
	p, err := b.project(fmt.Sprintf("reviewed-%d-%d", idle, match), idle, 0)
	for i := range match {
		if err == nil {
			err = p.hook(fmt.Sprintf("match-%d", i), "pre-tool-call", "Shell", `git\s+status`)
		}
	}
	if err != nil {
		return process{}, err
	}
	if _, err := b.process(p.dir, b.event, b.agentHooks, "trust", "--yes").output(); err != nil {
		return process{}, err
	}
	run, err := b.entry(p)
	if err != nil {
		return run, err
	}
	return run, verify(run, match)
}

// exampleGuards returns an entry's run with the example guards as the user's hooks, in a home of their own.
func (b *bench) exampleGuards(p project, most int) (process, error) {
	home := filepath.Join(b.dir, fmt.Sprint("guards-home-", most))
	if err := copyGuards(filepath.Join(home, ".config", "agents", "hooks"), most); err != nil {
		return process{}, err
	}
	run, err := b.entry(p)
	for i, arg := range run.args {
		if arg == filepath.Join(b.dir, "home", ".config") {
			run.args[i] = filepath.Join(home, ".config")
		}
	}
	return run.under("HOME=" + home), err
}

// safetyNet returns the run of cc-safety-net on the payload of a run.
func (b *bench) safetyNet(like process) (process, error) {
	dir := filepath.Join(b.dir, "cc-safety-net")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return process{}, err
	}
	if err := npmInstall(dir, "cc-safety-net"); err != nil {
		return process{}, err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return process{}, fmt.Errorf("%w: there is no node", errNotHere)
	}
	script, err := filepath.EvalSymlinks(filepath.Join(dir, "node_modules", ".bin", "cc-safety-net"))
	return b.process(like.dir, like.stdin, program{node}, script, "hook", "--claude-code"), err
}

// rampart returns the run of Rampart's hook on the payload of a run, in a home of its own. No registry has
// Rampart: whoever measures builds it from its source.
func (b *bench) rampart(like process) (process, error) {
	file, err := exec.LookPath("rampart")
	if err != nil {
		return process{}, fmt.Errorf("%w: rampart is not on PATH", errNotHere)
	}
	dir := filepath.Join(b.dir, "rampart")
	if err := os.MkdirAll(filepath.Join(dir, "home"), 0o700); err != nil {
		return process{}, err
	}
	from, err := os.Open(file)
	if err != nil {
		return process{}, err
	}
	defer from.Close()
	file = filepath.Join(dir, "rampart")
	if err := copyTo(file, from, cpPiece, 0o755); err != nil {
		return process{}, err
	}
	copies, err := copied(file, cpPiece)
	return b.process(like.dir, like.stdin, copies, "hook").under("HOME=" + filepath.Join(dir, "home")), err
}
