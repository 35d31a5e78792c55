// Package advice finds probable mistakes in a matcher's expressions, and the smallest change
// with which an expression matches. It is used by validate, new and why.
//
// Findings are reported only if they are certain, and changes only after a test with the real
// matcher. The package opens no files, and its time is bounded. No run uses it.
package advice

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// The codes of findings; spec.Codes describes them.
const (
	Never      = "pattern-never"
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
	Branch bool   // the finding is about one alternative, not the whole expression
	To     string // the expression that Fix proposes, or ""
}

// Message returns What and Fix as one message.
func (f Finding) Message() string { return f.What + "; " + f.Fix }

// CanNeverMatch reports whether the findings include one that the whole expression can never
// match.
func CanNeverMatch(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Code == Never && !f.Branch })
}

// Check checks an expression that compiles. part is tool or pattern.
func Check(part, source string) []Finding {
	const limit = 8
	x, ok := parse(source)
	if !ok {
		return nil
	}
	if source == "" {
		return []Finding{{Code: Everything, What: "is empty, which matches everything", Fix: "remove the key"}}
	}
	found := verdicts(x)
	switch {
	case found != nil:
	case strings.HasSuffix(source, "\n") && !strings.HasSuffix(source, "\\\n") && strings.Trim(source, "\n") != "":
		f := slip(len(source)-1, "ends with a newline, which must also match", "write it on one line, or after `|-`")
		f.To = strings.TrimRight(source, "\n")
		found = []Finding{f}
	case part == "tool":
		found = append(tools(x), slips(x)...)
	default:
		found = slices.Concat(dots(x), slips(x), commandSlips(x))
	}
	return found[:min(len(found), limit)]
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
