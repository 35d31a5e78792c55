package runlog

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
)

// Hook contains the statistics of one hook from the run log (D33).
type Hook struct {
	Hook      string         `json:"hook"`
	Scope     string         `json:"scope"`
	Project   string         `json:"project,omitempty"` // of a project's hook
	Exists    bool           `json:"exists"`            // now; a hook of another project: its folder does
	Runs      int            `json:"runs"`
	Blocks    int            `json:"blocks"`               // including failures that blocked
	WouldDeny int            `json:"would_deny,omitempty"` // while the hook was observed (D76)
	Failures  int            `json:"failures"`             // without timeouts
	Timeouts  int            `json:"timeouts"`
	FailOpens int            `json:"fail_opens"` // failures and timeouts that allowed the operation
	Causes    map[string]int `json:"causes,omitempty"`
	Reasons   map[string]int `json:"reasons,omitempty"` // of blocks and questions (D90)
	LastFired *time.Time     `json:"last_fired"`        // null: never in the log
	P50       *float64       `json:"p50_ms"`            // of the runs that started; null: none started
	P95       *float64       `json:"p95_ms"`
	Max       *float64       `json:"max_ms"`

	durations []float64
}

// key identifies a hook: several projects may have hooks with the same name.
type key struct{ hook, scope, project string }

// Statistics contains the statistics of hooks. Several projects may have hooks with the same
// name.
type Statistics map[key]*Hook

func keyOf(hook, scope, project string) key {
	if scope != string(discovery.ProjectScope) {
		project = ""
	}
	return key{hook, scope, project}
}

func (s Statistics) of(hook, scope, project string) *Hook {
	k := keyOf(hook, scope, project)
	if s[k] == nil {
		s[k] = &Hook{Hook: k.hook, Scope: k.scope, Project: k.project}
	}
	return s[k]
}

// Count adds one run. A run that is not selected only sets the time of the last run.
func (s Statistics) Count(e Entry, selected bool) {
	if !strings.HasPrefix(e.Hook, Canary) {
		s.of(e.Hook, e.Scope, e.Project).count(e, selected)
	}
}

func (s *Hook) count(e Entry, selected bool) {
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
	if e.Would == "deny" {
		s.WouldDeny++
	}
	decision := cmp.Or(e.Decision, e.Outcome)
	if decision == "deny" {
		s.Blocks++
	}
	if e.Reason != "" {
		increment(&s.Reasons, e.Reason)
	}
	switch e.Outcome {
	case "failure":
		s.Failures++
	case "timeout":
		s.Timeouts++
	default:
		return
	}
	if decision == "allow" {
		s.FailOpens++
	}
	increment(&s.Causes, cmp.Or(e.Cause, e.Outcome))
}

func increment(counts *map[string]int, key string) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	(*counts)[key]++
}

// AddExisting adds the hooks that exist now or, if only is not "", those with that name; the
// project's are those of root. Replaced hooks do not run, so they get no rows of their own. Other
// projects' hooks are looked up, but not read.
func (s Statistics) AddExisting(hooks discovery.Table, root, only string) {
	for _, list := range hooks {
		for _, h := range list {
			if only != "" && only != h.Shown() {
				continue
			}
			if h.State == discovery.Overridden && s[keyOf(h.Shown(), string(h.Scope), root)] == nil {
				continue
			}
			s.of(h.Shown(), string(h.Scope), root).Exists = true
		}
	}
	for _, h := range s {
		if h.Project != "" && h.Project != root && filepath.IsLocal(h.Hook) {
			info, err := os.Stat(filepath.Join(h.Project, ".agents", "hooks", h.Hook))
			h.Exists = err == nil && info.IsDir()
		}
	}
}

// Rows returns the hooks, sorted by name.
func (s Statistics) Rows() []*Hook {
	rows := []*Hook{}
	for _, h := range s {
		slices.Sort(h.durations)
		h.P50, h.P95, h.Max = percentile(h.durations, 0.50), percentile(h.durations, 0.95), percentile(h.durations, 1)
		rows = append(rows, h)
	}
	slices.SortFunc(rows, func(a, b *Hook) int {
		return cmp.Or(strings.Compare(a.Hook, b.Hook), -strings.Compare(a.Scope, b.Scope), strings.Compare(a.Project, b.Project))
	})
	return rows
}

// SlowStart is the time in ms above which a hook starts slowly.
const SlowStart = 20

// StartsSlowly reports whether each of several runs took longer than SlowStart, so that most of it
// is the start.
func (s *Hook) StartsSlowly() bool {
	const enough = 5
	return len(s.durations) >= enough && slices.Min(s.durations) > SlowStart
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
