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
	"github.com/agent-hooks/agent-hooks/spec"
)

// lookEvery is how often doctor --live looks into the run log.
const lookEvery = 200 * time.Millisecond

// doctorLive writes a hook that does nothing and waits until the agent itself
// fires it (D50).
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
	canary, err := env.writeCanary()
	if err != nil {
		return 0, fmt.Errorf("doctor --live: %w", err)
	}
	defer canary.remove()
	fmt.Fprint(env.Stdout, env.paragraph(env.Stdout, 2, fmt.Sprintf("Ask %s for one harmless command, such as: run echo hello. Waiting for %s ...", t.Title, flags.wait)))
	ctx, signals := catchSignals(context.Background())
	defer signals.release()
	fired, err := canary.wait(ctx, flags.wait)
	if ctx.Err() != nil {
		canary.remove()
		signals.dieIfCaught()
	}
	if err != nil {
		return 0, err
	}
	return env.tellLive(t, fired, flags)
}

// tellLive says what the agent did.
func (env *Env) tellLive(t install.Target, fired *runlog.Entry, flags doctorFlags) (int, error) {
	r := install.Report{Agent: t.Name, Title: t.Title, Found: t.Found, Findings: []install.Finding{}}
	switch {
	case fired == nil:
		r.Findings = append(r.Findings, install.Finding{Level: install.Broken, Text: fmt.Sprintf("%s fired no hook within %s", t.Title, flags.wait), Fix: "agent-hooks doctor " + t.Name})
	case !install.SameAgent(t.Name, fired.Agent):
		r.Findings = append(r.Findings, install.Finding{Level: install.Broken, Text: fmt.Sprintf("a hook fired, but for %q", fired.Agent), Fix: "repeat it while no other agent works"})
	default:
		r.LastFired = &fired.Time
		r.Findings = append(r.Findings, install.Finding{Level: install.OK, Text: fmt.Sprintf("%s fired %s", t.Title, fired.Event)})
	}
	reports := []install.Report{r}
	status := spec.ExitContinue
	if r.Broken() {
		status = spec.ExitError
	}
	if flags.json {
		return status, env.printJSON(reports)
	}
	for _, f := range r.Findings {
		env.printFinding(f)
	}
	return status, nil
}

// canary is a hook of the user's that exists for one check.
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
			return // it holds something else
		}
	}
}

// wait returns the log's entry of the canary; nil if it does not fire in time.
func (c *canary) wait(ctx context.Context, limit time.Duration) (*runlog.Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	reader := runlog.NewReader(c.state)
	defer reader.Close()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		var fired *runlog.Entry
		_, err := readLog(reader, func(_ []byte, e runlog.Entry) error {
			if e.Hook == c.name {
				fired = &e
			}
			return nil
		})
		if fired != nil || err != nil {
			return fired, err
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-tick.C:
		}
	}
}
