package main

import (
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// progress is how far a replay has come, as it was last told.
type progress struct {
	shown bool // a line on the terminal waits to be written over
	last  time.Time
}

const (
	firstProgress = 2 * time.Second // before that, nobody wonders
	everyProgress = 5 * time.Second // where no line can be written over
)

// progressEvery is how often it is looked whether to tell of progress.
func (env *Env) progressEvery() time.Duration {
	if env.escapes(env.Stderr) {
		return 100 * time.Millisecond
	}
	return 500 * time.Millisecond
}

// tellProgress says on stderr how far the replay has come: on a terminal in
// one line that is written over if it can be, else in a line from time to time.
func (r *replaying) tellProgress(done int) {
	text := progressText(done, len(r.names), r.sum.Changed, time.Since(r.began))
	if r.env.escapes(r.env.Stderr) {
		if most := r.env.width(r.env.Stderr); most > 1 {
			text = term.CutTo(text, most-1)
		}
		fmt.Fprintf(r.env.Stderr, "\r%s\x1b[K", text)
		r.told.shown = true
		return
	}
	if time.Since(r.began) < firstProgress || time.Since(r.told.last) < everyProgress {
		return
	}
	r.told.last = time.Now()
	r.env.note("%s", text)
}

// clearProgress makes room for what else is told.
func (r *replaying) clearProgress() {
	if r.told.shown {
		fmt.Fprint(r.env.Stderr, "\r\x1b[K")
		r.told.shown = false
	}
}

// progressText spells progress, with an estimate of the time that is left
// once there is something to estimate from.
func progressText(done, all, changed int, since time.Duration) string {
	text := fmt.Sprintf("%d of %s, %d changed", done, plural(all, "event"), changed)
	if done == 0 || done == all || since < firstProgress/2 {
		return text
	}
	left := time.Duration(float64(since) / float64(done) * float64(all-done))
	return text + ", about " + shortDuration(left) + " left"
}

// shortDuration spells a duration as far as it matters to someone who waits.
func shortDuration(d time.Duration) string {
	switch {
	case d < time.Second:
		return "1 s"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Round(time.Second)/time.Second))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Round(time.Minute)/time.Minute))
	}
	return fmt.Sprintf("%d h", int(d.Round(time.Hour)/time.Hour))
}
