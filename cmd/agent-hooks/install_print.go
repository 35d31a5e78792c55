package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// installation is one call of install or uninstall.
type installation struct {
	env    *Env
	scope  string
	dryRun bool
	steps  []string
	failed bool
}

// changes prints the result for each file.
func (in *installation) changes(agent string, changes []install.Change) {
	for _, c := range changes {
		switch {
		case in.dryRun:
			in.diff(c)
		case !c.Changed():
			in.say(agent, c.Path+" is up to date")
		case c.New == nil:
			in.say(agent, "removed "+c.Path)
		case c.Exact:
			in.say(agent, "restored "+c.Path)
		case c.Entries == 0:
			in.say(agent, "wrote "+c.Path)
		default:
			in.say(agent, fmt.Sprintf("wrote %s: %s%s", c.Path, install.Count(c.Entries, "entry", "entries"), backupOf(c)))
		}
	}
}

func backupOf(c install.Change) string {
	if c.Backup == "" {
		return ""
	}
	return "; backup: " + c.Backup
}

// diff shows a change in the form of diff -u.
func (in *installation) diff(c install.Change) {
	if !c.Changed() {
		in.say(c.Path, "no change")
		return
	}
	before, after := c.Path, c.Path
	if c.Old == nil {
		before = os.DevNull
	}
	if c.New == nil {
		after = os.DevNull
	}
	fmt.Fprintf(in.env.Stdout, "--- %s\n+++ %s\n", term.Printable(before), term.Printable(after))
	for _, line := range trust.Diff(string(c.Old), string(c.New)) {
		in.env.print(in.env.diffLine(term.Printable(strings.TrimSuffix(line, "\r"))) + "\n")
	}
}

func (in *installation) say(agent, text string) {
	in.env.out(2, term.Printable(agent+": "+text))
}

func (in *installation) fail(agent string, err error) {
	in.failed = true
	in.env.say("error", term.Red, agent+": "+err.Error())
}

// finish lists the remaining manual steps, one per line.
func (in *installation) finish() (int, error) {
	if len(in.steps) > 0 && !in.dryRun {
		in.env.print(in.env.style(term.Bold, "To do by hand:") + "\n")
		for _, step := range in.steps {
			in.env.out(4, "  "+step)
		}
	}
	return exitStatus(in.failed), nil
}
