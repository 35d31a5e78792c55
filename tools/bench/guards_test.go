package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAsksToStop(t *testing.T) {
	dir := t.TempDir()
	for script, want := range map[string]bool{
		"exit 0": false, "exit 1": false, "exit 2": true, `echo '{"decision": "block"}'`: true, "echo words": false,
		`echo '{"hookSpecificOutput": {"permissionDecision": "ask"}}'`: true, `grep -q '"command":"rm x"' && exit 2`: true,
	} {
		file := filepath.Join(dir, "hook.sh")
		if err := os.WriteFile(file, []byte(script+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := asksToStop("sh "+file, "rm x", dir, dir); got != want || err != nil {
			t.Errorf("%s: %v, %v", script, got, err)
		}
	}
}

func TestReadSamples(t *testing.T) {
	file := filepath.Join(t.TempDir(), "data")
	for text, want := range map[string]int{"{\"command\": \"a\"}\n{\"command\": \"b\", \"label\": \"x\"}\n": 2, "{\"label\": \"x\"}\n": -1, "x\n": -1} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if samples, err := readSamples(file); want < 0 != (err != nil) || err == nil && len(samples) != want {
			t.Errorf("%q: %v, %v", text, samples, err)
		}
	}
}
