package main

import (
	"fmt"
	"os"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

type uninstallFlags struct{ settingsFlags }

// execute is `agent-hooks uninstall AGENT ...` (D50).
func (flags uninstallFlags) execute(env *Env, args []string) (int, error) {
	system := env.system()
	clients := install.All()
	if !flags.all {
		var err error
		if clients, err = env.clients("uninstall", system, false, args); err != nil {
			return 0, err
		}
	} else if len(args) > 0 {
		return 0, usagef("agent-hooks uninstall --all", "uninstall: --all already includes every agent")
	}
	in := installation{env: env, scope: flags.scope(), dryRun: flags.dryRun}
	for _, c := range clients {
		in.uninstall(system.Target(c), flags.all)
	}
	in.removeCopy(system)
	if flags.all && !flags.dryRun {
		in.remaining(system)
	}
	return in.finish()
}

// removeCopy removes the copy of the program that install made, once no entry calls it.
func (in *installation) removeCopy(s install.System) {
	path, err := s.RemoveCopy(in.dryRun)
	switch {
	case err != nil:
		in.failed = true
		in.env.say("error", term.Red, fmt.Sprintf("%v; remove this copy of the program yourself", err))
	case path != "":
		in.env.out(2, term.Printable("removed "+path))
	}
}

// remaining names the directories that uninstall keeps, because they hold what the user wrote or
// reviewed, or what happened.
func (in *installation) remaining(s install.System) {
	hooks, _ := in.env.userHooks()
	for _, kept := range [][2]string{{hooks, "your hooks"}, {s.StateDir, "the log and the reviewed copies of hooks"}} {
		if _, err := os.Lstat(kept[0]); err == nil {
			in.env.note("kept %s: %s", kept[0], kept[1])
		}
	}
}

func (in *installation) uninstall(t install.Target, quietly bool) {
	changes, err := t.Uninstall(in.scope, in.dryRun)
	switch {
	case err != nil:
		in.fail(t.Name, err)
	case len(changes) == 0 && !quietly:
		in.say(t.Name, "there are no entries of agent-hooks")
	default:
		in.changes(t.Name, changes)
	}
	for _, p := range t.Plugins() {
		in.say(t.Name, "the plugin "+p.ID+" still calls agent-hooks; to remove it: "+p.Remove)
	}
}
