package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type recordFlags struct {
	on, off, clear, list, yes, dryRun, json bool
}

func (f *recordFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.on, "on", false, "record events from now on; sets enabled under [record] in your hooks.toml")
	fs.BoolVar(&f.off, "off", false, "stop recording; keep the recorded events")
	fs.BoolVar(&f.list, "list", false, "list the recorded events, newest last")
	fs.BoolVar(&f.clear, "clear", false, "delete the recorded events, after asking")
	fs.BoolVar(&f.yes, "yes", false, "with --clear: do not ask")
	fs.BoolVar(&f.dryRun, "dry-run", false, "with --on, --off or --clear: show what would be done, but do nothing")
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

// execute is `agent-hooks record`: it shows or changes whether run records events, and
// lists the recorded ones.
func (flags recordFlags) execute(env *Env, _ []string) (int, error) {
	switch {
	case flags.on, flags.off:
		return spec.ExitContinue, env.switchRecording(flags.on, flags.dryRun)
	case flags.clear:
		return spec.ExitContinue, env.clearRecords(flags)
	case flags.list:
		return spec.ExitContinue, env.listRecords(flags.json)
	}
	return spec.ExitContinue, env.printRecording(flags.json)
}

func (f recordFlags) check() error {
	n := 0
	for _, given := range []bool{f.on, f.off, f.clear, f.list} {
		if given {
			n++
		}
	}
	switch {
	case n > 1:
		return usagef("agent-hooks help record", "record: --on, --off, --list and --clear exclude each other")
	case f.yes && !f.clear:
		return usagef("agent-hooks record --clear --yes", "record: --yes requires --clear")
	case f.dryRun && !f.on && !f.off && !f.clear:
		return usagef("agent-hooks help record", "record: --dry-run requires --on, --off or --clear")
	}
	return nil
}

// userConfig returns the path of the user's hooks.toml and its settings.
func (env *Env) userConfig() (string, config.Config, error) {
	user, warning := env.userHooks()
	if user == "" {
		return "", config.Config{}, errors.New(warning)
	}
	path := filepath.Join(filepath.Dir(user), config.Name)
	return path, config.Config{User: config.Read(user, discovery.UserScope)}, nil
}

// recordingNow returns the recording settings, for commands other than run.
func (env *Env) recordingNow() (config.Recorder, record.Store) {
	_, said, _ := env.userConfig()
	to := said.Recording().Recorder(env.Getenv, env.state)
	if to.Warning != "" {
		env.warn("%s", to.Warning)
	}
	if said.User != nil {
		for _, d := range said.User.Diagnostics {
			env.warn("%s", d.String())
		}
	}
	return to, record.Store{Dir: to.Dir, Keep: to.Keep}
}

// switchRecording changes the user's hooks.toml.
func (env *Env) switchRecording(on, dryRun bool) error {
	path, _, err := env.userConfig()
	if err != nil {
		return err
	}
	word := map[bool]string{true: "true", false: "false"}[on]
	line, changed, err := config.SwitchRecording(path, on, dryRun)
	switch {
	case err != nil:
		return fmt.Errorf("change %s: %w", path, err)
	case !changed:
		env.note("%s:%d already sets enabled = %s", term.Printable(path), line, word)
	case dryRun:
		env.note("would write %s: line %d, enabled = %s", term.Printable(path), line, word)
	default:
		env.note("wrote %s: line %d, enabled = %s", term.Printable(path), line, word)
	}
	if dryRun {
		return nil
	}
	return env.printRecording(false)
}

// recordStatus is the state of recording.
type recordStatus struct {
	On      bool       `json:"on"`
	By      string     `json:"by,omitempty"`
	Dir     string     `json:"directory,omitempty"`
	Problem string     `json:"problem,omitempty"`
	Events  int        `json:"events"`
	Bytes   int64      `json:"bytes"`
	Keep    int        `json:"keep"`
	Oldest  *time.Time `json:"oldest,omitempty"`
	Newest  *time.Time `json:"newest,omitempty"`
}

func (env *Env) recordStatus() recordStatus {
	to, store := env.recordingNow()
	s := recordStatus{On: to.On, By: to.By, Dir: to.Dir, Keep: to.Keep}
	if s.Keep == 0 {
		s.Keep = record.DefaultKeep
	}
	if s.Dir == "" {
		return s
	}
	err := store.Check()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if to.On {
		err = store.CheckWrite() // a run that blocks does not report it
	}
	if err != nil {
		s.Problem = err.Error()
		return s
	}
	files, err := store.Files()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.Problem = err.Error()
	}
	if store.Exposed() {
		env.warn("others can see the names in %s; fix with: chmod 700 %s", s.Dir, s.Dir)
	}
	if s.Events, s.Bytes = len(files), store.Bytes(); len(files) > 0 {
		s.Oldest, s.Newest = &files[0].Time, &files[len(files)-1].Time
	}
	return s
}

func (env *Env) printRecording(asJSON bool) error {
	s := env.recordStatus()
	if asJSON {
		return env.printJSON(s)
	}
	state, by := "off", ""
	if s.On {
		state = "on"
	}
	if s.By != "" {
		by = " (" + term.Printable(s.By) + ")"
	}
	rows := [][]string{{"recording", state + by}}
	if s.Dir != "" {
		rows = append(rows, []string{"directory", term.Printable(s.Dir)})
	}
	switch {
	case s.Dir == "":
	case s.Problem != "":
		rows = append(rows, []string{"problem", term.Printable(s.Problem)})
	default:
		rows = append(rows, []string{"events", fmt.Sprintf("%d of at most %d, %s", s.Events, s.Keep, sizeText(s.Bytes))})
		if s.Events > 0 {
			rows = append(rows, []string{"from", s.Oldest.Local().Format(time.DateTime)}, []string{"to", s.Newest.Local().Format(time.DateTime)})
		}
	}
	err := env.printTerms(rows)
	if err == nil && s.On && s.Dir != "" && s.Problem == "" {
		const warning = "Events contain what agents are asked and what they do. Recognized secrets are removed; others are not."
		err = env.print("\n" + env.paragraph(env.Stdout, 0, warning))
	}
	return err
}

func sizeText(bytes int64) string {
	switch {
	case bytes < 1<<10:
		return fmt.Sprintf("%d bytes", bytes)
	case bytes < 1<<20:
		return fmt.Sprintf("%d KiB", (bytes+1<<9)>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// recorded returns where events are recorded, and the recorded ones.
func (env *Env) recorded() (record.Store, []record.File, error) {
	_, store := env.recordingNow()
	if store.Dir == "" {
		return store, nil, errNoEventsDir
	}
	files, err := store.Files()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return store, files, err
}

func (env *Env) clearRecords(flags recordFlags) error {
	store, files, err := env.recorded()
	if err != nil {
		return err
	}
	what := fmt.Sprintf("%s in %s", term.Plural(len(files), "event"), term.Printable(store.Dir))
	switch {
	case len(files) == 0:
		env.note("no events in %s", term.Printable(store.Dir))
		return nil
	case flags.dryRun:
		env.note("would remove %s", what)
		return nil
	case !flags.yes:
		if err := env.confirm(fmt.Sprintf("remove %s? [y/N] ", what), "nothing was removed", "--yes removes without asking"); err != nil {
			return err
		}
	}
	n, err := store.Clear()
	env.note("removed %s of %s", term.Plural(n, "event"), term.Printable(store.Dir))
	return err
}

// errNoEventsDir means that there is no directory of events.
var errNoEventsDir = errors.New("there is no directory of events: neither XDG_STATE_HOME nor HOME is an absolute path, and hooks.toml names no dir")
