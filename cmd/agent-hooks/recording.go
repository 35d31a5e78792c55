package main

import (
	"github.com/agent-hooks/agent-hooks/internal/config"
	"github.com/agent-hooks/agent-hooks/internal/record"
)

// recording contains whether and where events are recorded.
type recording struct {
	on    bool
	by    string // the setting that enabled or disabled it; "" if there is none
	store record.Store
	// warning explains why a setting that enables recording is ignored; "" if none is.
	warning string
}

// recording determines whether events are recorded. said contains the settings in the user's
// hooks.toml.
func (env *Env) recording(said config.Recording) recording {
	to := said.Recorder(env.Getenv, func() string { return env.state() })
	return recording{on: to.On, by: to.By, store: record.Store{Dir: to.Dir, Keep: to.Keep}, warning: to.Warning}
}
