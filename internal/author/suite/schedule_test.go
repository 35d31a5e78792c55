package suite

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/watch"
)

// scheduled is a Schedule with one hook.
type scheduled struct {
	*Schedule
	t    *testing.T
	hook *discovery.Hook
}

func newScheduled(t *testing.T, most int) *scheduled {
	t.Helper()
	s := &scheduled{NewSchedule(most), t, &discovery.Hook{Folder: "guard", Dir: t.TempDir()}}
	s.write("HOOK.md", "scripts/run", "data/log")
	return s
}

// write appends to files of the hook.
func (s *scheduled) write(files ...string) {
	s.t.Helper()
	for _, name := range files {
		path := filepath.Join(s.hook.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			s.t.Fatal(err)
		}
		text, _ := os.ReadFile(path)
		if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *scheduled) change(files ...string) watch.HookChange {
	return watch.HookChange{Before: s.hook, After: s.hook, Files: files}
}

// finish waits for the running attempts, and reports them.
func (s *scheduled) finish() {
	for len(s.running) > 0 {
		(<-s.News())()
	}
}

// run adds a change in files, runs the hook if it should run, during which others change, and
// checks the files because of which it runs.
func (s *scheduled) run(c watch.HookChange, others []string, want ...string) {
	s.t.Helper()
	var because []string
	s.Add(c, func(files []string) []Attempt {
		because = files
		return []Attempt{func(context.Context) func() {
			s.write(others...)
			return func() {}
		}}
	})
	if !slices.Equal(because, want) {
		s.t.Errorf("%q: runs because of %q, want %q", c.Files, because, want)
	}
	s.Start(s.t.Context())
	s.finish()
}

// started starts what can start, and returns how many hooks that are.
func (s *scheduled) started() int {
	before := len(s.running)
	s.Start(s.t.Context())
	return len(s.running) - before
}

func TestScheduleOwnChanges(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 4)
	log, both := []string{"data/log"}, []string{"data/log", "data/more"}
	s.run(s.change("HOOK.md"), both, "HOOK.md")
	s.run(s.change(both...), both, both...) // its results, or edits by the author: one more run
	s.run(s.change(both...), nil)
	s.run(s.change(both...), nil)
	s.run(s.change("data/log", "scripts/run"), log, "scripts/run")
	s.run(s.change("data/log"), log, "data/log")
	s.run(s.change("data/log"), nil)
	s.run(s.change(), nil, ".")
	s.run(watch.HookChange{After: s.hook}, nil, ".")
	s.write("data/log")
	s.run(s.change("data/log"), log, "data/log")
	s.run(s.change("data/log"), log, "data/log")
	s.run(s.change("data/log"), nil)
	s.write("data/log") // after the run
	s.run(s.change("data/log"), nil, "data/log")
}

// TestScheduleSaves checks that each save during a run cancels it, and that the last state runs.
func TestScheduleSaves(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"HOOK.md", "scripts/run", "tests/one.yaml"} {
		s := newScheduled(t, 4)
		reported := 0
		slow := func([]string) []Attempt {
			return []Attempt{func(ctx context.Context) func() {
				<-ctx.Done()
				return func() { t.Error("a cancelled run is reported") }
			}}
		}
		s.Add(s.change("HOOK.md"), slow)
		s.Start(t.Context())
		for range 2 * most { // saves between which nothing ends, and one that is found late
			s.write(file)
			if !s.Add(s.change(file), slow) {
				t.Fatalf("%s: a save during a run starts no other run", file)
			}
		}
		s.finish()
		s.Start(t.Context())
		s.write(file)
		var because []string
		s.Add(s.change(file), func(files []string) []Attempt {
			because = files
			return []Attempt{func(context.Context) func() { return func() { reported++ } }}
		})
		if started := s.started(); started != 0 || len(s.waiting) != 1 {
			t.Errorf("%s: %d started, %d wait, during the run of the same hook", file, started, len(s.waiting))
		}
		s.finish()
		s.Start(t.Context())
		s.finish()
		if want := []string{file}; reported != 1 || !slices.Equal(because, want) {
			t.Errorf("%s: the last save runs %d times, because of %q", file, reported, because)
		}
	}
}

// TestScheduleRewritesItself checks that a hook that rewrites itself in each run is slowed down, and
// then stopped until its author saves it again.
func TestScheduleRewritesItself(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 4)
	rounds, delayed := 0, 0
	rewrite := func([]string) []Attempt {
		return []Attempt{func(context.Context) func() {
			rounds++
			s.write("scripts/run")
			return func() {}
		}}
	}
	for s.Add(s.change("scripts/run"), rewrite) && rounds <= 2*most {
		if r := s.waiting[0]; !r.earliest.IsZero() {
			r.earliest = time.Time{}
			delayed++
		}
		s.Start(t.Context())
		s.finish()
	}
	if rounds != most+1 || delayed != most-quick {
		t.Errorf("%d rounds, %d of them delayed", rounds, delayed)
	}
	s.write("scripts/run")
	if !s.Add(s.change("scripts/run"), rewrite) || s.waiting[0].streak != 0 {
		t.Error("a save after the last run starts none")
	}
}

// TestScheduleWakes checks that the caller is woken when a delayed round may start.
func TestScheduleWakes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScheduled(t, 4)
		s.Add(s.change("HOOK.md"), func([]string) []Attempt { return nil })
		s.waiting[0].earliest = time.Now().Add(calm)
		if started := s.started(); started != 0 {
			t.Errorf("%d started at once", started)
		}
		(<-s.News())()
		if started := s.started(); started != 1 {
			t.Errorf("%d started", started)
		}
		s.finish()
	})
}

// TestScheduleChangeAfterReport checks that a save after the result was reported is not one during
// the run.
func TestScheduleChangeAfterReport(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 4)
	s.run(s.change("HOOK.md"), []string{"data/log"}, "HOOK.md")
	found := false
	s.Add(s.change("data/log"), func([]string) []Attempt {
		return []Attempt{func(context.Context) func() {
			return func() {
				s.write("scripts/run")
				found = s.Add(s.change("scripts/run"), func([]string) []Attempt { return nil }) && !s.waiting[0].more
			}
		}}
	})
	s.Start(t.Context())
	s.finish()
	if !found {
		t.Error("a change when the result is reported counts as one during the run")
	}
}

func TestScheduleLimit(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 2)
	stop := make(chan struct{})
	for _, folder := range []string{"a", "b", "c"} {
		hook := &discovery.Hook{Folder: folder, Dir: t.TempDir()}
		s.Add(watch.HookChange{After: hook}, func([]string) []Attempt {
			return []Attempt{func(context.Context) func() {
				<-stop
				return func() {}
			}}
		})
	}
	if started := s.started(); started != 2 || len(s.waiting) != 1 {
		t.Errorf("%d started, %d wait", started, len(s.waiting))
	}
	close(stop)
	s.finish()
	s.Start(t.Context())
	s.finish()
}

func TestScheduleDrop(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 4)
	attempt := func(ctx context.Context) func() {
		<-ctx.Done()
		return func() { t.Error("a stopped attempt is reported") }
	}
	add := func() {
		s.Add(s.change("HOOK.md"), func([]string) []Attempt { return []Attempt{attempt, attempt} })
	}
	add()
	s.Start(t.Context())
	s.Add(s.change(), func([]string) []Attempt { return []Attempt{attempt} })
	s.Drop(watch.HookChange{Before: s.hook})
	if len(s.waiting) != 0 {
		t.Errorf("after its removal, %d wait", len(s.waiting))
	}
	s.finish()
	add()
	s.Start(t.Context())
	s.Wait()
}
