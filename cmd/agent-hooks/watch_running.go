package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// mostAttempts is the maximum number of hooks that run at the same time, so that a slow one
// does not delay the others for long.
const mostAttempts = 4

// wonder is the delay after which a running attempt is shown on a terminal.
const wonder = 300 * time.Millisecond

// wonderLong is that delay for permanent output, such as in a pipe.
const wonderLong = 2 * time.Second

// attempt is one run of one changed hook.
type attempt struct {
	key      string
	name     string // for messages
	onEvent  bool   // on the event, not in its cases
	asked    bool   // report if it has no cases
	run      func(ctx context.Context) outcome
	cancel   context.CancelFunc
	outdated bool // the hook has changed since
	round    *round
}

// round is the set of attempts of a hook for the same change.
type round struct {
	due   time.Time
	quiet bool // an unchanged result is not reported
	begun bool
	ran   bool
}

// outcome is the result of an attempt.
type outcome struct {
	tell func()
	ran  bool   // a process of the hook was started
	came string // equal for equal results
}

// result is a finished attempt.
type result struct {
	*attempt
	outcome
}

// next starts the next attempts that are due. Attempts of the same hook run one after another,
// and so do all hooks that run in place, where they could interfere.
func (w *watching) next(ctx context.Context) {
	most := mostAttempts
	if w.flags.inPlace {
		most = 1
	}
	now := time.Now()
	for _, t := range slices.Clone(w.waiting) {
		if !t.round.begun && !t.round.due.After(now) {
			w.drop(t.key, t.round)
		}
	}
	for len(w.running) < most {
		i := slices.IndexFunc(w.waiting, func(t *attempt) bool { return w.running[t.key] == nil && !t.round.due.After(now) })
		if i < 0 {
			break
		}
		t := w.waiting[i]
		w.waiting = slices.Delete(w.waiting, i, i+1)
		w.start(ctx, t)
	}
	w.awaitDue(now)
}

// awaitDue wakes the loop when the next attempt is due.
func (w *watching) awaitDue(now time.Time) {
	w.due = nil
	var soonest time.Duration
	for _, t := range w.waiting {
		if pause := t.round.due.Sub(now); pause > 0 && (w.due == nil || pause < soonest) {
			soonest = pause
			w.due = time.After(pause)
		}
	}
}

func (w *watching) start(ctx context.Context, t *attempt) {
	ctx, t.cancel = context.WithCancel(ctx)
	if len(w.running) == 0 {
		w.slow = time.After(wonder)
	}
	w.running[t.key] = t
	if !t.round.begun {
		t.round.begun = true
		w.paceOf(t.key).Begin(time.Now())
	}
	if !w.shows() && !w.flags.json {
		time.AfterFunc(wonderLong, func() {
			select {
			case w.long <- t:
			case <-ctx.Done():
			}
		})
	}
	go func() { w.results <- result{t, t.run(ctx)} }()
}

func (w *watching) finish(r result) {
	r.cancel()
	delete(w.running, r.key)
	r.round.ran = r.round.ran || r.ran
	w.paceOf(r.key).End(time.Now(), r.round.ran)
	if len(w.running) == 0 {
		w.slow, w.overdue = nil, false
	}
	if r.outdated {
		return
	}
	what := fmt.Sprintf("%s %t", r.key, r.onEvent)
	if !r.round.quiet || r.came != w.came[what] {
		r.tell()
	}
	w.came[what] = r.came
}

// shows reports whether the output is a terminal that supports temporary lines.
func (w *watching) shows() bool {
	return !w.flags.json && w.env.width(w.env.Stdout) >= 20 && w.env.escapes(w.env.Stdout)
}

// tellLong reports that an attempt is running, if it still is.
func (w *watching) tellLong(t *attempt) {
	if w.running[t.key] == t && !t.outdated && !t.round.quiet {
		w.say("%s %s is running", w.clock(), w.paint(term.Bold, t.name))
	}
}

// tellRunning shows slow running attempts in a temporary line on a terminal.
func (w *watching) tellRunning() {
	if !w.overdue || !w.shows() {
		w.erase()
		return
	}
	var names []string
	for _, t := range w.running {
		names = append(names, t.name)
	}
	slices.Sort(names)
	text := "  …  now running " + strings.Join(names, ", ")
	if more := len(w.waiting); more > 0 {
		text += fmt.Sprintf("; %d to come", more)
	}
	if text == w.shown {
		return
	}
	w.erase()
	w.shown = text
	_, _ = fmt.Fprint(w.env.Stdout, w.paint(term.Faint, term.CutTo(text, w.env.width(w.env.Stdout)-1))) // the next write reports the error
}

// erase removes the temporary line before other output.
func (w *watching) erase() {
	if w.shown != "" {
		_, _ = fmt.Fprint(w.env.Stdout, "\r\x1b[K")
		w.shown = ""
	}
}
