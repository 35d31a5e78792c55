package install

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/runlog"
)

// lookEvery is the interval at which doctor --live reads the run log.
const lookEvery = 200 * time.Millisecond

// Live specifies how Fire waits for an agent.
type Live struct {
	Hooks string        // the user's hooks directory, for a temporary hook
	State string        // the directory of the run log
	Dir   string        // the directory in which the agent starts
	Words []string      // the command line that starts the agent; nil: the user starts it
	Wait  time.Duration // the longest wait
}

// Fire writes a hook that does nothing, and waits until the agent runs it (D50). It returns the
// result, and the time at which a hook of the agent ran; nil if none did.
func (t Target) Fire(ctx context.Context, l Live) (Finding, *time.Time, error) {
	canary, err := writeCanary(l.Hooks, l.State)
	if err != nil {
		return Finding{}, nil, err
	}
	defer canary.remove()
	ctx, cancel := context.WithTimeout(ctx, l.Wait)
	defer cancel()
	client := startClient(ctx, l.Words, l.Dir)
	fired, err := canary.wait(ctx, client)
	ended := client.ended()
	cancel()
	client.end()
	if err != nil {
		return Finding{}, nil, err
	}
	var at *time.Time
	if fired != nil {
		at = &fired.Time
	}
	return live(t, fired, client, ended, l.Wait), at, nil
}

// live describes what the agent did.
func live(t Target, fired *runlog.Entry, client *liveClient, ended bool, wait time.Duration) Finding {
	fix := "agent-hooks doctor " + t.Name
	switch {
	case fired == nil && ended && client.err == nil:
		return Finding{Level: Broken, Text: fmt.Sprintf("%s ended: its model called no tool, or no hook fired; the end of its output: %q", t.Title, client.output.text()), Fix: fix}
	case fired == nil && ended:
		return Finding{Level: Broken, Text: fmt.Sprintf("%s ended (%v) and fired no hook; the end of its output: %q", t.Title, client.err, client.output.text()), Fix: fix}
	case fired == nil:
		return Finding{Level: Broken, Text: fmt.Sprintf("%s fired no hook within %s", t.Title, wait), Fix: fix}
	case !SameAgent(t.Name, fired.Agent):
		return Finding{Level: Broken, Text: fmt.Sprintf("a hook fired, but for %q", fired.Agent), Fix: "repeat it while no other agent works"}
	}
	return Finding{Level: OK, Text: fmt.Sprintf("%s fired %s", t.Title, fired.Event)}
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

func writeCanary(hooks, state string) (*canary, error) {
	name := runlog.Canary + strings.ToLower(rand.Text()[:8])
	made, err := MakeDirs(hooks)
	c := &canary{name: name, dir: filepath.Join(hooks, name), state: state, made: made}
	script, body := filepath.Join(c.dir, "scripts", "run"), "#!/bin/sh\nexit 0\n"
	if runtime.GOOS == "windows" {
		script, body = filepath.Join(c.dir, "scripts", "run.ps1"), "exit 0\n"
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(script), 0o755)
	}
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
	removeDirs(c.made)
}

// wait returns the canary's log entry, or nil if it does not run before ctx or the client ends.
func (c *canary) wait(ctx context.Context, client *liveClient) (*runlog.Entry, error) {
	reader := runlog.NewReader(c.state)
	defer reader.Close()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for last := false; ; {
		var fired *runlog.Entry
		err := reader.Read(func(_ []byte, e runlog.Entry) error {
			if e.Hook == c.name {
				fired = &e
			}
			return nil
		})
		if errors.Is(err, fs.ErrNotExist) { // nothing has been logged yet
			err = nil
		}
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
