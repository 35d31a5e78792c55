// Package advice says what is odd about a matcher's expressions, and which
// small change would make one match: for validate, new and why.
//
// A finding needs certainty; a change has been tried with the real matcher.
// The package reads no files and bounds the time that it takes. A run never
// needs it.
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

// Finding is one oddity of an expression.
type Finding struct {
	Code   string
	Offset int    // bytes in the expression
	What   string // what was found
	Fix    string // what to do; "" if What says it
	Branch bool   // it is about one alternative, not the whole expression
	Other  string // another tool's name in Fix, which may not be the one meant
}

// Message returns what was found and what to do.
func (f Finding) Message() string {
	if f.Fix == "" {
		return f.What
	}
	return f.What + "; " + f.Fix
}

// CanNeverMatch reports whether a finding says that the whole expression can
// never match.
func CanNeverMatch(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Code == Never && !f.Branch })
}

// Check checks an expression that compiles, of a matcher's part: tool or
// pattern.
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

// verdicts finds what holds for the whole expression, or for a branch of it.
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

// onlyEmpty reports whether n matches the empty text and nothing else.
func onlyEmpty(n *node) bool {
	items := n.items()
	return len(items) > 1 && items[0].isStart() && items[len(items)-1].isEnd() &&
		!slices.ContainsFunc(items, func(item *node) bool { return item.Kind != assertNode })
}

// forbidden spells a negative look-ahead so that it holds from the beginning.
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

// Hint says what was surely meant by an expression that does not compile, ""
// if that is not known.
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

// permissionRule takes a permission rule such as Bash(npm:*) apart.
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

// mostQuoted is how much of an expression is shown, in characters.
const mostQuoted = 40

// quote shows a part of an expression, of a long one its beginning.
func quote(s string) string {
	if r := []rune(s); len(r) > mostQuoted {
		s = string(r[:mostQuoted]) + "…"
	}
	return "`" + s + "`"
}
