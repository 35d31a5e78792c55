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

// changed checks the files because of which the hook runs.
func (s *scheduled) changed(c HookChange, want ...string) {
	s.t.Helper()
	if got := s.Changed(c); !slices.Equal(got, want) {
		s.t.Errorf("Changed(%q) = %q, want %q", c.Files, got, want)
	}
}

// run runs the hook, which changes files.
func (s *scheduled) run(files ...string) {
	s.t.Helper()
	s.Add(s.change("HOOK.md"), []string{"HOOK.md"}, func(context.Context) func() {
		s.write(files...)
		return func() {}
	})
	if started := s.Start(s.t.Context()); len(started) != 1 {
		s.t.Fatalf("%d started", len(started))
	}
	s.Wait()
}

func TestScheduleOwnChanges(t *testing.T) {
	s := newScheduled(t, 4)
	s.changed(s.change("HOOK.md"), "HOOK.md")
	for range 2 {
		s.run("data/log")
		s.changed(s.change("data/log"), "data/log") // its result, or saved by the author
	}
	s.run("data/log", "data/more")
	s.changed(s.change("data/log"))
	s.changed(s.change("data/log", "data/more"), "data/more")
	s.run("data/log", "data/more")
	s.run("data/log", "data/more")
	s.changed(s.change("data", "data/log", "data/more"), "data")
	s.changed(s.change("data/log", "data/more"))
	s.changed(s.change("data/log", "scripts/run"), "scripts/run")
	s.changed(s.change(), ".")
	s.changed(HookChange{After: s.hook}, ".")
	s.write("data/log")
	s.changed(s.change("data/log"), "data/log")
	s.run()
	s.changed(s.change("data/log"), "data/log") // changed before the run, but read by it or not
}

func TestScheduleChangesDuringRun(t *testing.T) {
	s := newScheduled(t, 4)
	stop := make(chan struct{})
	s.Add(s.change("HOOK.md"), []string{"HOOK.md"}, func(context.Context) func() {
		<-stop
		return func() {}
	})
	s.Start(t.Context())
	s.changed(s.change("scripts/run"), "scripts/run") // reported late
	s.write("scripts/run")
	s.changed(s.change("scripts/run"), "scripts/run")
	s.changed(s.change(), ".") // its settings
	s.Add(s.change(), []string{"."})
	s.changed(s.change("HOOK.md"), "HOOK.md", ".")
	if started := s.Start(t.Context()); len(started) != 0 || s.Waiting() != 1 {
		t.Errorf("%d started, %d wait, during the run of the same hook", len(started), s.Waiting())
	}
	close(stop)
	s.Wait()
	if started := s.Start(t.Context()); len(started) != 1 {
		t.Errorf("%d started after the run", len(started))
	}
	s.Wait()
}

func TestScheduleLimit(t *testing.T) {
	s := newScheduled(t, 2)
	stop := make(chan struct{})
	for _, folder := range []string{"a", "b", "c"} {
		hook := &discovery.Hook{Folder: folder, Dir: t.TempDir()}
		s.Add(HookChange{After: hook}, []string{"."}, func(context.Context) func() {
			<-stop
			return nil
		})
	}
	if started := s.Start(t.Context()); len(started) != 2 || s.Waiting() != 1 || len(s.Running()) != 2 {
		t.Errorf("%d started, %d run, %d wait", len(started), len(s.Running()), s.Waiting())
	}
	close(stop)
	s.Wait()
	s.Start(t.Context())
	s.Wait()
}

func TestScheduleDrop(t *testing.T) {
	s := newScheduled(t, 4)
	attempt := func(ctx context.Context) func() {
		<-ctx.Done()
		return func() { t.Error("a stopped attempt is reported") }
	}
	s.Add(s.change("HOOK.md"), []string{"HOOK.md"}, attempt, attempt)
	r := s.Start(t.Context())[0]
	s.Add(s.change(), []string{"."}, attempt)
	s.Drop(HookChange{Before: s.hook})
	if s.Runs(r) || s.Waiting() != 0 {
		t.Errorf("after its removal: runs %v, %d wait", s.Runs(r), s.Waiting())
	}
	for len(s.Running()) > 0 {
		if report := s.Finish(<-s.Results()); report != nil {
			report()
		}
	}
}
