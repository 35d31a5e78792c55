package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/state"
)

// Live specifies how Fire waits for an agent.
type Live struct {
	Hooks string        // the user's hooks directory, for a temporary hook
	State string        // the directory of the run log
	Dir   string        // the directory in which the agent starts
	Words []string      // the command line that starts the agent; nil: the user starts it
	Wait  time.Duration // the longest wait
}

const canaryManifest = `---
name: %s
description: A check by agent-hooks doctor --live, which removes it again.
trigger: pre-tool-call
timeout: 5000
---
`

// Fire writes a hook that does nothing, and waits until the agent runs it (D50). It returns the
// result, and the time at which a hook of the agent ran; nil if none did.
func (t Target) Fire(ctx context.Context, l Live) (Finding, *time.Time, error) {
	name := runlog.Canary + strconv.FormatUint(uint64(rand.Uint32()), 36)
	script := state.File{Path: "scripts/run", Data: []byte("#!/bin/sh\nexit 0\n"), Executable: true}
	if runtime.GOOS == "windows" {
		script = state.File{Path: "scripts/run.ps1", Data: []byte("exit 0\n")}
	}
	made, err := MakeDirs(l.Hooks)
	defer func() {
		_ = os.RemoveAll(filepath.Join(l.Hooks, name))
		RemoveDirs(made)
	}()
	if err == nil {
		err = state.WriteFolder(l.Hooks, name, []state.File{script, {Path: "HOOK.md", Data: fmt.Appendf(nil, canaryManifest, name)}}, 0o755)
	}
	if err != nil {
		return Finding{}, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, l.Wait)
	defer cancel()
	client := startClient(ctx, l.Words, l.Dir)
	fired, err := waitFor(ctx, name, l.State, client.done)
	ended := false
	select {
	case <-client.done:
		ended = true
	default:
	}
	cancel()
	if l.Words != nil {
		<-client.done
	}
	client.output.mu.Lock()
	defer client.output.mu.Unlock()
	fix := "agent-hooks doctor " + t.Name
	switch output := strings.TrimSpace(strings.ToValidUTF8(string(client.output.data), "")); {
	case err != nil:
		return Finding{}, nil, err
	case fired == nil && ended && client.err == nil:
		return finding(Broken, fmt.Sprintf("%s ended: its model called no tool, or no hook fired; the end of its output: %q", t.Title, output), fix), nil, nil
	case fired == nil && ended:
		return finding(Broken, fmt.Sprintf("%s ended (%v) and fired no hook; the end of its output: %q", t.Title, client.err, output), fix), nil, nil
	case fired == nil:
		return finding(Broken, fmt.Sprintf("%s fired no hook within %s", t.Title, l.Wait), fix), nil, nil
	case !SameAgent(t.Name, fired.Agent):
		return finding(Broken, fmt.Sprintf("a hook fired, but for %q", fired.Agent), "repeat it while no other agent works"), &fired.Time, nil
	}
	return finding(OK, fmt.Sprintf("%s fired %s", t.Title, fired.Event), ""), &fired.Time, nil
}

// lookEvery is the interval at which waitFor reads the run log.
const lookEvery = 200 * time.Millisecond

// waitFor returns the log entry of a hook, or nil if it does not run before ctx or the agent ends.
func waitFor(ctx context.Context, hook, dir string, ended <-chan struct{}) (*runlog.Entry, error) {
	reader := runlog.NewReader(dir)
	defer reader.Close()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for last := false; ; {
		var fired *runlog.Entry
		err := reader.Read(func(_ []byte, e runlog.Entry) error {
			if e.Hook == hook {
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
		case <-ended:
			last = true // read the log once more
		case <-tick.C:
		}
	}
}

// liveClient is an agent started by doctor --live.
type liveClient struct {
	done   chan struct{} // closed after it has ended; nil if it was not started
	err    error         // why it ended; set before done is closed
	output tail
}

// clientGrace is the time that an agent has to exit after it is interrupted.
const clientGrace = 3 * time.Second

// startClient starts an agent, unless words is empty, and stops it when ctx ends. The agent
// cannot read the terminal.
func startClient(ctx context.Context, words []string, dir string) *liveClient {
	c := &liveClient{}
	if words == nil {
		return c
	}
	c.done = make(chan struct{})
	cmd := osexec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &c.output, &c.output, clientGrace
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return cmd.Process.Kill() // Windows has no interrupt signal
	}
	go func() {
		c.err = cmd.Run()
		close(c.done)
	}()
	return c
}

// tail keeps the end of the data written to it, also after the process has ended: its children may
// hold its output.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 400

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	t.data = t.data[max(0, len(t.data)-tailSize):]
	return len(p), nil
}
