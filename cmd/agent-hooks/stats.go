package main

import (
	"flag"

	"github.com/agent-hooks/agent-hooks/internal/history"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/spec"
)

type statsFlags struct {
	readFlags
	filterFlags
}

func (f *statsFlags) declare(fs *flag.FlagSet) {
	f.readFlags.declare(fs)
	f.filterFlags.declare(fs)
}

const statsAbout = "On a narrow terminal, columns that contain only zeros, the durations and the last run are omitted."

func statsColumns() [][]string {
	return [][]string{
		{"  RUNS", "number of runs"},
		{"  BLOCK", "runs that blocked: the hook's decision, or on-failure: deny"},
		{"  FAIL", "failed runs except LATE: no start, a crash, an exit status other than 0 and 2, a bad answer"},
		{"  LATE", "timeouts: runs stopped because they took too long"},
		{"  OPEN", "fail-opens: FAIL and LATE after which the operation continued"},
		{"  P50", "median duration in ms; P95: 95th percentile; MAX: longest"},
		{"  LAST FIRED", "last run, even if it was before --since"},
		{"  SCOPE", "user, project, or gone if the hook no longer exists"},
	}
}

// execute is `agent-hooks stats`: it summarizes the run log for each hook.
func (flags statsFlags) execute(env *Env, _ []string) (int, error) {
	filter, err := flags.filter("stats")
	if err != nil {
		return 0, err
	}
	hooks := env.hooks(flags.projectFlags)
	all := history.Statistics{}
	if err := env.countLog(filter, all); err != nil {
		return 0, err
	}
	if err := checkName("stats", filter, hooks.Table); err != nil {
		return 0, err
	}
	all.AddExisting(hooks, flags.hook)
	rows := all.Rows()
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	return spec.ExitContinue, env.printStats(rows, hooks.Project.Root)
}

// countLog counts the entries of the log. If there is no log, it says so on stderr.
func (env *Env) countLog(filter *history.Filter, all history.Statistics) error {
	dir := env.state()
	if dir == "" {
		return errNoStateDir
	}
	r := runlog.NewReader(dir)
	defer r.Close()
	found, err := history.Read(r, func(_ []byte, e runlog.Entry) error {
		selected := filter.Selects(e)
		if filter.Hook == "" || filter.Hook == e.Hook {
			all.Count(e, selected)
		}
		return nil
	})
	if err != nil {
		return err
	}
	env.warnSkipped(dir, r.Skipped()+r.Unfinished())
	if !found {
		env.note("%s", noLog(dir))
	}
	return nil
}
