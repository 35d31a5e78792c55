package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/watch"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

// scheduling is a watch whose hook does nothing when it runs.
func scheduling(t *testing.T) (*watching, func(wait watch.Wait, files ...string)) {
	hook := &discovery.Hook{Folder: "guard", Dir: t.TempDir(), State: discovery.Active}
	hook.Trigger = spec.PreToolCall
	w := &watching{
		event: &protocol.Event{Type: spec.PreToolCall}, results: make(chan result, 1), env: &Env{Getenv: os.Getenv},
		paces: map[string]*watch.Pace{}, came: map[string]string{}, stands: map[string]string{}, running: map[string]*attempt{},
	}
	return w, func(wait watch.Wait, files ...string) {
		change := watch.HookChange{Before: hook, After: hook, Files: files}
		w.schedule(reloaded{hooks: &agenthooks.Hooks{}}, change, wait)
		for _, attempt := range w.waiting {
			attempt.run = func(ctx context.Context) outcome {
				<-ctx.Done()
				return outcome{tell: func() { t.Error("a stopped run is told") }}
			}
		}
	}
}

// TestWatchRunsAfterTheLastSave checks that a change while a hook runs makes it
// run again, at once or after a pause, on the event too though the next change
// does not concern it.
func TestWatchRunsAfterTheLastSave(t *testing.T) {
	w, changed := scheduling(t)
	changed(watch.Wait{}, "scripts/run")
	w.next(t.Context())
	if len(w.running) != 1 || len(w.waiting) != 1 {
		t.Fatalf("%d run, %d wait", len(w.running), len(w.waiting))
	}
	changed(watch.Wait{}, "scripts/run")
	w.next(t.Context())
	w.finish(<-w.results) // it has been stopped
	w.next(t.Context())
	if len(w.running) != 1 || len(w.waiting) != 1 {
		t.Fatalf("after a second save %d run, %d wait", len(w.running), len(w.waiting))
	}
	running := w.running["/guard"]
	changed(watch.Wait{Pause: time.Hour}, "tests/a.yaml")
	w.next(t.Context())
	if len(w.waiting) != 3 || !w.waiting[1].onEvent || running.outdated || w.due == nil {
		t.Fatalf("what runs goes on, and what waits is of the next: %+v, outdated %v", w.waiting, running.outdated)
	}
	changed(watch.Wait{Pause: 2 * time.Hour}, "tests/a.yaml")
	w.next(t.Context())
	if due := w.waiting[1].round.due; len(w.waiting) != 3 || time.Until(due) > time.Hour {
		t.Fatalf("a later change puts it off: %v, %d wait", due, len(w.waiting))
	}
	w.waiting[1].round.due = time.Now()
	w.next(t.Context())
	if !running.outdated {
		t.Fatal("it is due, and the old one not stopped")
	}
	w.finish(<-w.results)
	w.next(t.Context())
	if len(w.running) != 1 || len(w.waiting) != 1 {
		t.Fatalf("when it is due %d run, %d wait", len(w.running), len(w.waiting))
	}
	w.running["/guard"].cancel()
	<-w.results
}

// TestWatchTellsWhatDiffers holds what is told of runs that come by themselves.
func TestWatchTellsWhatDiffers(t *testing.T) {
	w, _ := scheduling(t)
	told := 0
	finish := func(quiet bool, came string) int {
		told = 0
		a := &attempt{key: "guard", round: &round{quiet: quiet}, cancel: func() {}}
		w.finish(result{a, outcome{ran: true, came: came, tell: func() { told++ }}})
		return told
	}
	for i, step := range []struct {
		quiet bool
		came  string
		want  int
	}{{false, "pass", 1}, {false, "pass", 1}, {true, "pass", 0}, {true, "fail", 1}, {true, "fail", 0}, {false, "fail", 1}} {
		if got := finish(step.quiet, step.came); got != step.want {
			t.Errorf("%d: told %d times, want %d", i, got, step.want)
		}
	}
}

// TestWatchTellsWhatHolds checks that of a hook that changes itself only what holds
// of it again is told, also while its last good version stays.
func TestWatchTellsWhatHolds(t *testing.T) {
	w, _ := scheduling(t)
	var out strings.Builder
	w.env.Stdout = &out
	hook := &discovery.Hook{Dir: t.TempDir(), Folder: "guard", State: discovery.Active}
	hook.Trigger, hook.File = spec.PreToolCall, filepath.Join(hook.Dir, "HOOK.md")
	change := watch.HookChange{Before: hook, After: hook, Files: []string{"log"}}
	pace, now := &watch.Pace{}, time.Now().Add(-24*time.Hour)
	w.paces[keyOf(hook)] = pace
	runAndLog := func() {
		pace.Begin(now)
		now = now.Add(time.Second)
		pace.End(now, true)
		file, at := filepath.Join(hook.Dir, "log"), now.Add(-time.Second/2)
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	take := func(head string) string {
		if err := os.WriteFile(hook.File, []byte("---\n"+head+"\n---\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		runAndLog()
		w.take(reloaded{Change: watch.Change{Hooks: []watch.HookChange{change}}, hooks: &agenthooks.Hooks{}}, false)
		return out.String()
	}
	const good = "name: guard\ndescription: Says no.\ntrigger: pre-tool-call"
	told := 0
	for range 20 {
		told += strings.Count(take(good), "that changes each time it runs")
	}
	if told != 1 {
		t.Errorf("that it waits is told %d times", told)
	}
	if text := take(good); text != "" {
		t.Errorf("as before:\n%s", text)
	}
	for _, kept := range []bool{false, true} {
		change.Kept = kept
		head := fmt.Sprintf("%s\nkept-%t: 1", good, kept)
		if text := take(head); !strings.Contains(text, "unknown key") || strings.Contains(text, "its last good version runs") != kept {
			t.Errorf("broken, kept %t:\n%s", kept, text)
		}
		if text := take(head); text != "" {
			t.Errorf("broken as before, kept %t:\n%s", kept, text)
		}
	}
	for _, state := range []discovery.State{discovery.Disabled, discovery.Active} {
		hook.State = state
		if text := take(good); text == "" {
			t.Errorf("it goes unsaid that it is %s", state)
		}
	}
}

// TestCameOfAnotherState checks that cases are told of again when their hook is
// disabled, although the same came of them.
func TestCameOfAnotherState(t *testing.T) {
	came := func(state discovery.State) string {
		return (&suite{hook: &discovery.Hook{State: state}}).came()
	}
	if came(discovery.Active) == came(discovery.Disabled) || came(discovery.Disabled) == came(discovery.Overridden) {
		t.Error("the same came of a hook in another state")
	}
}
