package main

import (
	"errors"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/history"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// errNoStateDir means that there is no directory for the log.
var errNoStateDir = errors.New("no runs are logged: there is no place for a log, since neither XDG_STATE_HOME nor HOME is an absolute path")

func (f filterFlags) filter(command string) (*history.Filter, error) {
	from, ok := history.ParseSince(f.since, time.Now())
	if !ok {
		return nil, usagef("--since 90m, 2h, 3d, 2026-11-20 or 2026-11-20T15:04", "%s: --since %q is neither a duration nor a time", command, f.since)
	}
	return history.NewFilter(f.hook, from), nil
}

// checkName returns a usage error if no line and no hook has the selected name.
func checkName(command string, f *history.Filter, hooks discovery.Table) error {
	known, names := f.Known(hooks)
	if known {
		return nil
	}
	hint := near.Hint("agent-hooks list shows the hooks, agent-hooks stats those that ran", "--hook %s", f.Hook, names)
	return usagef(hint, "%s: there is no hook %q, and none in the log", command, f.Hook)
}

func (env *Env) warnSkipped(dir string, lines int) {
	if lines > 0 {
		env.warn("skipped %s of the log %s", term.Plural(lines, "malformed line"), term.Printable(runlog.Path(dir)))
	}
}

// noLog returns the message for a missing log.
func noLog(dir string) string {
	return "no runs logged yet; they will be in " + term.Printable(runlog.Path(dir))
}
