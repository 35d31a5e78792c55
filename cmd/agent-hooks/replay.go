package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/replay"
	"github.com/agent-hooks/agent-hooks/spec"
)

type replayFlags struct {
	projectFlags
	pastFlags
	hook, event   string
	inPlace, json bool
	jobs          int
}

func (f *replayFlags) declare(fs *flag.FlagSet) {
	f.projectFlags.declare(fs)
	f.pastFlags.declare(fs)
	fs.StringVar(&f.hook, "hook", "", "run only `HOOK`")
	fs.StringVar(&f.event, "event", "", "treat events that do not name their type as `EVENT`")
	fs.BoolVar(&f.inPlace, "in-place", false, "run in the recorded directories and with your HOME instead of empty ones; hooks may change files there")
	declareCount(fs, &f.jobs, "j", "run `N` events at once; 0 means one per CPU, or 1 with --in-place")
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

// execute is `agent-hooks replay [DIR]`: it shows how the hooks would decide on recorded
// events now. The exit status is 1 if any verdict changed. With --from, it reads transcripts.
func (flags replayFlags) execute(env *Env, args []string) (int, error) {
	if flags.given() {
		return flags.replayPast(env, args)
	}
	if len(args) > 1 {
		return 0, noArguments("replay", args[1:])
	}
	r := &replaying{env: env, flags: flags, line: statusLine{env: env, out: env.Stderr}}
	var err error
	if r.dir, err = env.eventsDir(args); err != nil {
		return 0, err
	}
	if r.names, err = eventFiles(r.dir); err != nil {
		return 0, err
	}
	r.hooks = env.hooks(flags.projectFlags)
	err = env.untilEnd(func(ctx context.Context) error {
		if err := r.replay(ctx); err != nil {
			return err
		}
		return r.summary()
	})
	if err != nil {
		return 0, err
	}
	return r.status()
}

func (f replayFlags) check() error {
	if err := f.pastFlags.check(); err != nil {
		return err
	}
	if f.given() && (f.event != "" || f.inPlace) {
		return usagef("agent-hooks help replay", "replay: --event and --in-place exclude --from and --all")
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
	to, _ := env.recordingNow()
	if to.Dir == "" {
		return "", errNoEventsDir
	}
	return to.Dir, nil
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
	sum   replay.Summary
	line  statusLine
	noted time.Time // when progress was last printed in a line of its own
}

// replay replays the events.
func (r *replaying) replay(ctx context.Context) error {
	r.began = time.Now()
	defer r.line.erase()
	return replay.Run(ctx, replay.Options{
		Dir: r.dir, Names: r.names, Hook: r.flags.hook, Event: spec.EventType(r.flags.event), Project: r.absoluteProject(),
		InPlace: r.flags.inPlace, Jobs: r.flags.jobs, Environ: r.env.Environ, Home: r.env.home(),
		Load: r.load, Tick: r.printProgress, Every: r.env.progressEvery(),
	}, r.take)
}

func (r *replaying) load(project string) *agenthooks.Hooks {
	where := r.flags.projectFlags
	if project != "" {
		where.project = project
	}
	return r.env.load(where, nil)
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
