package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
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

func (s *scheduled) change(files ...string) HookChange {
	return HookChange{Before: s.hook, After: s.hook, Files: files}
}

// causes checks the files because of which the hook runs, and whether that is a check.
func (s *scheduled) causes(c HookChange, check bool, want ...string) {
	s.t.Helper()
	if r := s.Schedule.causes(c); !slices.Equal(r.files, want) || (len(r.suspects) > 0) != check {
		s.t.Errorf("%q: runs because of %q, suspects %v; want %q", c.Files, r.files, r.suspects, want)
	}
}

// run runs the hook after a change in files; it changes others.
func (s *scheduled) run(c HookChange, others ...string) {
	s.t.Helper()
	s.Add(c, func([]string) []Attempt {
		return []Attempt{func(context.Context) func() {
			s.write(others...)
			return func() {}
		}}
	})
	for len(s.waiting) > 0 {
		s.Start(s.t.Context())
		if len(s.running) == 0 {
			<-s.Due()
		}
		s.Wait()
	}
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
	s.causes(s.change("HOOK.md"), false, "HOOK.md")
	s.run(s.change("HOOK.md"), "data/log", "data/more")
	logged := s.change("data/log", "data/more")
	for range checks {
		s.causes(logged, true, "data/log", "data/more") // its results, or edits by the author
		s.run(logged, "data/log", "data/more")
	}
	s.causes(logged, false)
	s.run(s.change("HOOK.md"), "data/log")
	s.causes(s.change("data/log"), false)
	s.causes(s.change("data/log", "scripts/run"), false, "scripts/run")
	s.causes(s.change(), false, ".")
	s.causes(HookChange{After: s.hook}, false, ".")
	s.run(s.change("HOOK.md"), "data/log", "data/more")
	s.causes(logged, true, "data/more")
	s.write("data/log")
	s.causes(s.change("data/log"), false, "data/log")
	s.run(s.change("HOOK.md"))
	s.run(s.change("HOOK.md"), "data/log")
	s.causes(s.change("data/log"), true, "data/log") // the previous run did not change it
}

func TestScheduleChangesDuringRun(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 4)
	stop := make(chan struct{})
	s.Add(s.change("HOOK.md"), func([]string) []Attempt {
		return []Attempt{func(context.Context) func() {
			<-stop
			return func() {}
		}}
	})
	s.Start(t.Context())
	s.causes(s.change("scripts/run"), false, "scripts/run") // reported late
	s.write("scripts/run")
	s.causes(s.change("scripts/run"), true, "scripts/run")
	s.causes(s.change(), false, ".") // its settings
	none := func([]string) []Attempt { return nil }
	s.Add(s.change(), none)
	if s.Due() != nil {
		t.Error("a change during a run that is not in its files is delayed")
	}
	var files []string
	s.Add(s.change("scripts/run", "HOOK.md"), func(all []string) []Attempt {
		files = all
		return nil
	})
	if want := []string{"scripts/run", "HOOK.md", "."}; !slices.Equal(files, want) {
		t.Errorf("runs because of %q, want %q", files, want)
	}
	if started := s.started(); started != 0 || len(s.waiting) != 1 {
		t.Errorf("%d started, %d wait, during the run of the same hook", started, len(s.waiting))
	}
	close(stop)
	s.Wait()
	if started := s.started(); started != 0 {
		t.Errorf("%d started before its time", started)
	}
	s.write("scripts/run")
	s.Add(s.change("scripts/run"), none)
	if n := s.waiting[0].suspects["scripts/run"]; n != 0 {
		t.Errorf("a file that changed while nothing runs is suspected after %d runs", n)
	}
	if started := s.started(); started != 1 {
		t.Errorf("%d started after the run", started)
	}
	s.Wait()
}

func TestScheduleLimit(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 2)
	stop := make(chan struct{})
	for _, folder := range []string{"a", "b", "c"} {
		hook := &discovery.Hook{Folder: folder, Dir: t.TempDir()}
		s.Add(HookChange{After: hook}, func([]string) []Attempt {
			return []Attempt{func(context.Context) func() {
				<-stop
				return nil
			}}
		})
	}
	if started := s.started(); started != 2 || len(s.waiting) != 1 {
		t.Errorf("%d started, %d wait", started, len(s.waiting))
	}
	close(stop)
	s.Wait()
	s.Start(t.Context())
	s.Wait()
}

func TestScheduleDrop(t *testing.T) {
	t.Parallel()
	s := newScheduled(t, 4)
	attempt := func(ctx context.Context) func() {
		<-ctx.Done()
		return func() { t.Error("a stopped attempt is reported") }
	}
	s.Add(s.change("HOOK.md"), func([]string) []Attempt { return []Attempt{attempt, attempt} })
	s.Start(t.Context())
	s.Add(s.change(), func([]string) []Attempt { return []Attempt{attempt} })
	s.Drop(HookChange{Before: s.hook})
	if len(s.waiting) != 0 {
		t.Errorf("after its removal, %d wait", len(s.waiting))
	}
	for len(s.running) > 0 {
		if report := s.Finish(<-s.Results()); report != nil {
			report()
		}
	}
}
