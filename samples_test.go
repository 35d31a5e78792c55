package agenthooks_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/agent-hooks/agent-hooks/testdata/events"
)

func TestSamples(t *testing.T) {
	names := events.Names()
	size := 0
	for _, name := range names {
		b, err := events.Sample(name)
		if err != nil {
			t.Fatal(err)
		}
		size += len(b)
		var object struct {
			Type spec.EventType `json:"event_type"`
			Own  string         `json:"hook_event_name"`
		}
		if err := json.Unmarshal(b, &object); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		agent, event, isAgent := strings.Cut(name, "/")
		switch {
		case isAgent && object.Own != event:
			t.Errorf("%s of %s has the event name %q", event, agent, object.Own)
		case !isAgent && !slices.Equal(events.Events(name), []spec.EventType{object.Type}):
			t.Errorf("%s is mapped to %v, but its event_type is %q", name, events.Events(name), object.Type)
		}
	}
	if size > 100<<10 {
		t.Errorf("the samples have %d bytes", size)
	}
	for _, info := range spec.Events() {
		if !slices.Contains(names, string(info.Event)) {
			t.Errorf("no sample of %s", info.Event)
		}
	}
	for _, name := range []string{"claude/PreToolUse", "codex/Stop", "gemini/BeforeTool", "rm-rf"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among the names", name)
		}
	}
}

// TestEveryFileHasItsEvent checks that every sample is mapped to an event.
func TestEveryFileHasItsEvent(t *testing.T) {
	elsewhere := []string{ // events that the format lacks
		"claude/PostToolBatch", "gemini/BeforeToolSelection",
	}
	entries, err := os.ReadDir("testdata/events/agents")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := strings.Replace(strings.TrimSuffix(e.Name(), ".json"), "-", "/", 1)
		unmapped := slices.Contains(elsewhere, name) || strings.HasPrefix(name, "opencode/")
		if got := len(events.Events(name)) > 0; got == unmapped {
			t.Errorf("%s is mapped: %v", name, got)
		}
	}
}

func TestUnknownSamples(t *testing.T) {
	for _, name := range []string{"", "nothing", "claude/", "claude/Nothing", "claude/PostToolBatch", "../events/rm-rf", "agents/claude-PreToolUse", "cursor/PreToolUse"} {
		if b, err := events.Sample(name); err == nil {
			t.Errorf("Sample(%q) is %q", name, b)
		}
	}
}
