package main

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// errNoStateDir means that there is no directory for the log.
var errNoStateDir = errors.New("no runs are logged: there is no place for a log, since neither XDG_STATE_HOME nor HOME is an absolute path")

// logFilter selects lines of the run log.
type logFilter struct {
	hook  string // "" for every hook
	since time.Time
	seen  map[string]bool // the names in the lines so far, selected or not
}

func newLogFilter(command, hook, since string) (*logFilter, error) {
	from, err := parseSince(command, since, time.Now())
	return &logFilter{hook, from, map[string]bool{}}, err
}

func (f *logFilter) selects(e runlog.Entry) bool {
	f.seen[e.Hook] = true
	return (f.hook == "" || f.hook == e.Hook) && !e.Time.Before(f.since)
}

// known returns a usage error if no line and no hook has the selected name.
func (f *logFilter) known(command string, hooks discovery.Table) error {
	if f.hook == "" || f.seen[f.hook] {
		return nil
	}
	var names []string
	for name := range f.seen {
		names = append(names, name)
	}
	for _, list := range hooks {
		for _, h := range list {
			names = append(names, nameOf(h))
		}
	}
	if slices.Contains(names, f.hook) {
		return nil
	}
	slices.Sort(names)
	hint := "agent-hooks list shows the hooks, agent-hooks stats those that ran"
	if near, ok := spec.Nearest(f.hook, names); ok {
		hint = fmt.Sprintf("did you mean --hook %s?", term.Cell(near))
	}
	return usagef(hint, "%s: there is no hook %q, and none in the log", command, f.hook)
}

// nameOf returns the name of a hook in the run log.
func nameOf(h *discovery.Hook) string {
	if h.Name == "" {
		return h.Folder
	}
	return h.Name
}

// readLog reads the lines added to the log since the last call, and reports whether there is a
// log.
func readLog(r *runlog.Reader, each func([]byte, runlog.Entry) error) (bool, error) {
	err := r.Read(each)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
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
