package state_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/state"
)

func count(t *testing.T, c state.Counter, hook string, want int) {
	t.Helper()
	if n, err := c.Add(hook); n != want || err != nil {
		t.Errorf("%s: %d, %v; want %d", hook, n, err, want)
	}
}

func TestCounter(t *testing.T) {
	dir := t.TempDir()
	c, sub, other := state.NewCounter(dir, "s", ""), state.NewCounter(dir, "s", "a"), state.NewCounter(dir, "t", "")
	count(t, c, "gate", 1)
	count(t, c, "gate", 2)
	count(t, c, "second", 1)
	count(t, sub, "gate", 1)
	count(t, other, "gate", 1)
	c.Reset()
	count(t, c, "gate", 1)
	count(t, sub, "gate", 2)
	c.Returned(" tests fail\n")
	if !c.Repeats(prompt("tests fail")) || c.Repeats(prompt("go on")) || other.Repeats(prompt("tests fail")) {
		t.Error("the last reason is not recognized")
	}
	c.ResetSession()
	count(t, sub, "gate", 1)
	count(t, other, "gate", 2)
}

func TestCounterImpossible(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []state.Counter{{}, state.NewCounter("", "s", ""), state.NewCounter(t.TempDir(), "", ""), state.NewCounter(file, "s", "")} {
		if n, err := c.Add("gate"); err == nil {
			t.Errorf("%+v counts %d", c, n)
		}
		c.Returned("x")
		c.Reset()
		c.ResetSession()
		if c.Repeats(prompt("x")) {
			t.Errorf("%+v remembers", c)
		}
	}
}

// Concurrent runs get different counts.
func TestCounterConcurrent(t *testing.T) {
	c := state.NewCounter(t.TempDir(), "s", "")
	var wait sync.WaitGroup
	var mu sync.Mutex
	seen := map[int]bool{}
	for range 20 {
		wait.Go(func() {
			n, err := c.Add("gate")
			mu.Lock()
			defer mu.Unlock()
			if err != nil || seen[n] || n < 1 || n > 20 {
				t.Errorf("%d, %v", n, err)
			}
			seen[n] = true
		})
	}
	wait.Wait()
}

func TestCounterIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 250 {
		count(t, state.NewCounter(dir, fmt.Sprint(i), ""), "gate", 1)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "stops"))
	if err != nil || len(entries) > 201 {
		t.Errorf("%d sessions, %v", len(entries), err)
	}
}

func prompt(text string) func() string { return func() string { return text } }
