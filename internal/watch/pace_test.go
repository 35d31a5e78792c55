package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// pacing simulates a hook whose files change at given times.
type pacing struct {
	t    *testing.T
	hook *discovery.Hook
	pace Pace
	now  time.Time
}

func newPacing(t *testing.T) *pacing {
	return &pacing{t: t, hook: &discovery.Hook{Dir: t.TempDir()}, now: time.Now().Add(-24 * time.Hour)}
}

// run simulates a run of one second.
func (p *pacing) run() {
	p.pace.Begin(p.now)
	p.now = p.now.Add(time.Second)
	p.pace.End(p.now, true)
}

// change simulates a change of files at a time, which is detected now.
func (p *pacing) change(at time.Time, files ...string) Wait {
	p.t.Helper()
	p.write(at, files...)
	return p.pace.Judge(HookChange{Before: p.hook, After: p.hook, Files: files}, p.now)
}

func (p *pacing) write(at time.Time, files ...string) {
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
}

// TestPaceGrows checks that a hook that changes any file in each run waits longer and longer,
// and that a change of another file does not wait.
func TestPaceGrows(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"log", "HOOK.md", "run.sh"} {
		p := newPacing(t)
		if file != "log" {
			if w := p.change(p.now, file); w != (Wait{}) {
				t.Fatalf("before it ever ran: %+v", w)
			}
		}
		for i, want := range []time.Duration{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30} {
			p.run()
			w := p.change(p.now.Add(-time.Second/2), file)
			if w != (Wait{Pause: want * time.Second, Known: i > 10, Quiet: i > 11}) {
				t.Errorf("%s: after %d runs: %+v, want %v s", file, i+1, w, want)
			}
			again := p.change(p.now.Add(-time.Second/2), file)
			if again.Pause != w.Pause || again.Known != (w.Pause > 0) || again.Quiet != w.Quiet {
				t.Errorf("%s: changed twice in a run: %+v after %+v", file, again, w)
			}
		}
		if w := p.change(p.now.Add(-time.Second/2), file, "saved"); w.Pause != 0 || w.Quiet {
			t.Errorf("another file changes with it: %+v", w)
		}
		p.run()
		p.now = p.now.Add(time.Hour)
		if w := p.change(p.now, file); w != (Wait{}) {
			t.Errorf("changed long after it ran: %+v", w)
		}
		for range 12 {
			p.run()
			if w := p.change(p.now.Add(-time.Second/2), file); w.Pause > 0 {
				if w.Known || w.Pause != time.Second {
					t.Errorf("%s: the next pause goes unsaid: %+v", file, w)
				}
				break
			}
		}
	}
}

// TestPaceOfWhatIsLeftRunning checks that a change soon after each run is recognised, too, but
// later than one during the run, and is always reported.
func TestPaceOfWhatIsLeftRunning(t *testing.T) {
	t.Parallel()
	p := newPacing(t)
	for i := range 50 {
		p.run()
		p.now = p.now.Add(time.Second / 2)
		if w := p.change(p.now, "log"); w.Quiet || (w.Pause > 0) != (i >= 40) {
			t.Errorf("change %d: %+v", i, w)
		}
	}
}

// TestPaceOfBoth checks that a change is reported for a file that also changed between two
// runs, as after a save, even if it changed in every run.
func TestPaceOfBoth(t *testing.T) {
	t.Parallel()
	p := newPacing(t)
	for i := range 20 {
		p.run()
		w := p.change(p.now.Add(-time.Second/2), "run.sh")
		if i == 4 {
			w = p.change(p.now.Add(time.Second/2), "run.sh")
		}
		if w.Quiet || (w.Pause > 0) != (i > 9) {
			t.Errorf("change %d: %+v", i, w)
		}
	}
}

// TestPaceOfAFormatter checks that there is no wait if an editor saves twice, the second time
// during the run.
func TestPaceOfAFormatter(t *testing.T) {
	t.Parallel()
	p := newPacing(t)
	for i := range 8 {
		p.pace.Begin(p.now)
		p.now = p.now.Add(time.Second / 4)
		if w := p.change(p.now, "run.sh"); w != (Wait{}) {
			t.Errorf("written again %d: %+v", i, w)
		}
		p.pace.End(p.now, true) // it is stopped
		p.run()
		p.now = p.now.Add(time.Second / 2)
		if w := p.change(p.now, "run.sh"); w != (Wait{}) {
			t.Errorf("save %d: %+v", i, w)
		}
	}
}

// TestPaceOfASlowHook checks that there is no wait after nine saves during runs, each of which
// stops the run.
func TestPaceOfASlowHook(t *testing.T) {
	t.Parallel()
	p := newPacing(t)
	for i := range 9 {
		p.pace.Begin(p.now)
		p.now = p.now.Add(1700 * time.Millisecond)
		if w := p.change(p.now, "run.sh"); w != (Wait{}) {
			t.Errorf("save %d: %+v", i, w)
		}
		p.pace.End(p.now, true)
	}
}

// TestPaceOfAnAuthor checks that there is no wait if the same file is saved repeatedly, with a
// moment between a run and the next save, or without any run.
func TestPaceOfAnAuthor(t *testing.T) {
	t.Parallel()
	p := newPacing(t)
	for i := range 20 {
		p.run()
		p.now = p.now.Add(1100 * time.Millisecond)
		if w := p.change(p.now, "run.sh"); w != (Wait{}) {
			t.Errorf("save %d: %+v", i, w)
		}
	}
	for i := range 20 {
		p.pace.Begin(p.now)
		p.pace.End(p.now, false) // it has no cases
		if w := p.change(p.now, "run.sh"); w != (Wait{}) {
			t.Errorf("save %d of what does not run: %+v", i, w)
		}
	}
}

// TestPaceOfTheWhole checks that a hook that changes without a change of its files, for example
// by a hooks.toml, is recognised as well.
func TestPaceOfTheWhole(t *testing.T) {
	t.Parallel()
	p := newPacing(t)
	var w Wait
	for range 45 {
		p.run()
		w = p.change(p.now)
	}
	if w.Pause == 0 || w.Quiet {
		t.Errorf("it does not wait, or is not told: %+v", w)
	}
}
