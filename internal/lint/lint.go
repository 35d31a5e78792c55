// Package lint finds what is odd about a matcher's expressions although they
// compile: those that can match nothing, those that match everything, and
// those that match something else than their author surely meant.
//
// It goes by the parsed expression and says nothing where it is not sure: a
// warning that is wrong once is not read twice. It is pure, knows no files,
// and costs a run nothing, since only checking commands ask it.
package lint

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/regex"
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
	Code    string
	Offset  int    // bytes in the expression
	Message string // what was found; what would do
}

// Whole reports whether a verdict is about the whole expression, not a branch
// of it.
func (f Finding) Whole() bool { return !strings.HasPrefix(f.Message, branchNever) }

const branchNever = "has a branch that can never match"

// Tool checks a matcher's tool, an expression that compiles.
func Tool(source string) []Finding {
	root, ok := regex.Parse(source)
	if !ok {
		return nil
	}
	if found := verdicts(source, root, part{isToolEverything, "^", ""}); found != nil {
		return found
	}
	if onlyEmpty(root) {
		return []Finding{{Never, 0, "can never match: " + quote(source) + " is the empty text, and a tool has a name; name it, or leave the key out"}}
	}
	if found := lineFeed(source, root); found != nil {
		return found
	}
	return few(append(tools(source, root), slips(source, root)...))
}

// Pattern checks a matcher's pattern, an expression that compiles.
func Pattern(source string) []Finding {
	root, ok := regex.Parse(source)
	if !ok {
		return nil
	}
	if found := verdicts(source, root, part{isInputEverything, `^\{`, ".*"}); found != nil {
		return found
	}
	if found := slices.Concat(lineFeed(source, root), slashes(source)); found != nil {
		return found
	}
	return few(slices.Concat(dots(source, root), slips(source, root), barBlanks(source, root), jsonSlips(source, root)))
}

// few bounds how much is said of one expression.
func few(found []Finding) []Finding { return found[:min(len(found), 8)] }

// part is what differs between the two expressions of a matcher.
type part struct {
	everything func(*regex.Node) bool // whether one is found in all that it is searched in
	start      string                 // finds the beginning of all that: of an input, the brace of its JSON text
	gap        string                 // what may stand behind it, before what one looks for
}

// verdicts finds what holds of the whole expression, or of a branch of it.
func verdicts(source string, root *regex.Node, p part) []Finding {
	if source == "" {
		return []Finding{{Everything, 0, "is empty, which matches everything; leave the key out"}}
	}
	if at := contradiction(root); at != nil {
		if inner, ok := betweenSlashes(source); ok {
			return []Finding{{Never, at.Begin, "can never match, because of " + quote(at.Text(source)) +
				"; an expression stands here without slashes around it: " + quote(inner)}}
		}
		return []Finding{{Never, at.Begin, "can never match, because of " + quote(at.Text(source)) + "; remove it, or what stands in its way"}}
	}
	if p.everything(root) {
		if at := emptyBranch(root); at != nil {
			return []Finding{{Everything, at.Begin, "matches everything, because of an empty branch; remove the | beside it"}}
		}
		return []Finding{{Everything, 0, "matches everything; leave the key out"}}
	}
	if look := looseLook(root); look != nil {
		return []Finding{{Everything, look.Begin, "matches everything, since " + quote(look.Text(source)) + " holds somewhere in every text; write " +
			quote(p.forbidden(source, look))}}
	}
	for _, branch := range root.Core().Branches() {
		if at := contradiction(branch); at != nil {
			return []Finding{{Never, at.Begin, branchNever + ", because of " + quote(at.Text(source)) + "; remove it, or what stands in its way"}}
		}
	}
	return nil
}

// betweenSlashes reads an expression that is written as JavaScript's are, and
// can match once the slashes are gone.
func betweenSlashes(source string) (inner string, ok bool) {
	rest, ok := strings.CutPrefix(source, "/")
	end := strings.LastIndexByte(rest, '/')
	if !ok || end < 1 || strings.Trim(rest[end+1:], "gimsuy") != "" {
		return "", false
	}
	if inner = rest[:end]; strings.Contains(rest[end:], "i") {
		inner = "(?i)" + inner
	}
	root, ok := regex.Parse(inner)
	return inner, ok && contradiction(root) == nil
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
	case strings.HasPrefix(source, "*") || strings.Contains(source, "**"):
		return globHint(source)
	}
	return ""
}

// globHint spells the end of a glob as an expression.
func globHint(source string) string {
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
