package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/install"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// lookEvery is the interval at which doctor --live reads the run log.
const lookEvery = 200 * time.Millisecond

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
	if len(t.Installed("user"))+len(t.Installed("project")) == 0 {
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
	ctx, signals := catchSignals(context.Background())
	defer signals.release()
	err = env.fireLive(ctx, t, words, flags.wait, &r)
	signals.dieIfCaught()
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
	switch terminal := term.IsTerminal(env.Stdin) && term.IsTerminal(env.Stdout) && !flags.json; {
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

// fireLive starts the agent if words is not nil, waits for it, and adds the result to the
// report.
func (env *Env) fireLive(ctx context.Context, t install.Target, words []string, wait time.Duration, r *install.Report) error {
	canary, err := env.writeCanary()
	if err != nil {
		return err
	}
	defer canary.remove()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	client := startClient(ctx, words, env.Dir)
	fired, err := canary.wait(ctx, client)
	ended := client.ended()
	cancel()
	client.end()
	if err == nil {
		r.Findings = append(r.Findings, live(t, fired, client, ended, wait))
		if fired != nil {
			r.LastFired = &fired.Time
		}
	}
	return err
}

// live describes what the agent did.
func live(t install.Target, fired *runlog.Entry, client *liveClient, ended bool, wait time.Duration) install.Finding {
	fix := "agent-hooks doctor " + t.Name
	switch {
	case fired == nil && ended && client.err == nil:
		return install.Finding{Level: install.Broken, Text: fmt.Sprintf("%s ended: its model called no tool, or no hook fired; the end of its output: %q", t.Title, client.output.text()), Fix: fix}
	case fired == nil && ended:
		return install.Finding{Level: install.Broken, Text: fmt.Sprintf("%s ended (%v) and fired no hook; the end of its output: %q", t.Title, client.err, client.output.text()), Fix: fix}
	case fired == nil:
		return install.Finding{Level: install.Broken, Text: fmt.Sprintf("%s fired no hook within %s", t.Title, wait), Fix: fix}
	case !install.SameAgent(t.Name, fired.Agent):
		return install.Finding{Level: install.Broken, Text: fmt.Sprintf("a hook fired, but for %q", fired.Agent), Fix: "repeat it while no other agent works"}
	}
	return install.Finding{Level: install.OK, Text: fmt.Sprintf("%s fired %s", t.Title, fired.Event)}
}

func (env *Env) printLive(r install.Report, flags doctorFlags) (int, error) {
	status := spec.ExitContinue
	if r.Broken() {
		status = spec.ExitError
	}
	if flags.json {
		return status, env.printJSON([]install.Report{r})
	}
	for _, f := range r.Findings {
		env.printFinding(f)
	}
	return status, nil
}

// canary is a user hook that exists only for one check.
type canary struct {
	name, dir, state string
	made             []string // directories above it
}

const canaryManifest = `---
name: %s
description: A check by agent-hooks doctor --live, which removes it again.
trigger: pre-tool-call
timeout: 5000
---
`

func (env *Env) writeCanary() (*canary, error) {
	hooks, warning := env.userHooks()
	if hooks == "" {
		return nil, fmt.Errorf("%s", warning)
	}
	state := env.state()
	if state == "" {
		return nil, errNoStateDir
	}
	name := "agent-hooks-canary-" + strings.ToLower(rand.Text()[:8])
	c := &canary{name: name, dir: filepath.Join(hooks, name), state: state}
	for dir := hooks; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		c.made = append(c.made, dir)
	}
	script, body := filepath.Join(c.dir, "scripts", "run"), "#!/bin/sh\nexit 0\n"
	if runtime.GOOS == "windows" {
		script, body = filepath.Join(c.dir, "scripts", "run.ps1"), "exit 0\n"
	}
	err := os.MkdirAll(filepath.Dir(script), 0o755)
	if err == nil {
		err = os.WriteFile(script, []byte(body), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, "HOOK.md"), fmt.Appendf(nil, canaryManifest, name), 0o644)
	}
	if err != nil {
		c.remove()
	}
	return c, err
}

func (c *canary) remove() {
	_ = os.RemoveAll(c.dir)
	for _, dir := range c.made {
		if os.Remove(dir) != nil {
			return // it contains other files
		}
	}
}

// wait returns the canary's log entry, or nil if it does not run before ctx or the client ends.
func (c *canary) wait(ctx context.Context, client *liveClient) (*runlog.Entry, error) {
	reader := runlog.NewReader(c.state)
	defer reader.Close()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for last := false; ; {
		var fired *runlog.Entry
		_, err := readLog(reader, func(_ []byte, e runlog.Entry) error {
			if e.Hook == c.name {
				fired = &e
			}
			return nil
		})
		if fired != nil || err != nil || last {
			return fired, err
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-client.exited():
			last = true // read the log once more
		case <-tick.C:
		}
	}
}
