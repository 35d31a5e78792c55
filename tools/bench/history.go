package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	pastCalls    = 10_000
	sessionCount = 100
	pastGoal     = 3000 // ms, with 20 constant answers on two processors
)

// pastCommands are the commands in generated transcripts. One of them is denied.
var pastCommands = [...]string{
	"ls -l", "git status", "go test ./...", "cd web && npm run build", "grep -rn x . | head -20", "npm publish", "sed -n 1,20p main.go",
	"cat README.md && git diff HEAD~1",
}

// pastSessions replays generated transcripts against constant answers.
func (b *bench) pastSessions() (string, error) {
	home := filepath.Join(b.dir, "past")
	if err := writePast(home); err != nil {
		return "", err
	}
	t := table{head: []string{"constant answers", "calls", "ms", "quartiles, ms", "calls per second"}}
	for _, guards := range []int{1, 20} {
		config := filepath.Join(b.dir, fmt.Sprintf("past-%d", guards))
		p := project{home, filepath.Join(config, "agents", "hooks")}
		for i := range guards {
			pattern := "^npm publish( |$)"
			if i > 0 {
				pattern = fmt.Sprintf("^kubectl( .*)? (delete|drain) node%d( |$)", i)
			}
			hook := fmt.Sprintf("guard-%d", i)
			if err := p.hook(hook, "pre-tool-call", "Shell", pattern, "metadata:\n  match: commands\n  answer:\n    decision: deny\n"); err != nil {
				return "", err
			}
			if err := p.replaceScript(hook, ""); err != nil {
				return "", err
			}
		}
		run := b.process(home, os.DevNull, b.agentHooks, "replay", "--from", "claude-code", "--json").under("HOME="+home, "XDG_CONFIG_HOME="+config)
		if err := verifyPast(run, guards); err != nil {
			return "", err
		}
		times, err := interleave(min(b.rounds, 5), run.time)
		if err != nil {
			return "", err
		}
		goal := 0.0
		if guards == 20 {
			goal = pastGoal
		}
		took := milliseconds(times[0])
		t.add(fmt.Sprint(guards), fmt.Sprint(pastCalls), against(took, goal, "%.0f"), spread(times[0]), fmt.Sprintf("%.0f", pastCalls/took*1000))
	}
	return t.String(), nil
}

// spread formats the quartiles of times.
func spread(times []time.Duration) string {
	list := make([]float64, len(times))
	for i, t := range times {
		list[i] = float64(t.Microseconds()) / 1000
	}
	return quartiles(list)
}

// verifyPast checks that each call was replayed.
func verifyPast(run process, guards int) error {
	out, err := run.output()
	if err != nil {
		return err
	}
	var report struct {
		Calls int
		Hooks []struct{ Denied int }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		return err
	}
	if report.Calls != pastCalls || len(report.Hooks) != guards || report.Hooks[0].Denied != pastCalls/len(pastCommands) {
		return fmt.Errorf("replay reported %d calls and hooks %v", report.Calls, report.Hooks)
	}
	return nil
}

// writePast writes transcripts of Claude Code below a home directory, in which the calls were made.
func writePast(home string) error {
	dir := filepath.Join(home, ".claude", "projects", "p")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	const each = pastCalls / sessionCount
	result := strings.Repeat("output ", 200)
	for session := range sessionCount {
		var b strings.Builder
		for i := range each {
			n := session*each + i
			fmt.Fprintf(&b, `{"type":"assistant","sessionId":"s%d","cwd":%q,"timestamp":"2026-01-02T03:04:05.000Z","message":{"content":[{"type":"tool_use","id":"toolu_%024d","name":"Bash","input":{"command":%q}}]}}`+"\n",
				session, home, n, fmt.Sprintf("%s # %d", pastCommands[n%len(pastCommands)], n%17))
			fmt.Fprintf(&b, `{"type":"user","sessionId":"s%d","message":{"content":[{"type":"tool_result","tool_use_id":"x","content":%q}]}}`+"\n", session, result)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.jsonl", session)), []byte(b.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}
