package main

import (
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
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
	return in.finish()
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
