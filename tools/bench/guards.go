package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sample is one line of the data: a command and its label, such as "harmless".
type sample struct {
	Command string `json:"command"`
	Label   string `json:"label"`
}

// countStops counts, for each label of a file of samples, the commands that the example guards
// that answer, and the peers, stop. A peer is a hook for Claude Code's PreToolUse: its command
// line, split at spaces. All run in a new home, without the caller's environment.
func (b *bench) countStops(file string, peers []string) (string, error) {
	samples, err := readSamples(file)
	if err != nil {
		return "", err
	}
	home := filepath.Join(b.dir, "guarded")
	work := filepath.Join(home, "work")
	if err := copyGuards(filepath.Join(home, ".config", "agents", "hooks"), allGuards); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(work, ".git"), 0o755); err != nil {
		return "", err
	}
	lines := slices.Concat([]string{b.agentHooks.copy(0) + " run pre-tool-call --agent claude"}, peers)
	var labels []string
	total, stopped := map[string]int{}, map[string][]int{}
	for _, s := range samples {
		if total[s.Label]++; total[s.Label] == 1 {
			labels, stopped[s.Label] = append(labels, s.Label), make([]int, len(lines))
		}
		for i, line := range lines {
			stops, err := asksToStop(line, s.Command, home, work)
			if err != nil {
				return "", err
			}
			if stops {
				stopped[s.Label][i]++
			}
		}
	}
	t := table{head: slices.Concat([]string{"label", "commands", "agent-hooks"}, peers)}
	for _, label := range labels {
		row := []string{label, fmt.Sprint(total[label])}
		for _, n := range stopped[label] {
			row = append(row, fmt.Sprint(n))
		}
		t.add(row...)
	}
	return t.String(), nil
}

// readSamples reads a file of JSON lines.
func readSamples(file string) (samples []sample, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil || s.Command == "" {
			return nil, fmt.Errorf("%s: line %d has no command (%v)", file, len(samples)+1, err)
		}
		samples = append(samples, s)
	}
	return samples, lines.Err()
}

const allGuards = 1000

// copyGuards copies the example hooks that answer before a tool call, at most as many as given.
func copyGuards(to string, most int) error {
	const examples = "examples/.agents/hooks"
	folders, err := os.ReadDir(examples)
	if err != nil {
		return err
	}
	for _, f := range folders {
		from := filepath.Join(examples, f.Name())
		text, err := os.ReadFile(filepath.Join(from, "HOOK.md"))
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("\ntrigger: pre-tool-call\n")) && bytes.Contains(text, []byte("\n  answer:\n")) {
			if err := os.CopyFS(filepath.Join(to, f.Name()), os.DirFS(from)); err != nil {
				return err
			}
			most--
		}
		if most == 0 {
			break
		}
	}
	return nil
}

// asksToStop runs a hook for a shell command and reports whether it denies or asks.
func asksToStop(line, command, home, work string) (bool, error) {
	event, err := json.Marshal(map[string]any{
		"session_id": "bench", "hook_event_name": "PreToolUse", "cwd": work, "tool_name": "Bash", "tool_input": map[string]string{"command": command},
	})
	if err != nil {
		return false, err
	}
	words := strings.Fields(line)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = work, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, bytes.NewReader(event), time.Second
	out, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return exit.ExitCode() == 2, nil
	}
	var answer struct {
		Decision string
		Output   struct{ PermissionDecision string } `json:"hookSpecificOutput"`
	}
	_ = json.Unmarshal(out, &answer)
	return answer.Decision == "block" || answer.Output.PermissionDecision == "deny" || answer.Output.PermissionDecision == "ask", err
}
