package install

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// listTimeout is the time limit for an agent to list its hooks.
const listTimeout = 30 * time.Second

// Loaded compares the entries with those that the agent reports as loaded in
// dir. It calls no model. It returns nothing for an agent without such a list.
func (t Target) Loaded(ctx context.Context, dir string) []Finding {
	if t.Program == "" || t.Listed == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, listTimeout)
	defer cancel()
	entries := t.AllInstalled()
	found, err := t.Listed(t.machine(ctx, dir), entries)
	switch {
	case err != nil:
		return []Finding{finding(Warning, fmt.Sprintf("%s did not list its hooks: %v", t.Title, err), "")}
	case len(found) == 0:
		return []Finding{finding(OK, fmt.Sprintf("%s loaded %s and runs them", t.Title, Count(len(entries), "entry", "entries")), "")}
	}
	return found
}

// Start returns the command line that runs the agent without a terminal for one
// short request; nil if it has none.
func (t Target) Start() []string {
	if t.Headless == "" || !strings.HasPrefix(filepath.Base(t.Program), t.Programs[0]) {
		return nil
	}
	return append(append([]string{t.Program}, strings.Fields(t.Headless)...), livePrompt)
}

// livePrompt makes a model call a tool without changing anything.
const livePrompt = "List the files in this folder with one tool call, then stop. Change nothing."

// Shown returns a command line as a person would type it.
func (s System) Shown(words []string) string {
	if s.GOOS == "windows" {
		return powerShell.line(words)
	}
	return posix.line(words)
}
