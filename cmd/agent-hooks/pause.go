package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

const pauseAbout = `The hook is one of your own; a project's hook of that name, and managed hooks, still run. Until then, each session begins with a line about it, and list and doctor show it. TIME, in the next 7 days, is a duration (90m, 2d), a time (17:00, 2026-12-01T09:00), a day, or now, which ends the pause.
`

// maxPause is the longest pause (D76).
const maxPause = 7 * 24 * time.Hour

type pauseFlags struct{ until string }

func (f *pauseFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.until, "until", "", "pause until `TIME`: 90m, 2d, 17:00, 2026-12-01 or 2026-12-01T09:00; now ends the pause")
}

// execute is `agent-hooks pause NAME --until TIME`: it disables the hook in the user's hooks.toml (20.18).
func (flags pauseFlags) execute(env *Env, args []string) (int, error) {
	const example = "agent-hooks pause NAME --until 17:00"
	if len(args) == 0 || flags.until == "" {
		return 0, usagef(example, "pause: which hook, and until when?")
	}
	now := time.Now()
	until, ok := parseUntil(flags.until, now)
	if flags.until == "now" {
		until, ok = time.Time{}, true
	}
	if !ok || !until.IsZero() && (!until.After(now) || until.Sub(now) > maxPause) {
		return 0, usagef(example, "pause: --until %q is not a time in the next 7 days", flags.until)
	}
	name := args[0]
	if err := env.ownPlaces(); err != nil {
		return 0, fmt.Errorf("pause: %w", err)
	}
	own := scaffold.Place{Table: env.load(nil).Table}
	switch {
	case own.Find(name, discovery.UserScope) != nil:
	case own.Find(name, discovery.ManagedScope) != nil:
		return 0, usagef("the administrator can: observe = true in "+term.Printable(filepath.Join(filepath.Dir(place.ManagedHooks()), config.Name)), "pause: %s is a managed hook", term.Printable(name))
	case own.Find(name, discovery.ProjectScope) != nil:
		return 0, usagef("[[hooks.disable]] in your hooks.toml disables it for you", "pause: %s is the project's hook, not one of yours", term.Printable(name))
	default:
		return 0, usagef("agent-hooks list", "pause: you have no hook %q", name)
	}
	dir, _ := env.userHooks()
	path := filepath.Join(filepath.Dir(dir), config.Name)
	text, mode, err := paths.Read(path, spec.MaxConfigFile)
	if errors.Is(err, fs.ErrNotExist) {
		mode, err = 0o644, os.MkdirAll(filepath.Dir(path), 0o755)
	}
	var changed string
	if err == nil {
		changed, err = config.Pause(string(text), name, until)
	}
	if err == nil && changed != string(text) {
		err = state.Write(path, []byte(changed), mode)
	}
	if err != nil {
		return 0, fmt.Errorf("pause: %s: %w", term.Printable(path), err)
	}
	done := fmt.Sprintf("%s is paused until %s; agent-hooks pause %[1]s --until now ends it\n", name, until.Format("2006-01-02 15:04"))
	switch {
	case until.IsZero() && changed == string(text):
		done = name + " was not paused\n"
	case until.IsZero():
		done = "ended the pause of " + name + "\n"
	}
	return spec.ExitContinue, env.print(done)
}
