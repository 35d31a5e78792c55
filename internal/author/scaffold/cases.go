package scaffold

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

// positive returns the case in which the hook has an effect.
func (h *hook) positive() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# `agent-hooks test %s` runs the script on this event.\n", h.Name)
	switch h.kind {
	case guard, shell:
		b.WriteString(h.toolEvent(h.tool, h.subject.forbidden, ""))
	case refuse:
		b.WriteString(h.toolEvent(h.tool, h.text, ""))
	case words:
		b.WriteString(h.wordsEvent(h.fires))
	case notes:
		b.WriteString("files:\n  NOTES.md: Indent with tabs.\n")
	case todo:
		b.WriteString("files:\n  TODO.md: |\n    - [x] write the parser\n    - [ ] test it\n")
	}
	b.WriteString("expect:\n" + h.expected())
	return b.String()
}

// expected returns the expected answer in the positive case.
func (h *hook) expected() string {
	line := func(key, text string) string { return "  " + key + ": " + yamltext.Scalar(text) + "\n" }
	said := firstWords(h.says)
	switch {
	case h.kind == guard || h.kind == shell || h.kind == refuse:
		return "  decision: deny\n" + line("reason", "ask the user")
	case h.kind == notes:
		return line("context", "Indent with tabs")
	case h.gives == block:
		return "  decision: deny\n" + line("reason", said)
	case h.kind == todo && h.gives == context:
		return line("context", "test it")
	case h.gives == context:
		return line("context", said)
	}
	return line("message", said)
}

// firstWords returns the beginning of a text, without characters that are special in regular
// expressions or YAML.
func firstWords(text string) string {
	first, _, _ := strings.Cut(text, ".")
	for _, end := range []string{";", ",", ":"} {
		first, _, _ = strings.Cut(first, end)
	}
	return first
}

// negative returns the case in which the hook has no effect.
func (h *hook) negative() string {
	var b strings.Builder
	b.WriteString("# An event that must pass. Add a case for each event that the hook gets wrong.\n")
	silent := "expect:\n  exit: 0\n  decision: none\n"
	switch h.kind {
	case guard, shell:
		b.WriteString(h.toolEvent(h.tool, h.subject.harmless, "") + silent)
	case refuse:
		b.WriteString(h.toolEvent(h.unselected.tool, h.unselected.text, "") + "expect:\n  fires: false  # the matcher skips it\n")
	case words:
		b.WriteString(h.wordsEvent(h.passes) + silent + h.nothingSaid())
	case notes:
		b.WriteString(silent + h.nothingSaid())
	case todo:
		b.WriteString("files:\n  TODO.md: |\n    - [x] write the parser\n    - [x] test it\n" + silent + h.nothingSaid())
	}
	return b.String()
}

// nothingSaid returns the expectation that no text is added.
func (h *hook) nothingSaid() string {
	switch {
	case h.gives == context || h.kind == notes:
		return "  context: '^$'\n"
	case h.gives == message:
		return "  message: '^$'\n"
	}
	return ""
}

// wordsEvent returns an event with value at key.
func (h *hook) wordsEvent(value string) string {
	if h.Trigger.IsTool() {
		return h.toolEvent(h.tool, h.text, h.key+": "+yamltext.Scalar(value))
	}
	return fmt.Sprintf("patch:  # changes to the sample event\n  %s: %s\n", h.key, yamltext.Scalar(value))
}

// toolEvent returns a complete event: a call of tool with text in its input, and an additional
// line.
func (h *hook) toolEvent(tool, text, line string) string {
	event := fmt.Sprintf("event:\n  tool_name: %s\n  tool_input:\n    %s: %s\n", yamltext.Scalar(tool), subjectOf(tool).key, yamltext.Scalar(text))
	if line != "" {
		event += "  " + line + "\n"
	}
	return event
}
