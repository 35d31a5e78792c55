// Package advice finds probable mistakes in a matcher's expressions, and the smallest change
// with which an expression matches. It is used by validate, new and why.
//
// Findings are reported only if they are certain, and changes only after a test with the real
// matcher. The package opens no files, and its time is bounded. No run uses it.
package advice

import (
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// The codes of findings; spec.Codes describes them.
const (
	Everything = "pattern-everything"
	Slip       = "pattern-slip"
	Unknown    = "tool-unknown"
	Case       = "tool-case"
	Some       = "tool-some"
)

// Finding is one probable mistake in an expression.
type Finding struct {
	Code   string
	Offset int    // bytes in the expression
	What   string // what was found
	Fix    string // what to do
	To     string // the expression that Fix proposes, or ""
}

// Message returns What and Fix as one message.
func (f Finding) Message() string { return f.What + "; " + f.Fix }

// Check checks an expression that compiles. part is tool or pattern.
func Check(part, source string) (found []Finding) {
	const limit, maxBytes = 8, 8 << 10
	m, err := matcher.Compile("", source)
	switch {
	case err != nil || len(source) > maxBytes || !utf8.ValidString(source):
		return nil
	case source == "":
		return []Finding{{Code: Everything, What: "is empty, which matches everything", Fix: "remove the key"}}
	case matchesEverything(m, source):
		return []Finding{{Code: Everything, What: "matches everything", Fix: "remove the key, or an extra |"}}
	case strings.HasSuffix(source, "\n") && !strings.HasSuffix(source, "\\\n") && strings.Trim(source, "\n") != "":
		f := slip(len(source)-1, "ends with a newline, which must also match", "write it on one line, or after `|-`")
		f.To = strings.TrimRight(source, "\n")
		return []Finding{f}
	case part == "tool":
		found = append(tools(source), slips(source)...)
	default:
		found = append(slips(source), patternSlips(source)...)
	}
	return found[:min(len(found), limit)]
}

// matchesEverything reports whether a matcher matches every text that is not empty, as far as
// samples show: each character of ASCII, and longer texts. What a look-around excludes may be none
// of these.
func matchesEverything(m *matcher.Matcher, source string) bool {
	matches := func(text string) bool {
		result := m.Match(matcher.Subject{Values: []string{text}, Text: text})
		return result.Matched && result.Warning == ""
	}
	if strings.Contains(source, "(?!") || strings.Contains(source, "(?<!") {
		return false
	}
	for c := ' '; c <= '~'; c++ {
		if !matches(string(c)) {
			return false
		}
	}
	return matches("z ~") && matches("_é") && matches(strings.Repeat("ab ", 100))
}

// Hint returns the probable meaning of an expression that does not compile, or "" if it is
// unknown.
func Hint(part, source string) string {
	if name, inner, ok := permissionRule(source); ok {
		return permissionHint(name, inner)
	}
	switch {
	case strings.Trim(source, "*") == "":
		return "to match everything, remove the key"
	case !strings.HasPrefix(source, "*") && !strings.Contains(source, "**"):
		return ""
	}
	last := source[strings.LastIndexByte(source, '*')+1:]
	if suffix, ok := strings.CutPrefix(last, "."); ok && isWord(suffix) {
		return `it looks like a glob; the expression is \.` + suffix + "$"
	}
	return "it looks like a glob; in an expression, .* matches any text"
}

// permissionRule splits a permission rule such as Bash(npm:*).
func permissionRule(source string) (name, inner string, ok bool) {
	name, inner, ok = strings.Cut(source, "(")
	name = strings.TrimSpace(name)
	if !ok || !strings.HasSuffix(inner, ")") || !spec.KnownTool(name) || ofServer(name) {
		return "", "", false
	}
	return name, strings.TrimSuffix(inner, ")"), true
}

func permissionHint(name, inner string) string {
	hint := "it looks like a permission rule; write `tool: " + name + "`"
	if strings.Trim(inner, ":*. ") != "" {
		hint += ", and the text in parentheses as an expression in `pattern`"
	}
	return hint
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// quote quotes a part of an expression, shortened to its beginning if it is long.
func quote(s string) string {
	return "`" + shown.Cut(s, 40) + "`"
}
