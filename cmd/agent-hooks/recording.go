package main

import (
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/record"
)

// recording says whether and where events are recorded.
type recording struct {
	on    bool
	by    string // what switched it on, or off; "" if nothing says anything
	store record.Store
	// warning says why something that asks for it is ignored; "" if nothing is.
	warning string
}

// recording finds out whether events are recorded. said is what the user's
// hooks.toml says.
func (env *Env) recording(said config.Recording) recording {
	to := said.Recorder(env.Getenv, func() string { return env.state() })
	return recording{on: to.On, by: to.By, store: record.Store{Dir: to.Dir, Keep: to.Keep}, warning: to.Warning}
}
