package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestWatchKnowsWhatRanBefore holds that what a hook wrote while it ran on the
// event is still known as its own while its cases run.
func TestWatchKnowsWhatRanBefore(t *testing.T) {
	hook := &discovery.Hook{Folder: "guard", Dir: t.TempDir(), State: discovery.Active}
	hook.Trigger = spec.PreToolCall
	w := &watching{
		event: &protocol.Event{Type: spec.PreToolCall}, results: make(chan result, 1),
		ran: map[string]*span{}, again: map[string]bool{}, running: map[string]*attempt{},
	}
	changed := func(files ...string) discovery.HookChange {
		return discovery.HookChange{Before: hook, After: hook, Files: files}
	}
	w.schedule(reloaded{Change: discovery.Change{Hooks: []discovery.HookChange{changed("scripts/run")}}, hooks: &agenthooks.Hooks{}})
	if len(w.waiting) != 2 {
		t.Fatalf("%d attempts wait", len(w.waiting))
	}
	onEvent, onCases := w.waiting[0], w.waiting[1]
	for _, attempt := range w.waiting {
		attempt.run = func(context.Context) func() { return func() {} }
	}
	w.start(t.Context(), onEvent)
	if err := os.WriteFile(filepath.Join(hook.Dir, "log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.finish(<-w.results)
	// Each of them takes an hour.
	written := time.Now().Add(-90 * time.Minute)
	if err := os.Chtimes(filepath.Join(hook.Dir, "log"), written, written); err != nil {
		t.Fatal(err)
	}
	onEvent.ran.began, onEvent.ran.ended = written.Add(-30*time.Minute), written.Add(30*time.Minute)
	w.start(t.Context(), onCases)
	key := keyOf(hook)
	if !w.itself(key, changed("log")) {
		t.Error("what the hook wrote on the event is another's while its cases run")
	}
	w.finish(<-w.results)
	if !w.itself(key, changed("log")) {
		t.Error("what the hook wrote on the event is another's after its cases")
	}
	if w.itself(key, changed("log", "scripts/run")) {
		t.Error("a saved script is the hook's own")
	}
}
