package scaffold

import (
	"path"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// script returns the text of the entry point: the template of the language and kind, filled in.
// No value can end a string or a comment: they are constants of this package, or a checked
// name.
func (h *hook) script() string {
	text, _ := templates.ReadFile(path.Join("templates", h.kind+"."+h.extension))
	info, _ := spec.Info(h.Trigger)
	program, argument, _ := strings.Cut(h.wanted(), " ")
	return strings.NewReplacer(
		"@shebang@", map[string]string{"sh": "#!/bin/sh", "bash": "#!/usr/bin/env bash"}[h.language.name],
		"@set@", map[string]string{"sh": "set -eu", "bash": "set -euo pipefail"}[h.language.name],
		"@description@", h.about,
		"@means@", info.Block,
		"@name@", h.Name,
		"@key@", h.key,
		"@word@", h.wanted(),
		"@program@", program,
		"@argument@", argument,
		"@says@", h.says,
	).Replace(h.chosen(string(text)))
}

// chosen returns the template without the lines for other answers: "?block " begins a line for
// hooks that block, "?answer " one for hooks that answer with a text, "?stop " one for
// pre-agent-turn-stop.
func (h *hook) chosen(template string) string {
	var b strings.Builder
	for line := range strings.Lines(template) {
		if rest, tagged := strings.CutPrefix(line, "?"); tagged {
			tag, text, _ := strings.Cut(rest, " ")
			if tag != h.gives && !(tag == "answer" && h.gives != block) && !(tag == "stop" && h.Trigger == spec.PreAgentTurnStop) {
				continue
			}
			line = text
		}
		b.WriteString(line)
	}
	return b.String()
}

// wanted returns the text that the script searches for.
func (h *hook) wanted() string {
	if h.kind == guard || h.kind == shell {
		return h.subject.forbidden
	}
	return h.word
}
