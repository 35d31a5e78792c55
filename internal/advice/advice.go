// Package advice finds probable mistakes in a matcher's expressions, and the smallest change
// with which an expression matches. It is used by validate, new and why.
//
// Findings are reported only if they are certain, and changes only after a test with the real
// matcher. The package opens no files and bounds its time. Runs never use it.
package advice

import (
	"slices"
	"strings"

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
	Fix    string // what to do; "" if What includes it
	Branch bool   // it applies to one alternative, not the whole expression
	Other  string // another tool's name in Fix, which may not be the intended one
}

// Message returns What and Fix as one message.
func (f Finding) Message() string {
	if f.Fix == "" {
		return f.What
	}
	return f.What + "; " + f.Fix
}

// CanNeverMatch reports whether the findings include one that the whole expression can never
// match.
func CanNeverMatch(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Code == Never && !f.Branch })
}

// Check checks an expression that compiles. part is tool or pattern.
func Check(part, source string) []Finding {
	root, ok := parse(source)
	if !ok {
		return nil
	}
	if found := verdicts(part, source, root); found != nil {
		return found
	}
	if part == "tool" && onlyEmpty(root) {
		return []Finding{{Code: Never, What: "can never match: " + quote(source) + " is the empty text, and a tool has a name", Fix: "name it, or leave the key out"}}
	}
	found := finalNewline(source, root)
	if found == nil && part == "tool" {
		found = append(tools(source, root), slips(source, root)...)
	} else if found == nil {
		found = slices.Concat(dots(source, root), slips(source, root), jsonSlips(source, root))
	}
	return found[:min(len(found), 8)]
}

// verdicts returns findings about the whole expression, or about a branch of it.
func verdicts(part, source string, root *node) []Finding {
	if source == "" {
		return []Finding{{Code: Everything, What: "is empty, which matches everything", Fix: "leave the key out"}}
	}
	const remove = "remove it, or what stands in its way"
	if at := contradiction(root); at != nil {
		f := Finding{Code: Never, Offset: at.Begin, What: "can never match, because of " + quote(at.text(source)), Fix: remove}
		if inner := betweenSlashes(source); inner != "" {
			if root, ok := parse(inner); ok && contradiction(root) == nil {
				f.Fix = whySlashes + ": " + quote(inner)
			}
		}
		return []Finding{f}
	}
	if everything(root, part == "pattern") {
		if at := emptyBranch(root); at != nil {
			return []Finding{{Code: Everything, Offset: at.Begin, What: "matches everything, because of an empty branch", Fix: "remove the | beside it"}}
		}
		return []Finding{{Code: Everything, What: "matches everything", Fix: "leave the key out"}}
	}
	if look := looseLook(root); look != nil {
		return []Finding{{Code: Everything, Offset: look.Begin, What: "matches everything, since " + quote(look.text(source)) + " holds somewhere in every text",
			Fix: "write " + quote(forbidden(part, source, look))}}
	}
	for _, branch := range root.core().branches() {
		if at := contradiction(branch); at != nil {
			return []Finding{{Code: Never, Offset: at.Begin, What: "has a branch that can never match, because of " + quote(at.text(source)), Fix: remove, Branch: true}}
		}
	}
	return nil
}

// onlyEmpty reports whether n matches only the empty string.
func onlyEmpty(n *node) bool {
	items := n.items()
	return len(items) > 1 && items[0].isStart() && items[len(items)-1].isEnd() &&
		!slices.ContainsFunc(items, func(item *node) bool { return item.Kind != assertNode })
}

// forbidden rewrites a negative look-ahead so that it applies from the beginning of the text.
func forbidden(part, source string, look *node) string {
	inner := look.Children[0]
	start, text := "^", inner.text(source)
	if inner.inner().Kind == altNode {
		text = "(?:" + text + ")"
	}
	if first := inner.items()[0:min(1, len(inner.items()))]; len(first) > 0 && first[0].isStart() {
		text = source[first[0].End:inner.End]
	} else if part == "pattern" {
		start, text = `^\{`, ".*"+strings.TrimPrefix(text, ".*")
	}
	if look.Fold {
		start = "(?i)" + start
	}
	return start + "(?!" + text + ")"
}

// Hint returns the probable meaning of an expression that does not compile, or "" if it is
// unknown.
func Hint(part, source string) string {
	if name, inner, ok := permissionRule(source); ok {
		return permissionHint(name, inner)
	}
	switch {
	case strings.Trim(source, "*") == "":
		return "to match everything, leave the key out"
	case !strings.HasPrefix(source, "*") && !strings.Contains(source, "**"):
		return ""
	}
	last := source[strings.LastIndexByte(source, '*')+1:]
	if suffix, ok := strings.CutPrefix(last, "."); ok && isWord(suffix) {
		return `it looks like a glob; the expression is \.` + suffix + "$"
	}
	return "it looks like a glob; in an expression, .* stands for any text"
}

// permissionRule splits a permission rule such as Bash(npm:*).
func permissionRule(source string) (name, inner string, ok bool) {
	name, inner, ok = strings.Cut(source, "(")
	name = strings.TrimSpace(name)
	if !ok || !strings.HasSuffix(inner, ")") || !spec.KnownTool(name) {
		return "", "", false
	}
	return name, strings.TrimSuffix(inner, ")"), true
}

func permissionHint(name, inner string) string {
	inner = strings.TrimRight(strings.TrimSuffix(inner, ":*"), "*. ")
	hint := "it looks like a permission rule; write `tool: " + name + "`"
	if inner != "" {
		hint += ", and what stands in parentheses as an expression in `pattern`"
	}
	return hint
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// mostQuoted is the maximum number of characters of an expression in a message.
const mostQuoted = 40

// quote quotes a part of an expression, shortened to its beginning if it is long.
func quote(s string) string {
	if r := []rune(s); len(r) > mostQuoted {
		s = string(r[:mostQuoted]) + "…"
	}
	return "`" + s + "`"
}
