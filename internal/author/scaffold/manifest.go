package scaffold

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/yamltext"
	"github.com/agent-hooks/agent-hooks/spec"
)

// manifest returns the text of the HOOK.md.
func (h *hook) manifest() string {
	var b strings.Builder
	info, _ := spec.Info(h.Trigger)
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %s\n", yamltext.Scalar(h.Name), yamltext.Scalar(h.about))
	fmt.Fprintf(&b, "trigger: %s  # %s\n", h.Trigger, info.When)
	b.WriteString(h.matcherLines())
	b.WriteString("timeout: 10000  # milliseconds\n")
	b.WriteString(h.failureLines())
	fmt.Fprintf(&b, "---\n\n# %s\n\n%s\n%s", h.Name, h.about, h.more())
	fmt.Fprintf(&b, "\nThe script is `%s`, its test cases are in `tests`:\n`agent-hooks test %s`.\n", h.file, h.Name)
	fmt.Fprintf(&b, "\n## What it cannot do\n\nList what gets past this hook, for people who rely on it.\n")
	return b.String()
}

func (h *hook) matcherLines() string {
	if h.Tool == "" && h.Pattern == "" {
		return ""
	}
	lines := "matcher:\n"
	if h.Tool != "" {
		lines += "  # A regular expression, searched in the names of the tool: Shell is also\n" +
			"  # Claude Code's Bash and Gemini's run_shell_command.\n"
		lines += "  tool: " + yamltext.Scalar(h.Tool) + "\n"
	}
	if h.Pattern != "" {
		lines += "  # A regular expression, searched in each value of the tool's input.\n"
		lines += "  pattern: " + yamltext.Scalar(h.Pattern) + "\n"
	}
	return lines
}

func (h *hook) failureLines() string {
	const pure = "  # It only inspects the call, so it may run at the same time as the pure\n  # hooks next to it. Remove the line if the script changes anything.\n  pure: true\n"
	const failure = "  # If the script fails (a crash, a timeout, no interpreter): deny blocks, ask\n" +
		"  # asks the user; without this line the call continues, with a warning.\n"
	info, _ := spec.Info(h.Trigger)
	switch {
	case h.Trigger == spec.PreToolCall:
		return "metadata:\n" + failure + "  on-failure: deny\n" + pure
	case h.isGuard():
		return "metadata:\n" + failure + "  # on-failure: deny\n" + pure
	case info.Timing == "before":
		return "# If the script fails, the operation continues, with a warning. For a guard:\n# metadata:\n#   on-failure: deny\n"
	}
	return "# async: true  # the agent does not wait, and the script cannot answer\n"
}

// isGuard reports whether the hook only decides on a tool call.
func (h *hook) isGuard() bool { return h.kind == shell || h.kind == guard || h.kind == refuse }

// more returns the rest of the description.
func (h *hook) more() string {
	switch h.kind {
	case shell:
		return "`agent-hooks commands` lists the commands that the script checks. A longer\nexample is `agent-hooks new --from block-dangerous-commands`.\n"
	case refuse:
		return "To see why it skips a call: `agent-hooks why " + h.Name + " pre-tool-call < event.json`.\n"
	}
	return ""
}

// Rename returns a HOOK.md with the hook renamed. In the front matter, only the name is
// changed.
func Rename(source []byte, from, to string) []byte {
	const end = "\n---\n"
	front, text, _ := bytes.Cut(source, []byte(end))
	front = bytes.Replace(front, []byte("\nname: "+from+"\n"), []byte("\nname: "+yamltext.Scalar(to)+"\n"), 1)
	return slices.Concat(front, []byte(end), RenameIn(text, from, to))
}

// RenameIn returns a hook's script or test case with the hook renamed wherever its name is a
// word: notify, but not the notify in notify-send.
func RenameIn(source []byte, from, to string) []byte {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	var renamed []byte
	for at := 0; ; {
		i := bytes.Index(source[at:], []byte(from))
		if i < 0 {
			return append(renamed, source[at:]...)
		}
		before, _ := utf8.DecodeLastRune(source[:at+i])
		after, _ := utf8.DecodeRune(source[at+i+len(from):])
		renamed = append(renamed, source[at:at+i]...)
		if at += i + len(from); inWord(before) || inWord(after) {
			renamed = append(renamed, from...)
		} else {
			renamed = append(renamed, to...)
		}
	}
}
