package main

import (
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

const (
	firstProgress = 2 * time.Second // short replays show no progress
	everyProgress = 5 * time.Second // where lines cannot be overwritten
)

// progressEvery returns the interval at which progress is checked.
func (env *Env) progressEvery() time.Duration {
	if env.escapes(env.Stderr) {
		return 100 * time.Millisecond
	}
	return 500 * time.Millisecond
}

// printProgress prints the progress of the replay on stderr: in a temporary line if the terminal
// supports it, otherwise in a new line from time to time.
func (r *replaying) printProgress(done int) {
	text := progressText(done, len(r.events), time.Since(r.began))
	if r.line.supported() {
		r.line.show(text)
		return
	}
	if time.Since(r.began) >= firstProgress && time.Since(r.noted) >= everyProgress {
		r.noted = time.Now()
		r.env.note("%s", text)
	}
}

// progressText formats progress, with an estimate of the remaining time if possible.
func progressText(done, all int, since time.Duration) string {
	text := fmt.Sprintf("%d of %s", done, term.Plural(all, "event"))
	if done == 0 || done == all || since < firstProgress/2 {
		return text
	}
	left := time.Duration(float64(since) / float64(done) * float64(all-done))
	return text + ", about " + shortDuration(left) + " left"
}

// shortDuration formats a duration with low precision.
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
