package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// tools checks each branch of a tool expression against the names by which
// agents know their tools.
func tools(source string, root *regex.Node) (found []Finding) {
	if name, inner, ok := permissionRule(source); ok && !matchesAny(source) {
		return []Finding{{Unknown, 0, "matches no tool; " + permissionHint(name, inner)}}
	}
	branches := root.Core().Branches()
	if len(branches) > mostBranches {
		return nil
	}
	begin, end := branches[0].Begin, branches[len(branches)-1].End
	for _, branch := range branches {
		alone := source[:begin] + branch.Text(source) + source[end:]
		found = append(found, tool(alone, branch)...)
	}
	return found
}

// mostBranches bounds how many alternatives are looked at one by one.
const mostBranches = 32

// tool checks one branch. Only a plain word is certain enough to be called
// unknown; agents have tools of their own.
func tool(alone string, branch *regex.Node) []Finding {
	items := slices.DeleteFunc(slices.Clone(branch.Items()), func(n *regex.Node) bool { return n.Kind == regex.Assert })
	word, ok := regex.Literal(items)
	if !ok || word == "" {
		return nil
	}
	if matchesAny(alone) {
		return otherCase(word, branch)
	}
	if strings.ContainsAny(word, ":/@") || strings.Contains(word, "__") || strings.Contains(strings.ToLower(word), "mcp") {
		return nil // a tool of a server, or of the agent's own
	}
	for _, name := range spec.KnownTools() {
		if strings.EqualFold(name, word) {
			return []Finding{{Case, branch.Begin, "names " + quote(word) + ", but case counts; write " + quote(name)}}
		}
	}
	if near, ok := nearTool(word); ok {
		return []Finding{{Unknown, branch.Begin, "names " + quote(word) + ", which no known agent has; did you mean " + quote(near) + "?"}}
	}
	return nil
}

// otherCase finds a name that only some agents spell so, such as bash, where
// another case of it would match in all of them.
func otherCase(word string, branch *regex.Node) []Finding {
	for _, name := range spec.PortableTools() {
		if name == word {
			return nil
		}
	}
	for _, name := range spec.PortableTools() {
		if strings.EqualFold(name, word) {
			return []Finding{{Case, branch.Begin, "names " + quote(word) + ", which only some agents have, and case counts; " + quote(name) + " matches in all of them"}}
		}
	}
	return nil
}

// nearTool is spec.Nearest, stricter for words so short that many are near.
func nearTool(word string) (string, bool) {
	near, ok := spec.Nearest(word, spec.KnownTools())
	if !ok || utf8.RuneCountInString(word) < 3 {
		return "", false
	}
	if len(word) <= 5 && len(word) == len(near) && !sameLetters(word, near) {
		return "", false
	}
	return near, true
}

func sameLetters(a, b string) bool {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// matchesAny reports whether an expression matches a tool that is known, or
// cannot be decided. A machine that was busy elsewhere gets another try.
func matchesAny(source string) bool {
	m, err := matcher.Compile(source, "")
	if err != nil {
		return true
	}
	names := spec.KnownTools()
	for range 3 {
		if r := m.Match(matcher.Subject{Own: names, Names: names}); r.Warning == "" {
			return r.Matched
		}
	}
	return true
}
