package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/watch"
)

// shows reports whether the output is a terminal that supports temporary lines.
func (w *watching) shows() bool {
	return !w.flags.json && w.status.fits(w.env)
}

// tellLong reports that a hook is running, if it still is.
func (w *watching) tellLong(r *watch.Round) {
	if w.schedule.Runs(r) {
		w.say("%s %s is running", w.clock(), w.env.style(term.Bold, r.Hook.Shown()))
	}
}

// tellRunning shows slow hooks in a temporary line on a terminal.
func (w *watching) tellRunning() {
	if !w.overdue || !w.shows() {
		w.erase()
		return
	}
	var names []string
	for _, h := range w.schedule.Running() {
		names = append(names, h.Shown())
	}
	slices.Sort(names)
	text := "  …  now running " + strings.Join(names, ", ")
	if more := w.schedule.Waiting(); more > 0 {
		text += fmt.Sprintf("; %d to come", more)
	}
	w.status.show(w.env, text)
}

func (w *watching) erase() { w.status.erase(w.env) }

// tellWarnings prints each warning about the hooks as a whole, such as about a hooks.toml,
// once, and again when it is fixed.
func (w *watching) tellWarnings(c reloaded) {
	for _, warning := range c.Warnings {
		w.tellWarning(warning)
	}
	stand := slices.Clone(c.warnings)
	for _, d := range c.Diagnostics {
		stand = append(stand, d.String())
	}
	for _, warning := range w.told {
		if !slices.Contains(stand, warning) {
			w.tellText("fixed", term.Green, warning)
		}
	}
	for _, warning := range stand {
		if !slices.Contains(w.told, warning) {
			w.tellWarning(warning)
		}
	}
	w.told = stand
}

func (w *watching) tellWarning(text string) { w.tellText("warning", term.Yellow, text) }

func (w *watching) tellText(kind, style, text string) {
	if w.flags.json {
		w.emit(warningLine{w.line(kind), text})
		return
	}
	w.say("%s %s %s", w.clock(), w.env.style(style, kind+":"), term.Visible(text))
}
