package main

import (
	"flag"
	"path/filepath"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/protocol"
)

// projectFlags say where the project is searched and which of its hooks may
// run: what run, why and list have in common.
type projectFlags struct {
	project      string
	requireTrust bool
	remember     bool // this run may note what it sees; no flag

	keep func(*discovery.Hook) *discovery.Hook // of discovery.Rules; no flag
}

func (f *projectFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.project, "project", "", "search the project from `DIR`")
	fs.BoolVar(&f.requireTrust, "require-trust", false, "of the project's hooks, run what you have reviewed with agent-hooks trust, and nothing else")
}

// trustDir is where the reviewed copies are kept; "" if there is no place.
func (env *Env) trustDir() string {
	state := discovery.StateDir(env.Getenv)
	if state == "" {
		return ""
	}
	return filepath.Join(state, "trust")
}

// loadTrusted loads hooks, those of the project only as the user has reviewed
// them (D40). event may be nil.
func (env *Env) loadTrusted(o agenthooks.Options, where projectFlags, event *protocol.Event, settings *settings, warnings []string) (*agenthooks.Hooks, []string) {
	options := trust.Options{Store: env.trustDir(), Home: env.home(), Late: where.remember, OnFailure: settings.OnFailure()}
	if event != nil {
		options.Event = event.Type
	}
	check := trust.NewCheck(options)
	o.Counts, o.Missing, o.Rules.Trust, o.Rules.Knows = check.Counts, check.Missing, check.Trust, check.Knows
	hooks := agenthooks.Load(o)
	if where.remember {
		check.Remember(time.Now())
	}
	return hooks, append(warnings, check.Warnings()...)
}
