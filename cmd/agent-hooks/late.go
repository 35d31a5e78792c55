package main

import (
	"os"
	"slices"
	"sync/atomic"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
)

// A file system that does not respond can keep a run longer than its deadline: a user's home directory
// may be on one. Nothing within the process can end such a call, so the process ends.
const logTime = 2 * time.Second // after the answer, for the log

// lateTime returns how long after its deadline, in ms, a run denies: not while it ends hooks that do
// not end themselves, which takes a second, and before the agent ends the run, which is as long as the
// deadline after it, at most 3 s (D49). If that leaves no time, the answer is for other callers.
func lateTime(deadline int) time.Duration {
	if before := min(deadline*2/3, 2000); before >= 1500 {
		return time.Duration(before) * time.Millisecond
	}
	return 10 * time.Second
}

// ending makes sure that a run with a deadline answers and ends (D32).
type ending struct {
	answered   atomic.Bool
	late, last *time.Timer
}

// endLate writes an answer with late and ends the process, which exits with the returned status, if
// the run has not answered in time.
func endLate(deadline int, late func() int) *ending {
	e := new(ending)
	if deadline > 0 {
		e.late = time.AfterFunc(time.Duration(deadline)*time.Millisecond+lateTime(deadline), func() {
			if e.answered.CompareAndSwap(false, true) {
				os.Exit(late())
			}
		})
	}
	return e
}

// answer writes the run's answer with write, whose status it returns. The log comes after it, if a hook
// matched. e is nil in a process that goes on.
func (e *ending) answer(reports []*agenthooks.Report, write func() int) int {
	if e == nil {
		return write()
	}
	if !e.answered.CompareAndSwap(false, true) {
		select {} // the other answer is being written
	}
	status := write()
	matched := func(h *agenthooks.HookReport) bool { return h.Matched }
	if slices.ContainsFunc(reports, func(r *agenthooks.Report) bool { return slices.ContainsFunc(r.Hooks, matched) }) {
		e.last = time.AfterFunc(logTime, func() { os.Exit(status) })
	}
	return status
}

// ended is called at the end of the run.
func (e *ending) ended() {
	for _, t := range []*time.Timer{e.late, e.last} {
		if t != nil {
			t.Stop()
		}
	}
}
