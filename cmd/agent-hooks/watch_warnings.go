package main

import (
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

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
			w.tellMended(warning)
		}
	}
	for _, warning := range stand {
		if !slices.Contains(w.told, warning) {
			w.tellWarning(warning)
		}
	}
	w.told = stand
}

func (w *watching) tellWarning(warning string) {
	if w.flags.json {
		w.emit(warningLine{w.line("warning"), warning})
		return
	}
	w.say("%s %s %s", w.clock(), w.paint(term.Yellow, "warning:"), visible(warning))
}

func (w *watching) tellMended(warning string) {
	if w.flags.json {
		w.emit(warningLine{w.line("mended"), warning})
		return
	}
	w.say("%s %s %s", w.clock(), w.paint(term.Green, "mended:"), visible(warning))
}
