package main

import (
	"bytes"
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
	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/internal/author/replay"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
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
	fs.BoolVar(&f.inPlace, "in-place", false, "run in the events' directories and with your HOME instead of empty ones; hooks may change files there")
	declareCount(fs, &f.jobs, "j", "run `N` events at once; 0 means one per CPU, or 1 with --in-place")
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

// execute is `agent-hooks replay [FILE|DIR]`: it shows how the hooks decide on events in files.
// With --from, it reads transcripts.
func (flags replayFlags) execute(env *Env, args []string) (int, error) {
	if flags.given() {
		return flags.replayPast(env, args)
	}
	if len(args) > 1 {
		return 0, noArguments("replay", args[1:])
	}
	r := &replaying{env: env, flags: flags, progress: env.newProgress()}
	var err error
	if r.from, r.events, err = env.eventsFrom(args); err != nil {
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
	if f.save != "" && f.json {
		return usagef("agent-hooks help replay", "replay: --save and --json exclude each other")
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

// eventsFrom returns the events of the file or directory that an argument names, by default those that
// run recorded.
func (env *Env) eventsFrom(args []string) (from string, events []replay.Input, err error) {
	const hint = "agent-hooks replay --from claude-code reads what an agent recorded"
	if len(args) == 1 {
		from = env.absolute(args[0])
	} else if state := env.state(); state != "" {
		from = runlog.EventsPath(state)
	}
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(args) == 0:
		return "", nil, usagef(hint, "replay: no events in %q; run adds them if your hooks.toml has enabled = true under [record]", from)
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, usagef(hint, "replay: there is no %q", from)
	case err != nil:
		return "", nil, fmt.Errorf("replay: %w", err)
	case info.IsDir():
		events, err = eventFiles(from)
	default:
		events, err = eventLines(from)
	}
	if err == nil && len(events) == 0 {
		err = usagef(hint, "replay: no events in %q", from)
	}
	return from, events, err
}

// eventFiles returns the events in a directory, one in each *.json.
func eventFiles(dir string) (events []replay.Input, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	for _, e := range entries {
		if e.Name()[0] != '.' && strings.HasSuffix(e.Name(), ".json") && !e.IsDir() {
			events = append(events, replay.Input{Name: e.Name(), Path: filepath.Join(dir, e.Name())})
		}
	}
	return events, nil
}

// maxEvents limits a file of events.
const maxEvents = 256 << 20

// eventLines returns the events in a file: one, or one in each line.
func eventLines(path string) (events []replay.Input, err error) {
	text, _, err := atomicfile.Read(path, maxEvents)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	if len(text) > maxEvents {
		return nil, fmt.Errorf("replay: %q is above 256 MiB", path)
	}
	if rawjson.Valid(text) {
		return []replay.Input{{Name: filepath.Base(path), Text: text}}, nil
	}
	n := 0
	for line := range bytes.Lines(text) {
		if n++; len(bytes.TrimSpace(line)) > 0 {
			events = append(events, replay.Input{Name: fmt.Sprintf("%s:%d", filepath.Base(path), n), Text: line})
		}
	}
	return events, nil
}

// replaying is one call of the command.
type replaying struct {
	env    *Env
	flags  replayFlags
	from   string
	events []replay.Input
	hooks  *agenthooks.Hooks // of the caller's current project
	sum    replay.Summary
	progress
}

// replay replays the events.
func (r *replaying) replay(ctx context.Context) error {
	defer r.line.erase()
	return replay.Run(ctx, replay.Options{
		Events: r.events, Hook: r.flags.hook, Event: spec.EventType(r.flags.event), Project: r.env.projectDir(r.flags.project),
		InPlace: r.flags.inPlace, Jobs: r.flags.jobs, Environ: r.env.Environ, Home: r.env.home(),
		Load: r.load, Every: r.env.progressEvery(),
		Tick: func(done int) { r.print(progressText(done, len(r.events), time.Since(r.began))) },
	}, r.take)
}

func (r *replaying) load(project string) *agenthooks.Hooks {
	where := r.flags.projectFlags
	if project != "" {
		where.project = project
	}
	return r.env.load(where, nil)
}

// status returns an error if no event could be replayed.
func (r *replaying) status() (int, error) {
	s := &r.sum
	if s.Done == s.Skipped {
		return 0, errors.New("replay: none of these events could be replayed")
	}
	return spec.ExitContinue, nil
}

// projectDir returns --project as an absolute path; "" if it is not set.
func (env *Env) projectDir(project string) string {
	if project == "" {
		return ""
	}
	return filepath.Clean(env.absolute(project))
}

const (
	firstProgress = 2 * time.Second // short replays show no progress
	everyProgress = 5 * time.Second // where lines cannot be overwritten
)

// progressEvery returns the interval at which progress is checked.
func (env *Env) progressEvery() time.Duration {
	if env.escapes(env.Stderr) {
		return 100 * time.Millisecond
	}
	return 500 * time.Millisecond
}

// progress prints how far a replay is on stderr: in a temporary line if the terminal supports it,
// otherwise in a new line from time to time.
type progress struct {
	line         statusLine
	began, noted time.Time
}

func (env *Env) newProgress() progress {
	return progress{line: statusLine{env: env, out: env.Stderr}, began: time.Now()}
}

func (p *progress) print(text string) {
	if p.line.supported() {
		p.line.show(text)
	} else if time.Since(p.began) >= firstProgress && time.Since(p.noted) >= everyProgress {
		p.noted = time.Now()
		p.line.env.note("%s", text)
	}
}

// progressText formats progress, with an estimate of the remaining time if possible.
func progressText(done, all int, since time.Duration) string {
	text := fmt.Sprintf("%d of %s", done, term.Plural(all, "event"))
	if done == 0 || done == all || since < firstProgress/2 {
		return text
	}
	left := time.Duration(float64(since) / float64(done) * float64(all-done))
	return text + ", about " + shortDuration(left) + " left"
}

// shortDuration formats a duration with low precision.
func shortDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return "1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Round(time.Second)/time.Second))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute)/time.Minute))
	}
	return fmt.Sprintf("%d h", int(d.Round(time.Hour)/time.Hour))
}

// recordFlags accepts the flags of earlier versions.
type recordFlags struct{ old bool }

func (f *recordFlags) declare(flags *flag.FlagSet) {
	for _, name := range []string{"on", "off", "clear", "list", "yes", "dry-run", "json"} {
		flags.BoolVar(&f.old, name, false, "of earlier versions")
	}
}

// execute is `agent-hooks record`, which was replaced (D80). It names the replacement, and what
// earlier versions stored, which nothing reads or deletes.
func (recordFlags) execute(env *Env, _ []string) (int, error) {
	if dir := filepath.Join(env.state(), "events"); place.IsFolder(dir) {
		env.note("events that earlier versions stored are in %s; nothing reads or deletes them", term.Printable(dir))
	}
	return 0, usagef("agent-hooks replay --from claude-code --since 30d",
		"record was replaced: replay --from AGENT reads what the agents recorded; for other agents, write enabled = true under [record] in your hooks.toml, and run agent-hooks replay")
}
