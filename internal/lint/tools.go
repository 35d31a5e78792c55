package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// otherTools are names of agents' tools for which the table has no row, since
// no two agents have them.
const otherTools = "BashOutput KillShell KillBash ExitPlanMode EnterPlanMode EnterWorktree ExitWorktree NotebookRead SlashCommand TaskGet TaskUpdate " +
	"ToolSearch SendMessage LSP lsp Think SendDMail todoread exec_command write_stdin view_image save_memory attempt_completion new_task browser_action"

// ownTool ends each finding about a name that may well be right.
const ownTool = "fine if it is a tool of your own or of a server"

// tools checks each branch of a tool expression against the names by which
// agents know their tools.
func tools(source string, root *regex.Node) (found []Finding) {
	if found := permission(source, root); found != nil {
		return found
	}
	branches := root.Core().Branches()
	if len(branches) > mostBranches {
		return expression(source, root)
	}
	begin, end := branches[0].Begin, branches[len(branches)-1].End
	for _, branch := range branches {
		alone := source[:begin] + branch.Text(source) + source[end:]
		found = append(found, tool(source, alone, branch)...)
	}
	return found
}

// permission finds a permission rule where a name is expected.
func permission(source string, n *regex.Node) []Finding {
	name, inner, ok := permissionRule(strings.ReplaceAll(strings.Trim(source, "^$"), `\`, ""))
	if !ok || matchesAny(source) {
		return nil
	}
	return []Finding{{Unknown, n.Begin, "matches no tool; " + permissionHint(name, inner)}}
}

// mostBranches bounds how many alternatives are looked at one by one.
const mostBranches = 32

// tool checks one branch. Agents have tools of their own: what is no slip in a
// known name is said to be fine then.
func tool(source, alone string, branch *regex.Node) []Finding {
	if found := permission(alone, branch); found != nil {
		return found
	}
	text := branch.Text(source)
	if name := strings.TrimSpace(text); name != text && ofServer(name) {
		return []Finding{{Unknown, branch.Begin, "names " + quote(text) + ", and no name has a blank; did you mean " + quote(name) + "?"}}
	}
	items := slices.DeleteFunc(slices.Clone(branch.Items()), func(n *regex.Node) bool { return n.Kind == regex.Assert })
	word, ok := regex.Literal(items)
	if !ok || word == "" {
		return expression(alone, branch)
	}
	if matchesAny(alone) {
		return onlySome(source, word, branch)
	}
	if ofServer(word) {
		return nil
	}
	unknown := func(rest string) []Finding {
		return []Finding{{Unknown, branch.Begin, "names " + quote(word) + ", which no known agent has; " + rest}}
	}
	names := namesIn(word)
	inner, slashed := betweenSlashes(word)
	switch {
	case slashed:
		return unknown("an expression stands here without slashes around it: " + quote(inner))
	case len(names) > 1:
		return unknown("separate names with |: " + quote(strings.Join(names, "|")))
	case len(names) == 1 && names[0] != word:
		return unknown("did you mean " + quote(names[0]) + "?")
	case strings.ContainsAny(word, ":/@"):
		return nil // a server's, as some agents spell it
	}
	for _, name := range spec.KnownTools() {
		if strings.EqualFold(name, word) {
			return []Finding{{Case, branch.Begin, "names " + quote(word) + ", but case counts; write " + quote(name)}}
		}
	}
	if near, ok := NearTool(word); ok {
		return unknown("did you mean " + quote(near) + "?")
	}
	return unknown(ownTool)
}

// expression checks what is more than a plain name. Of one that may be about
// the tools of servers nothing is known.
func expression(alone string, n *regex.Node) []Finding {
	var b strings.Builder
	n.Walk(func(n *regex.Node) {
		if n.Kind == regex.Char {
			b.WriteRune(n.Rune)
		}
	})
	letters := b.String()
	if ofServer(letters) || matchesAny(alone) || finds(alone, []string{"mcp__x__y", "mcp_x_y", "x__y", "MCP:y", "@x/y"}) {
		return nil
	}
	hint := ownTool
	if strings.ContainsAny(letters, ", ") {
		hint = "separate names with |"
	}
	return []Finding{{Unknown, n.Begin, "matches no tool that a known agent has; " + hint}}
}

// ofServer reports whether a name is spelled like that of an MCP server's
// tool.
func ofServer(word string) bool {
	return strings.HasPrefix(word, "@") || strings.Contains(word, "__") || strings.Contains(strings.ToLower(word), "mcp")
}

// namesIn returns the words between the signs in what was meant as a list of
// names, nil unless one of them is known.
func namesIn(word string) (names []string) {
	known := false
	for _, part := range strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n,;|/&+:\"'`", r) }) {
		if part == "or" || part == "and" {
			continue
		}
		names = append(names, part)
		known = known || slices.ContainsFunc(spec.KnownTools(), func(name string) bool { return strings.EqualFold(name, part) })
	}
	if !known {
		return nil
	}
	return names
}

// onlySome finds a name that only some agents have, such as bash or exec,
// where no other branch has one that matches in all of them.
func onlySome(source, word string, branch *regex.Node) []Finding {
	names := spec.ToolNames(word)
	portable := names[1:]
	if slices.Contains(spec.PortableTools(), word) || len(portable) == 0 || finds(source, portable) {
		return nil
	}
	for _, name := range portable {
		if strings.EqualFold(name, word) {
			return []Finding{{Case, branch.Begin, "names " + quote(word) + ", which only some agents have, and case counts; " + quote(name) + " matches in all of them"}}
		}
	}
	if strings.Contains(special, " "+word+" ") || ofServer(word) || !slices.Equal(portable, spec.ToolNames(portable[0])) {
		return nil
	}
	return []Finding{{Some, branch.Begin, "names " + quote(word) + ", which only some agents have; " + quote(portable[0]) + " matches in all of them"}}
}

// special are names of tools that can less, or more, than the others of their
// row, and are not in more than one: they may be meant.
const special = " PowerShell powershell execute_pwsh NotebookEdit notebook_edit MultiEdit multiedit read_many_files read_files ReadMediaFile " +
	"AgentSwarm TaskCreate TaskList TaskOutput TaskStop oracle tree focus_chain analyze "

// NearTool returns the known tool's name that word most likely stands for. It
// is spec.Nearest, stricter for words so short that many are near.
func NearTool(word string) (string, bool) {
	near, ok := spec.Nearest(word, spec.KnownTools())
	if !ok || utf8.RuneCountInString(word) < 3 {
		return "", false
	}
	if len(word) <= 5 && !sameLetters(word, near) && !hasLetters(near, word) && !hasLetters(word, near) {
		return "", false
	}
	return near, true
}

// hasLetters reports whether the letters of short stand in long, in their
// order; with as many letters, it is no help.
func hasLetters(long, short string) bool {
	if len(long) == len(short) {
		return false
	}
	rest := []rune(strings.ToLower(short))
	for _, r := range strings.ToLower(long) {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

func sameLetters(a, b string) bool {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// matchesAny reports whether an expression matches a tool that is known, or
// cannot be decided.
func matchesAny(source string) bool {
	return finds(source, append(spec.KnownTools(), strings.Fields(otherTools)...))
}

// finds reports whether an expression matches one of the names, or cannot be
// decided. A machine that was busy elsewhere gets another try.
func finds(source string, names []string) bool {
	m, err := matcher.Compile(source, "")
	if err != nil {
		return true
	}
	for range 3 {
		if r := m.Match(matcher.Subject{Own: names, Names: names}); r.Warning == "" {
			return r.Matched
		}
	}
	return true
}
