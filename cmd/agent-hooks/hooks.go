package main

import (
	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/author/locate"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// load finds and loads the hooks of user and project. event may be nil.
func (env *Env) load(where projectFlags, event *protocol.Event) *agenthooks.Hooks {
	return agenthooks.Load(env.options(where, event))
}

// hooks loads the hooks of user and project for a command that shows or uses all of them, and
// prints the warnings.
func (env *Env) hooks(where projectFlags) *agenthooks.Hooks {
	hooks := env.load(where, nil)
	env.warnAll(hooks.Warnings)
	return hooks
}

// warnHooks prints what is wrong with the hooks as a whole.
func (env *Env) warnHooks(hooks *agenthooks.Hooks) {
	env.warnAll(hooks.Warnings)
	for _, d := range hooks.Diagnostics {
		env.warn("%s", d)
	}
}

// finder finds the hooks that the arguments of a command name.
func (env *Env) finder(command string, hooks *agenthooks.Hooks) *locate.Finder {
	user, _ := env.userHooks()
	return &locate.Finder{Command: command, Dir: env.Dir, User: user, Project: hooks.Project.Hooks, Hooks: locate.All(hooks.Table)}
}

// options returns the options with which the hooks are loaded to be shown. event may be nil.
func (env *Env) options(where projectFlags, event *protocol.Event) agenthooks.Options {
	o := agenthooks.Options{
		Project: where.project, Event: event, Dir: env.Dir, Environ: env.Environ,
		RequireTrust: where.requireTrust, NoLog: true,
		Program: env.program(), Supervisor: []string{env.Args[0], superviseName}, ConfigDir: env.configDir, StateDir: env.stateDir, AccountHome: env.Account,
	}
	if env.stateDir != "" {
		o.Supervisor = append(o.Supervisor, "--state-dir", env.stateDir)
	}
	return o
}

// runOptions returns the options with which the hooks are loaded to be run: the runs are logged.
func (env *Env) runOptions(where projectFlags, event *protocol.Event) agenthooks.Options {
	o := env.options(where, event)
	o.NoLog = env.noFiles
	if event != nil {
		o.Only = event.Type
	}
	return o
}
