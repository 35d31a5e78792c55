package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/history"
	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// errNoStateDir means that there is no directory for the log.
var errNoStateDir = errors.New("no runs are logged: there is no place for a log, since neither XDG_STATE_HOME nor HOME is an absolute path")

// logFilter returns the filter for --hook and --since.
func logFilter(command, hook, since string) (*history.Filter, error) {
	from, ok := history.ParseSince(since, time.Now())
	if !ok {
		return nil, usagef(sinceHint, "%s: --since %q is neither a duration nor a time", command, since)
	}
	return history.NewFilter(hook, from), nil
}

// sinceHint shows the forms that history.ParseSince accepts.
const sinceHint = "--since 90m, 2h, 3d, 2026-11-20 or 2026-11-20T15:04"

// checkName returns a usage error if no line and no hook has the selected name.
func checkName(command string, f *history.Filter, hooks discovery.Table) error {
	known, names := f.Known(hooks)
	if known {
		return nil
	}
	hint := "agent-hooks list shows the hooks, agent-hooks stats those that ran"
	if near, ok := near.Word(f.Hook, names); ok {
		hint = fmt.Sprintf("did you mean --hook %s?", term.Cell(near))
	}
	return usagef(hint, "%s: there is no hook %q, and none in the log", command, f.Hook)
}

func (env *Env) warnSkipped(dir string, lines int) {
	switch {
	case lines == 1:
		env.warn("skipped 1 malformed line of the log %s", term.Printable(runlog.Path(dir)))
	case lines > 1:
		env.warn("skipped %d malformed lines of the log %s", lines, term.Printable(runlog.Path(dir)))
	}
}

// noLog returns the message for a missing log.
func noLog(dir string) string {
	return "no runs logged yet; they will be in " + term.Printable(runlog.Path(dir))
}
