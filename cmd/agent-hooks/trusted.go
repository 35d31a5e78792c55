package main

import (
	"flag"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// projectFlags say where the project is searched and which of its hooks may
// run: what run, why and list have in common.
type projectFlags struct {
	project      string
	requireTrust bool
	run          bool      // the event is run, not asked about; no flag
	until        time.Time // of agenthooks.Options; no flag
	caller       string    // the name of the agent that calls; no flag

	keep func(*discovery.Hook) *discovery.Hook // of agenthooks.Options; no flag
}

func (f *projectFlags) declare(fs *flag.FlagSet) {
	fs.Func("project", "search the project from `DIR`", func(dir string) error {
		if f.project = dir; dir == "" {
			f.project = " " // which is reported, unlike no --project (D2)
		}
		return nil
	})
	fs.BoolVar(&f.requireTrust, "require-trust", false, "of the project's hooks, run what you have reviewed with agent-hooks trust, and nothing else")
}

// trustDir is where the reviewed copies are kept; "" if there is no place.
func (env *Env) trustDir() string {
	state := env.state()
	if state == "" {
		return ""
	}
	return filepath.Join(state, "trust")
}
