package main

import (
	"cmp"
	"flag"
	"math"
	"slices"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

type statsFlags struct {
	projectFlags
	hook, since string
	json        bool
}

func (f *statsFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.hook, "hook", "", "show only the hook `NAME`")
	fs.StringVar(&f.since, "since", "", "count what ran since `TIME`, such as 2h (ago), 3d or 2026-11-20")
	fs.BoolVar(&f.json, "json", false, "print JSON")
	f.projectFlags.declare(fs)
}

const statsAbout = "Where a terminal has no room for all columns, their headings are the short ones; then columns of zeros, the times and the time of day are left out."

func statsColumns() [][]string {
	return [][]string{
		{"  RUNS", "how often the hook ran"},
		{"  BLOCKS, BLOCK", "runs that blocked, by the hook's decision or by on-failure: deny"},
		{"  FAILURES, FAIL", "runs without an answer that counts, but for TIMEOUTS: no start, a crash, an exit status other than 0 and 2, a bad answer"},
		{"  TIMEOUTS, LATE", "runs that were ended because they took too long"},
		{"  FAIL-OPENS, OPEN", "FAILURES and TIMEOUTS after which the operation went on"},
		{"  P50 MS, P50", "half of the runs took no longer, in ms; P95: 95 of 100; MAX: all"},
		{"  SCOPE", "whose hook it is; gone: it no longer exists"},
		{"  LAST FIRED", "when it last ran, be that before --since"},
	}
}

// hookStats contains the statistics of one hook from the run log (D33).
type hookStats struct {
	Hook      string         `json:"hook"`
	Scope     string         `json:"scope"`
	Project   string         `json:"project,omitempty"` // of a project's hook
	Exists    bool           `json:"exists"`            // now, for this user and project
	Runs      int            `json:"runs"`
	Blocks    int            `json:"blocks"`               // including failures that blocked
	WouldDeny int            `json:"would_deny,omitempty"` // while the hook was observed (D76)
	Failures  int            `json:"failures"`             // without timeouts
	Timeouts  int            `json:"timeouts"`
	FailOpens int            `json:"fail_opens"` // failures and timeouts that allowed the operation
	Causes    map[string]int `json:"causes,omitempty"`
	LastFired *time.Time     `json:"last_fired"` // null: never in the log
	P50       *float64       `json:"p50_ms"`     // of the runs that started; null: none started
	P95       *float64       `json:"p95_ms"`
	Max       *float64       `json:"max_ms"`

	durations []float64
}

// statsKey identifies a hook: several projects may have hooks with the same name.
type statsKey struct{ hook, scope, project string }

type statistics map[statsKey]*hookStats

func statsKeyOf(hook, scope, project string) statsKey {
	if scope != string(discovery.ProjectScope) {
		project = ""
	}
	return statsKey{hook, scope, project}
}

func (s statistics) of(hook, scope, project string) *hookStats {
	key := statsKeyOf(hook, scope, project)
	if s[key] == nil {
		s[key] = &hookStats{Hook: key.hook, Scope: key.scope, Project: key.project}
	}
	return s[key]
}

// statsCommand is `agent-hooks stats`: it summarises the run log for each hook.
func statsCommand(env *Env, args []string) (int, error) {
	flags, err := parseFlags[statsFlags]("stats", args)
	if err != nil {
		return 0, err
	}
	filter, err := newLogFilter("stats", flags.hook, flags.since)
	if err != nil {
		return 0, err
	}
	hooks := env.load(flags.projectFlags, nil)
	env.warnAll(hooks.Warnings)
	all := statistics{}
	if err := env.countLog(filter, all); err != nil {
		return 0, err
	}
	if err := filter.known("stats", hooks.Table); err != nil {
		return 0, err
	}
	all.addExisting(hooks, flags.hook)
	rows := all.rows()
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	return spec.ExitContinue, env.printStats(rows, hooks.Project.Root)
}

// countLog counts the entries of the log. If there is none, it says so on stderr.
func (env *Env) countLog(filter *logFilter, all statistics) error {
	dir := env.state()
	if dir == "" {
		return errNoStateDir
	}
	r := runlog.NewReader(dir)
	defer r.Close()
	found, err := readLog(r, func(_ []byte, e runlog.Entry) error {
		selected := filter.selects(e)
		if filter.hook == "" || filter.hook == e.Hook {
			all.of(e.Hook, e.Scope, e.Project).count(e, selected)
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

// count adds one run. A run that is not selected only sets the time of the last run.
func (s *hookStats) count(e runlog.Entry, selected bool) {
	if s.LastFired == nil || s.LastFired.Before(e.Time) {
		s.LastFired = &e.Time
	}
	if !selected {
		return
	}
	s.Runs++
	if e.DurationMS > 0 {
		s.durations = append(s.durations, e.DurationMS)
	}
	if e.Would == string(protocol.Deny) {
		s.WouldDeny++
	}
	decision := cmp.Or(e.Decision, e.Outcome)
	if decision == string(protocol.Deny) {
		s.Blocks++
	}
	switch agenthooks.Outcome(e.Outcome) {
	case agenthooks.Failed:
		s.Failures++
	case agenthooks.TimedOut:
		s.Timeouts++
	default:
		return
	}
	if decision == string(protocol.Allow) {
		s.FailOpens++
	}
	if s.Causes == nil {
		s.Causes = map[string]int{}
	}
	s.Causes[cmp.Or(e.Cause, e.Outcome)]++
}

// addExisting adds the hooks that exist now or, if only is not "", those with that name.
// Replaced hooks do not run, so they get no rows of their own.
func (s statistics) addExisting(hooks *agenthooks.Hooks, only string) {
	for _, list := range hooks.Table {
		for _, h := range list {
			if only != "" && only != nameOf(h) {
				continue
			}
			if h.State == discovery.Overridden && s[statsKeyOf(nameOf(h), string(h.Scope), hooks.Project.Root)] == nil {
				continue
			}
			s.of(nameOf(h), string(h.Scope), hooks.Project.Root).Exists = true
		}
	}
}

// rows returns the hooks, sorted by name.
func (s statistics) rows() []*hookStats {
	rows := []*hookStats{}
	for _, h := range s {
		slices.Sort(h.durations)
		h.P50, h.P95, h.Max = percentile(h.durations, 0.50), percentile(h.durations, 0.95), percentile(h.durations, 1)
		rows = append(rows, h)
	}
	slices.SortFunc(rows, func(a, b *hookStats) int {
		return cmp.Or(strings.Compare(a.Hook, b.Hook), -strings.Compare(a.Scope, b.Scope), strings.Compare(a.Project, b.Project))
	})
	return rows
}

// percentile returns the smallest value such that the given share of the sorted values is at or
// below it; nil if there are none.
func percentile(sorted []float64, share float64) *float64 {
	if len(sorted) == 0 {
		return nil
	}
	at := int(math.Ceil(share*float64(len(sorted)))) - 1
	return &sorted[max(0, at)]
}
