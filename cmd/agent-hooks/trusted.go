package main

import (
	"flag"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// projectFlags specify where the project is searched and which of its hooks may run. They are
// common to run, why and list.
type projectFlags struct {
	project      string
	requireTrust bool
	run          bool      // the event is run, not only planned; not a flag
	until        time.Time // of agenthooks.Options; not a flag
	caller       string    // the name of the calling agent; not a flag

	keep func(*discovery.Hook) *discovery.Hook // of agenthooks.Options; not a flag
}

func (f *projectFlags) declare(fs *flag.FlagSet) {
	fs.Func("project", "search for the project upward from `DIR`", func(dir string) error {
		if f.project = dir; dir == "" {
			f.project = " " // reported as invalid, unlike a missing --project (D2)
		}
		return nil
	})
	fs.BoolVar(&f.requireTrust, "require-trust", false, "run only project hooks that you have reviewed with agent-hooks trust")
}

// trustDir returns the directory of the reviewed copies; "" if there is none.
func (env *Env) trustDir() string {
	state := env.state()
	if state == "" {
		return ""
	}
	return filepath.Join(state, "trust")
}
