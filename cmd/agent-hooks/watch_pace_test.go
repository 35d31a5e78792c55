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

// pacing is a hook whose files change at chosen times.
type pacing struct {
	t    *testing.T
	hook *discovery.Hook
	pace pace
	now  time.Time
}

func newPacing(t *testing.T) *pacing {
	return &pacing{t: t, hook: &discovery.Hook{Dir: t.TempDir()}, now: time.Now().Add(-24 * time.Hour)}
}

// run is a run of a second.
func (p *pacing) run() {
	p.pace.begin(p.now)
	p.now = p.now.Add(time.Second)
	p.pace.end(p.now, true)
}

// change changes files at some time, which is seen now.
func (p *pacing) change(at time.Time, files ...string) wait {
	p.t.Helper()
	for _, file := range files {
		path := filepath.Join(p.hook.Dir, file)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			p.t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			p.t.Fatal(err)
		}
	}
	return p.pace.judge(discovery.HookChange{Before: p.hook, After: p.hook, Files: files}, p.now)
}

// TestPaceGrows holds that a hook that changes a file in each run waits longer
// and longer, whatever the file is, and that another file does not wait.
func TestPaceGrows(t *testing.T) {
	for _, file := range []string{"log", "HOOK.md", "run.sh"} {
		p := newPacing(t)
		if w := p.change(p.now, file); w.pause != 0 {
			t.Fatalf("before it ever ran: %+v", w)
		}
		for i, want := range []time.Duration{0, 0, 1, 2, 4, 8, 16, 30, 30} {
			p.run()
			w := p.change(p.now.Add(-time.Second/2), file)
			if w.pause != want*time.Second || w.known != (i > 2) || w.quiet != w.known {
				t.Errorf("%s: after %d runs: %+v, want %v s", file, i+1, w, want)
			}
			if again := p.change(p.now.Add(-time.Second/2), file); again.pause != w.pause {
				t.Errorf("%s: changed twice in a run: %+v", file, again)
			}
		}
		kept := discovery.HookChange{Before: p.hook, After: p.hook, Files: []string{file}, Kept: true}
		if w := p.pace.judge(kept, p.now); w.quiet {
			t.Errorf("%s: that it is broken goes unsaid", file)
		}
		if w := p.change(p.now.Add(-time.Second/2), file, "saved"); w.pause != 0 {
			t.Errorf("another file changes with it: %+v", w)
		}
		p.run()
		p.now = p.now.Add(time.Hour)
		if w := p.change(p.now, file); w.pause != 0 || w.quiet {
			t.Errorf("changed long after it ran: %+v", w)
		}
	}
}

// TestPaceOfWhatIsLeftRunning holds that a change soon after each run is known
// too, but later than one in it, and always told.
func TestPaceOfWhatIsLeftRunning(t *testing.T) {
	p := newPacing(t)
	pauses := 0
	for range 12 {
		p.run()
		p.now = p.now.Add(time.Second / 2)
		w := p.change(p.now, "log")
		if w.quiet {
			t.Errorf("%+v goes unsaid", w)
		}
		if w.pause > 0 {
			pauses++
		}
	}
	if pauses != 4 {
		t.Errorf("of 12 changes soon after a run, %d made it wait", pauses)
	}
}

// TestPaceOfAnAuthor holds that nobody waits who saves the same file again and
// again, with a moment between a run and the next save, or without any run.
func TestPaceOfAnAuthor(t *testing.T) {
	p := newPacing(t)
	for i := range 20 {
		p.run()
		p.now = p.now.Add(1100 * time.Millisecond)
		if w := p.change(p.now, "run.sh"); w != (wait{}) {
			t.Errorf("save %d: %+v", i, w)
		}
	}
	for i := range 20 {
		p.pace.begin(p.now)
		p.pace.end(p.now, false) // it has no cases
		if w := p.change(p.now, "run.sh"); w != (wait{}) {
			t.Errorf("save %d of what does not run: %+v", i, w)
		}
	}
}

// TestPaceOfTheWhole holds that what changes without a change of its files, such
// as by a hooks.toml, is known as well.
func TestPaceOfTheWhole(t *testing.T) {
	p := newPacing(t)
	var w wait
	for range 12 {
		p.run()
		w = p.change(p.now)
	}
	if w.pause == 0 || w.quiet {
		t.Errorf("it does not wait, or is not told: %+v", w)
	}
}

// scheduling is a watch whose hook does nothing when it runs.
func scheduling(t *testing.T) (*watching, func(wait wait, files ...string)) {
	hook := &discovery.Hook{Folder: "guard", Dir: t.TempDir(), State: discovery.Active}
	hook.Trigger = spec.PreToolCall
	w := &watching{
		event: &protocol.Event{Type: spec.PreToolCall}, results: make(chan result, 1), env: &Env{Getenv: os.Getenv},
		paces: map[string]*pace{}, came: map[string]string{}, running: map[string]*attempt{},
	}
	return w, func(wait wait, files ...string) {
		change := discovery.HookChange{Before: hook, After: hook, Files: files}
		w.schedule(reloaded{hooks: &agenthooks.Hooks{}}, change, wait)
		for _, attempt := range w.waiting {
			attempt.run = func(ctx context.Context) outcome {
				<-ctx.Done()
				return outcome{tell: func() { t.Error("a stopped run is told") }}
			}
		}
	}
}

// TestWatchRunsAfterTheLastSave holds that a change while a hook runs makes it
// run again, at once or after a pause, on the event too though the next change
// does not concern it.
func TestWatchRunsAfterTheLastSave(t *testing.T) {
	w, changed := scheduling(t)
	changed(wait{}, "scripts/run")
	w.next(t.Context())
	if len(w.running) != 1 || len(w.waiting) != 1 {
		t.Fatalf("%d run, %d wait", len(w.running), len(w.waiting))
	}
	changed(wait{}, "scripts/run")
	w.next(t.Context())
	w.finish(<-w.results) // it has been stopped
	w.next(t.Context())
	if len(w.running) != 1 || len(w.waiting) != 1 {
		t.Fatalf("after a second save %d run, %d wait", len(w.running), len(w.waiting))
	}
	running := w.running["/guard"]
	changed(wait{pause: time.Hour}, "tests/a.yaml")
	w.next(t.Context())
	if len(w.waiting) != 3 || !w.waiting[1].onEvent || running.outdated || w.due == nil {
		t.Fatalf("what runs goes on, and what waits is of the next: %+v, outdated %v", w.waiting, running.outdated)
	}
	changed(wait{pause: 2 * time.Hour}, "tests/a.yaml")
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

// TestCameOfAnotherState holds that cases are told of again when their hook is
// disabled, although the same came of them.
func TestCameOfAnotherState(t *testing.T) {
	came := func(state discovery.State) string {
		return (&suite{hook: &discovery.Hook{State: state}}).came()
	}
	if came(discovery.Active) == came(discovery.Disabled) || came(discovery.Disabled) == came(discovery.Overridden) {
		t.Error("the same came of a hook in another state")
	}
}
