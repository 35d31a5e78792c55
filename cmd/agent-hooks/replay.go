package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/trial"
	"github.com/agent-hooks/agent-hooks/spec"
)

type replayFlags struct {
	projectFlags
	hook, event   string
	inPlace, json bool
	jobs          int
}

func (f *replayFlags) declare(fs *flag.FlagSet) {
	f.projectFlags.declare(fs)
	fs.StringVar(&f.hook, "hook", "", "run only the hook `NAME`")
	fs.StringVar(&f.event, "event", "", "events that do not say what they are, are `EVENT`")
	fs.BoolVar(&f.inPlace, "in-place", false, "run in the recorded directories and with your HOME, not in empty ones: hooks may change files there")
	fs.IntVar(&f.jobs, "j", 0, "run `N` events at once; 0: one for each CPU, with --in-place one")
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

// replayCommand is `agent-hooks replay [DIR]`: it shows how the hooks would decide on recorded
// events now. The exit status is 1 if any verdict changed.
func replayCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[replayFlags]("replay", args)
	if err == nil && len(args) > 1 {
		err = noArguments("replay", args[1:])
	}
	if err == nil {
		err = flags.check()
	}
	if err != nil {
		return 0, err
	}
	r := &replaying{env: env, flags: flags}
	if r.dir, err = env.eventsDir(args); err != nil {
		return 0, err
	}
	if r.names, err = eventFiles(r.dir); err != nil {
		return 0, err
	}
	if r.hooks, err = r.atHome(); err != nil {
		return 0, err
	}
	ctx, signals := catchSignals(context.Background())
	defer signals.release()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go whenUnread(env.Stdout, stop)
	err = r.run(ctx)
	if err == nil {
		err = r.summary()
	}
	signals.dieIfCaught()
	if err != nil && !errors.Is(err, syscall.EPIPE) { // the reader has closed stdout
		return 0, err
	}
	return r.status()
}

func (f replayFlags) check() error {
	if f.jobs < 0 {
		return usagef("agent-hooks help replay", "replay: -j %d is negative", f.jobs)
	}
	if f.event == "" {
		return nil
	}
	_, err := eventArgument("replay --event", f.event)
	return err
}

// eventsDir returns the directory to replay: the argument, otherwise that of the recorded
// events.
func (env *Env) eventsDir(args []string) (string, error) {
	if len(args) == 1 {
		return env.absolute(args[0]), nil
	}
	dir := env.recordingNow().store.Dir
	if dir == "" {
		return "", errNoEventsDir
	}
	return dir, nil
}

// eventFiles returns the names of the event files in dir. Names of recorded events sort by
// time.
func eventFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	const hint = "agent-hooks record --on records events; then use your agent for a while"
	if info, serr := os.Stat(dir); err != nil && serr == nil && !info.IsDir() {
		return nil, usagef("agent-hooks replay DIR", "replay: %q is a file; name the directory that it is in", dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef(hint, "replay: there is no directory %q", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); name[0] != '.' && strings.HasSuffix(name, ".json") && !e.IsDir() {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, usagef(hint, "replay: no events (*.json) in %q", dir)
	}
	slices.Sort(names)
	return names, nil
}

// replaying is one call of the command.
type replaying struct {
	env   *Env
	flags replayFlags
	dir   string
	names []string
	hooks *agenthooks.Hooks // of the caller's current project
	began time.Time
	sum   replaySum
	told  progress
}

// run replays the events in parallel and reports them in order. It stops early, without an
// error, when ctx ends.
func (r *replaying) run(ctx context.Context) error {
	r.began = time.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	results := make(chan replayed)
	var workers sync.WaitGroup
	for range r.jobs() {
		workers.Go(func() {
			if err := r.work(ctx, next, results); err != nil {
				cancel(err)
			}
		})
	}
	go func() {
		defer close(next)
		for i := range r.names {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		workers.Wait()
		close(results)
	}()
	err := r.collect(results, cancel)
	var scratch scratchError
	if cause := context.Cause(ctx); err == nil && errors.As(cause, &scratch) {
		err = cause
	}
	return err
}

// scratchError means that there is no directory to run hooks in.
type scratchError struct{ error }

func (r *replaying) jobs() int {
	n := r.flags.jobs
	if n == 0 && r.flags.inPlace {
		n = 1
	}
	if n == 0 {
		n = runtime.NumCPU()
	}
	return min(n, len(r.names))
}

// work replays events until there are no more.
func (r *replaying) work(ctx context.Context, next <-chan int, results chan<- replayed) error {
	w := &replayer{replaying: r, projects: map[string]replayProject{}}
	if !r.flags.inPlace {
		scratch, err := trial.NewScratch()
		if err != nil {
			return scratchError{fmt.Errorf("replay: %w", err)}
		}
		defer scratch.Remove()
		w.scratch = scratch
	}
	for i := range next {
		result := w.replay1(ctx, r.names[i])
		result.index = i
		if ctx.Err() != nil {
			return nil // it was stopped, so its result means nothing
		}
		results <- result
	}
	return nil
}

// collect receives the results as they come, and reports them in the order of the events.
func (r *replaying) collect(results <-chan replayed, cancel context.CancelCauseFunc) error {
	waiting := map[int]replayed{}
	tick := time.NewTicker(r.env.progressEvery())
	defer tick.Stop()
	defer r.clearProgress()
	next, done := 0, 0
	var failed error
	for {
		select {
		case result, ok := <-results:
			if !ok {
				return errors.Join(failed, r.rest(waiting))
			}
			done++
			waiting[result.index] = result
			for failed == nil {
				result, ok := waiting[next]
				if !ok {
					break
				}
				delete(waiting, next)
				next++
				if failed = r.take(result); failed != nil {
					cancel(nil)
				}
			}
		case <-tick.C:
			r.tellProgress(done)
		}
	}
}

// rest reports the results after an event that was not finished.
func (r *replaying) rest(waiting map[int]replayed) error {
	var indices []int
	for i := range waiting {
		indices = append(indices, i)
	}
	slices.Sort(indices)
	for _, i := range indices {
		if err := r.take(waiting[i]); err != nil {
			return err
		}
	}
	return nil
}

// status returns 1 if anything changed.
func (r *replaying) status() (int, error) {
	s := &r.sum
	if s.Done == s.Skipped {
		return 0, errors.New("replay: none of these events could be replayed")
	}
	if s.Changed > 0 {
		return spec.ExitError, nil
	}
	return spec.ExitContinue, nil
}

// absoluteProject returns --project as an absolute path; "" if it is not set.
func (r *replaying) absoluteProject() string {
	if r.flags.project == "" {
		return ""
	}
	return filepath.Clean(r.env.absolute(r.flags.project))
}
