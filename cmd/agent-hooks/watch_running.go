package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// mostAttempts is how many hooks run at once, so that a slow one does not hold
// up the others for long.
const mostAttempts = 4

// wonder is when someone who has saved begins to wonder whether anything runs.
const wonder = 300 * time.Millisecond

// attempt is one run of one changed hook.
type attempt struct {
	key      string
	name     string // to be printed
	run      func(ctx context.Context) (tell func())
	cancel   context.CancelFunc
	outdated bool  // the hook has changed meanwhile
	ran      *span // of this and what else the same change makes run
}

// result is what came of an attempt.
type result struct {
	*attempt
	tell func()
}

// next starts the next attempts, of one hook one after another. In place, hooks
// may get into each other's way.
func (w *watching) next(ctx context.Context) {
	most := mostAttempts
	if w.flags.inPlace {
		most = 1
	}
	for len(w.running) < most {
		i := slices.IndexFunc(w.waiting, func(t *attempt) bool { return w.running[t.key] == nil })
		if i < 0 {
			return
		}
		t := w.waiting[i]
		w.waiting = slices.Delete(w.waiting, i, i+1)
		w.start(ctx, t)
	}
}

func (w *watching) start(ctx context.Context, t *attempt) {
	ctx, t.cancel = context.WithCancel(ctx)
	if len(w.running) == 0 {
		w.slow = time.After(wonder)
	}
	w.running[t.key] = t
	if t.ran.began.IsZero() {
		t.ran.began = time.Now()
	}
	t.ran.ended = time.Time{}
	w.ran[t.key] = t.ran
	go func() { w.results <- result{t, t.run(ctx)} }()
}

func (w *watching) finish(r result) {
	r.cancel()
	delete(w.running, r.key)
	r.ran.ended = time.Now()
	if len(w.running) == 0 {
		w.slow, w.overdue = nil, false
	}
	if !r.outdated {
		r.tell()
	}
}

// tellRunning says on a terminal what runs, if it does for long, in a line
// that does not stay.
func (w *watching) tellRunning() {
	width := w.env.width(w.env.Stdout)
	if !w.overdue || w.flags.json || width < 20 || !w.env.escapes(w.env.Stdout) {
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
	_, _ = fmt.Fprint(w.env.Stdout, w.paint(faint, cutTo(text, width-1))) // the next line tells of an error
}

// erase makes room for what else is told.
func (w *watching) erase() {
	if w.shown != "" {
		_, _ = fmt.Fprint(w.env.Stdout, "\r\x1b[K")
		w.shown = ""
	}
}
