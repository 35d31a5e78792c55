package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
)

// doctorLive writes a hook that does nothing and waits until the agent runs it (D50).
func (env *Env) doctorLive(s install.System, flags doctorFlags, args []string) (int, error) {
	if err := noArguments("doctor --live", args); err != nil {
		return 0, err
	}
	clients, err := env.clients("doctor --live", s, false, []string{flags.live})
	if err != nil {
		return 0, err
	}
	t := s.Target(clients[0])
	if len(t.AllInstalled()) == 0 {
		return 0, usagef("agent-hooks install "+t.Name, "doctor --live: %s does not call agent-hooks", t.Name)
	}
	if flags.start && t.Start() == nil {
		return 0, usagef("agent-hooks doctor --live "+t.Name, "doctor --live: %s cannot be started without a terminal here", t.Title)
	}
	r := install.Report{Agent: t.Name, Title: t.Title, Found: t.Found, Findings: []install.Finding{}}
	r.Findings = append(r.Findings, t.Loaded(context.Background(), env.Dir)...)
	if r.Broken() {
		return env.printLive(r, flags)
	}
	words := env.wantedStart(t, flags) // before signals are caught, because it may prompt
	err = untilSignal(func(ctx context.Context) error { return env.fire(ctx, t, words, flags.wait, &r) })
	if err != nil {
		return 0, fmt.Errorf("doctor --live: %w", err)
	}
	return env.printLive(r, flags)
}

// wantedStart returns the command line that starts the agent, or nil if the user does not want
// that.
func (env *Env) wantedStart(t install.Target, flags doctorFlags) []string {
	words := t.Start()
	line := t.Shown(words)
	switch terminal := env.interactive() && !flags.json; {
	case words == nil:
	case flags.start, terminal && env.yes(fmt.Sprintf("Start it now, with one short request to its model?\n  %s\n[y/N] ", line)):
		env.note("starting %s", line)
		return words
	case !terminal:
		env.note("to start it from here, with one short request to its model: agent-hooks doctor --live %s --start", t.Name)
	}
	env.note("ask %s for one harmless command, such as: run echo hello. Waiting for %s ...", t.Title, flags.wait)
	return nil
}

func (env *Env) printLive(r install.Report, flags doctorFlags) (int, error) {
	status := exitStatus(r.Broken())
	if flags.json {
		return status, env.printJSON([]install.Report{r})
	}
	for _, f := range r.Findings {
		env.printFinding(f)
	}
	return status, nil
}

// fire starts the agent if words is not nil, waits for it, and adds the result to the report.
func (env *Env) fire(ctx context.Context, t install.Target, words []string, wait time.Duration, r *install.Report) error {
	hooks, warning := env.userHooks()
	state := env.state()
	switch {
	case hooks == "":
		return errors.New(warning)
	case state == "":
		return errNoStateDir
	}
	finding, fired, err := t.Fire(ctx, install.Live{Hooks: hooks, State: state, Dir: env.Dir, Words: words, Wait: wait})
	if err == nil {
		r.Findings, r.LastFired = append(r.Findings, finding), fired
	}
	return err
}
