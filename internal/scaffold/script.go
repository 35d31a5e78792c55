package scaffold

import (
	"fmt"
	"path"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// script returns the text of the entry point.
func (h *hook) script() string {
	var b strings.Builder
	for _, part := range h.parts() {
		text, _ := templates.ReadFile(path.Join("templates", part+"."+h.extension))
		b.Write(text)
	}
	return h.fill(b.String())
}

// parts returns the templates of which the script consists.
func (h *hook) parts() []string {
	switch {
	case h.kind == refuse:
		return []string{refuse}
	case h.extension == "sh":
		return h.shellParts()
	}
	parts := []string{"head"}
	if h.kind != notes && h.kind != todo {
		parts = append(parts, "texts")
	}
	parts = append(parts, "block", "answer", h.kind)
	if h.extension == "js" {
		parts = append(parts, "tail")
	}
	return parts
}

// shellParts leaves out the functions that need jq or python3 where the script
// calls none of them.
func (h *hook) shellParts() []string {
	parts := []string{"head"}
	if h.kind == guard || h.kind == words || h.gate() != "" {
		parts = append(parts, "field")
	}
	if h.kind == notes || h.gives == context || h.gives == message {
		parts = append(parts, "answer")
	}
	return append(parts, h.kind)
}

// fill puts the hook's own words into a template. None of them can end a
// string or a comment: they are this package's, or a checked name.
func (h *hook) fill(text string) string {
	info, _ := spec.Info(h.Trigger)
	key := ""
	if len(h.keys) > 0 {
		key = h.keys[0]
	}
	inner := strings.NewReplacer("@name@", h.Name, "@block@", info.Block)
	return strings.NewReplacer(
		"@shebang@", map[string]string{"sh": "#!/bin/sh", "bash": "#!/usr/bin/env bash"}[h.language.name],
		"@set@", map[string]string{"sh": "set -eu", "bash": "set -euo pipefail"}[h.language.name],
		"@imports@", h.imports(),
		"@description@", h.about,
		"@block@", info.Block,
		"@name@", h.Name,
		"@key@", key,
		"@word@", h.wanted(),
		"@fields@", h.fields(),
		"@gate@", h.gate(),
		"@answer@", inner.Replace(h.answer()),
		"@others@", inner.Replace(h.others()),
	).Replace(text)
}

// wanted is what the script looks for.
func (h *hook) wanted() string {
	if h.kind == guard {
		return h.subject.forbidden
	}
	return h.word
}

func (h *hook) imports() string {
	if h.kind == notes || h.kind == todo {
		return "import json\nimport os\nimport sys"
	}
	return "import json\nimport sys"
}

// fields reads the keys that the script looks at.
func (h *hook) fields() string {
	format, separator, around := `texts(event.%s)`, ` + " " + `, ""
	switch h.extension {
	case "sh":
		format, separator, around = "$(field %s)", " ", `"`
		if len(h.keys) == 1 {
			around = ""
		}
	case "py":
		format = `texts(event.get("%s"))`
	}
	var parts []string
	for _, key := range h.keys {
		parts = append(parts, fmt.Sprintf(format, key))
	}
	return around + strings.Join(parts, separator) + around
}

// gate lets an agent stop that goes on because of a block.
func (h *hook) gate() string {
	if h.Trigger != spec.PreAgentTurnStop {
		return ""
	}
	return map[string]string{
		"sh": "\n# The agent goes on already because of a block: let it stop, or it loops.\n[ \"$(field stop_hook_active)\" != true ] || exit 0\n",
		"py": "    if event.get(\"stop_hook_active\"):\n        return  # it goes on already because of a block: let it stop, or it loops\n",
		"js": "  if (event.stop_hook_active) return; // it goes on already because of a block: let it stop, or it loops\n",
	}[h.extension]
}

// answer is the code that gives the script's answer.
func (h *hook) answer() string {
	text := `"` + h.says + `"`
	if h.gives == block {
		text = `"@name@: ` + h.says + `"`
	}
	if h.kind == todo {
		text = map[string]string{
			"sh": text[:len(text)-1] + ":\n$open\"",
			"py": text[:len(text)-1] + `:\n" + "\n".join(items)`,
			"js": text[:len(text)-1] + `:\n" + items.join("\n")`,
		}[h.extension]
	}
	return h.give(h.gives, text)
}

// give is the code that gives an answer of a kind.
func (h *hook) give(kind, text string) string {
	if kind == block {
		return map[string]string{"sh": "echo " + text + " >&2\nexit 2", "py": "block(" + text + ")", "js": "block(" + text + ");"}[h.extension]
	}
	key := keyOf(kind)
	return map[string]string{
		"sh": "answer " + key + " " + text,
		"py": "answer(" + key + "=" + text + ")",
		"js": "answer({ " + key + ": " + text + " });",
	}[h.extension]
}

// others is a comment with the answers that the script does not give.
func (h *hook) others() string {
	given := h.gives
	if h.kind == notes {
		given = context
	}
	before := map[string]string{"sh": "# ", "py": "    # ", "js": "  // "}[h.extension]
	lines := []string{before + "Other answers:"}
	for _, other := range [][2]string{{block, "@block@"}, {context, "a word to the model"}, {message, "a word to the user"}} {
		if other[0] == given {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s  %-40s  %s", before, h.short(other[0]), other[1]))
	}
	return strings.Join(lines, "\n")
}

// short is code for a comment: an answer of a kind, whatever its text.
func (h *hook) short(kind string) string {
	switch {
	case kind == block:
		return strings.ReplaceAll(h.give(block, `"why"`), "\n", "; ")
	case h.extension == "sh":
		return `echo '{"` + keyOf(kind) + `": "text"}'`
	}
	return h.give(kind, `"text"`)
}

func keyOf(kind string) string {
	if kind == message {
		return "system_message"
	}
	return "additional_context"
}
