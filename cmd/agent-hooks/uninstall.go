package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

type uninstallFlags struct {
	settingsFlags
	purge bool
}

func (f *uninstallFlags) declare(fs *flag.FlagSet) {
	f.settingsFlags.declare(fs)
	fs.BoolVar(&f.purge, "purge", false, "with --all: also remove the log and the reviewed copies of hooks")
}

// execute is `agent-hooks uninstall AGENT ...` (D50).
func (flags uninstallFlags) execute(env *Env, args []string) (int, error) {
	if flags.purge && (!flags.all || flags.scope() != "user") {
		return 0, usagef("agent-hooks uninstall --all --purge", "uninstall: --purge removes what agent-hooks keeps for the user, so it needs --all and the scope user")
	}
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
		in.remove(system, flags.purge)
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

// remove removes, or names, the directories that remain without entries. The user's hooks are kept
// in any case.
func (in *installation) remove(s install.System, purge bool) {
	exists := func(dir string) bool {
		_, err := os.Lstat(dir)
		return err == nil
	}
	if hooks, _ := in.env.userHooks(); exists(hooks) {
		in.env.note("kept %s: your hooks", hooks)
	}
	switch {
	case !exists(s.StateDir):
	case !purge:
		in.env.note("kept %s: the log and the reviewed copies of hooks; to remove them: agent-hooks uninstall --all --purge", s.StateDir)
	case in.failed:
		in.env.note("kept %s, because an agent may still have entries", s.StateDir)
	default:
		if err := os.RemoveAll(s.StateDir); err != nil {
			in.failed = true
			in.env.say("error", term.Red, err.Error())
			return
		}
		in.env.out(2, term.Printable("removed "+s.StateDir))
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
