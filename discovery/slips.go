package discovery

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/spec"
)

// blocks matches what a script does to block, and reads a command that consumes
// its stdin.
const (
	blocks = `\bexit\s*\(?\s*2\b|["'](?:decision|permissionDecision)["']\s*:\s*["'](?:deny|block)\b`
	reads  = `\$\(cat\)|` + "`cat`" + `|\$\(jq(?:\s+-[-\w]+)*\s+(?:'[^']*'|"[^"]*"|[^\s)'"|<]+)\)|sys\.stdin\.read\(\)|json\.load\(sys\.stdin\)`
)

// checkSlips reports a script that cannot have the effect that it is written
// for.
func (s script) checkSlips(lines []string, h *Hook) (found []spec.Diagnostic) {
	if line, _ := nth(lines, regexp.MustCompile(blocks), 1); h.Async && line > 0 {
		found = append(found, problemAt(s.path, line, "async-block", "tries to block, but the hook is async: the agent does not wait for it; remove `async: true`"))
	}
	if line, what := nth(lines, regexp.MustCompile(reads), 2); line > 0 {
		found = append(found, problemAt(s.path, line, readsTwice, "reads stdin again with "+what+"; the first read has emptied it, so that this one gets nothing: keep the event in a variable"))
	}
	if line := said(lines); line > 0 && h.Protocol == "" {
		found = append(found, problemAt(s.path, line, "reason-stdout", "prints the reason on stdout before exit 2, where it is not read; add >&2"))
	}
	return found
}

// readsTwice is the code of a script that reads stdin again.
const readsTwice = "stdin-twice"

// ReadsTwice returns where the hook's script reads stdin again, and gets nothing;
// "" if it does not. A run cannot see such a read.
func (h *Hook) ReadsTwice() string {
	s, _ := h.script()
	for _, d := range s.checkSlips(s.codeLines(), h) {
		if d.Code == readsTwice {
			return fmt.Sprintf("line %d of its script %s", d.Line, d.Message)
		}
	}
	return ""
}

// codeLines returns the lines of the script; those that are comments are empty.
func (s script) codeLines() (lines []string) {
	text, _, _ := paths.Read(s.path, maxLanguage) // an error is reported elsewhere
	for line := range bytes.Lines(text) {
		trimmed := strings.TrimSpace(string(line))
		if strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "//") {
			trimmed = ""
		}
		lines = append(lines, trimmed)
	}
	return lines
}

// nth returns the line of the n-th match of an expression, and the match; 0 if
// there are fewer.
func nth(lines []string, re *regexp.Regexp, n int) (line int, match string) {
	for i, text := range lines {
		for _, m := range re.FindAllString(text, -1) {
			n--
			if n == 0 {
				return i + 1, m
			}
		}
	}
	return 0, ""
}

// said returns the line of a shell's exit 2 directly after an echo or printf to
// stdout; 0 if there is none.
func said(lines []string) int {
	if strings.Contains(strings.ReplaceAll(strings.Join(lines, "\n"), " ", ""), "exec>&2") || strings.Contains(strings.Join(lines, "\n"), "exec 1>&2") {
		return 0
	}
	before := ""
	for i, line := range lines {
		text := line
		if line == "exit 2" {
			text = before + "; exit 2"
		}
		prints := strings.HasPrefix(text, "echo ") || strings.HasPrefix(text, "printf ")
		ends := strings.HasSuffix(text, "; exit 2") || strings.HasSuffix(text, "&& exit 2")
		if prints && ends && !strings.Contains(text, ">") && !strings.Contains(text, "|") {
			if rest := strings.Join(lines[i+1:min(i+3, len(lines))], " "); !strings.Contains(rest, "} >&2") {
				return i + 1
			}
		}
		if line != "" {
			before = line
		}
	}
	return 0
}
