package state_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/state"
)

func TestFirst(t *testing.T) {
	t.Parallel()
	m := state.FactsIn(filepath.Join(t.TempDir(), "state"))
	if !m.Add("s", "ab", "c") || m.Add("s", "ab", "c") || !m.Add("s", "a", "bc") {
		t.Error("a fact is new exactly once")
	}
	if !m.Has("s", "ab", "c") || m.Has("s") {
		t.Error("Has")
	}
}

func TestBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := state.FactsIn(dir)
	for i := range 9000 {
		m.Add(strconv.Itoa(i))
	}
	if !m.Has("8999") || !m.Has("5000") || m.Has("0") {
		t.Error("the newest facts are kept and the oldest forgotten")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v", entries, err)
	}
	for _, e := range entries {
		if info, _ := e.Info(); info.Size() > 33<<10 {
			t.Errorf("%s has %d bytes", e.Name(), info.Size())
		}
	}
}

func TestNoDirectory(t *testing.T) {
	t.Parallel()
	for _, m := range []state.Facts{{}, state.FactsIn("/dev/null/x")} {
		for range 2 {
			if !m.Add("a") {
				t.Error("a key that cannot be stored is new each time")
			}
		}
	}
}
