package advice

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// otherTools are agents' tools that are not in the table of names, because only one agent has
// each of them. Special tools are in the table, but may be intended.
const (
	otherTools = "BashOutput KillShell KillBash ExitPlanMode EnterPlanMode EnterWorktree ExitWorktree NotebookRead SlashCommand TaskGet TaskUpdate " +
		"ToolSearch SendMessage LSP lsp Think SendDMail todoread exec_command write_stdin view_image save_memory attempt_completion new_task browser_action"
	rowTools = " PowerShell powershell execute_pwsh NotebookEdit notebook_edit MultiEdit multiedit read_many_files read_files ReadMediaFile " +
		"AgentSwarm TaskCreate TaskList TaskOutput TaskStop oracle tree focus_chain analyze "
)

const (
	ownTool    = "fine if it is a tool of your own or of a server"
	whySlashes = "an expression stands here without slashes around it"
)

// tools compares each branch of a tool expression with the names of tools in all agents.
func tools(source string, root *node) (found []Finding) {
	if found := permission(source, root); found != nil {
		return found
	}
	branches := root.core().branches()
	if len(branches) > mostBranches {
		return expression(source, root)
	}
	begin, end := branches[0].Begin, branches[len(branches)-1].End
	for _, branch := range branches {
		found = append(found, tool(source, source[:begin]+branch.text(source)+source[end:], branch)...)
	}
	return found
}

func unknown(at *node, what, fix string) []Finding {
	return []Finding{{Code: Unknown, Offset: at.Begin, What: what, Fix: fix}}
}

func otherName(at *node, what, name string) []Finding {
	return []Finding{{Code: Unknown, Offset: at.Begin, What: what, Fix: "did you mean " + quote(name) + "?", Other: name}}
}

// permission finds a permission rule used as a name.
func permission(source string, n *node) []Finding {
	name, inner, ok := permissionRule(strings.ReplaceAll(strings.Trim(source, "^$"), `\`, ""))
	if !ok || matchesAny(source) {
		return nil
	}
	f := unknown(n, "matches no tool", permissionHint(name, inner))
	f[0].Other = name
	return f
}

// tool checks one branch; alone is the expression with only that branch. Agents have tools of
// their own, so a name that is not similar to a known one may be correct.
func tool(source, alone string, branch *node) []Finding {
	if found := permission(alone, branch); found != nil {
		return found
	}
	text := branch.text(source)
	if name := strings.TrimSpace(text); name != text && ofServer(name) {
		return otherName(branch, "names "+quote(text)+", and no name contains a space", name)
	}
	items := slices.DeleteFunc(slices.Clone(branch.items()), func(n *node) bool { return n.Kind == assertNode })
	word, ok := literalText(items)
	switch {
	case !ok || word == "":
		return expression(alone, branch)
	case matchesAny(alone):
		return onlySome(source, word, branch)
	case ofServer(word):
		return nil
	}
	return unknownName(word, branch)
}

// unknownName finds the mistake in a name that no known agent has.
func unknownName(word string, at *node) []Finding {
	what := "names " + quote(word) + ", which no known agent has"
	names := namesIn(word)
	inner := betweenSlashes(word)
	switch {
	case inner != "":
		return []Finding{{Code: Unknown, Offset: at.Begin, What: what, Fix: whySlashes + ": " + quote(inner), Other: inner}}
	case len(names) > 1:
		list := strings.Join(names, "|")
		return []Finding{{Code: Unknown, Offset: at.Begin, What: what, Fix: "separate names with |: " + quote(list), Other: list}}
	case len(names) == 1 && names[0] != word:
		return otherName(at, what, names[0])
	case strings.ContainsAny(word, ":/@"):
		return nil // a server's tool, as some agents write it
	}
	for _, name := range spec.KnownTools() {
		if strings.EqualFold(name, word) {
			return []Finding{{Code: Case, Offset: at.Begin, What: "names " + quote(word) + ", but case counts", Fix: "write " + quote(name)}}
		}
	}
	if near, ok := NearTool(word); ok {
		return otherName(at, what, near)
	}
	return unknown(at, what, ownTool)
}

// expression checks branches other than plain names. The tools of servers are unknown.
func expression(alone string, n *node) []Finding {
	letters := ""
	n.walk(func(n *node) {
		if n.Kind == charNode {
			letters += string(n.Rune)
		}
	})
	if ofServer(letters) || matchesAny(alone) || finds(alone, []string{"mcp__x__y", "mcp_x_y", "x__y", "MCP:y", "@x/y"}) {
		return nil
	}
	fix := ownTool
	if strings.ContainsAny(letters, ", ") {
		fix = "separate names with |"
	}
	return unknown(n, "matches no tool that a known agent has", fix)
}

// ofServer reports whether a name has the form of an MCP server's tool.
func ofServer(word string) bool {
	return strings.HasPrefix(word, "@") || strings.Contains(word, "__") || strings.Contains(strings.ToLower(word), "mcp")
}

// namesIn returns the words of a list of names, or nil if none of them is known.
func namesIn(word string) []string {
	names := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n,;|/&+:\"'`", r) })
	names = slices.DeleteFunc(names, func(name string) bool { return name == "or" || name == "and" })
	known := func(name string) bool {
		return slices.ContainsFunc(spec.KnownTools(), func(other string) bool { return strings.EqualFold(name, other) })
	}
	if !slices.ContainsFunc(names, known) {
		return nil
	}
	return names
}

// onlySome finds a name that only some agents use, such as bash or exec, if no other branch
// matches in the other agents.
func onlySome(source, word string, branch *node) []Finding {
	portable := spec.ToolNames(word)[1:]
	if slices.Contains(spec.PortableTools(), word) || len(portable) == 0 || finds(source, portable) {
		return nil
	}
	what := "names " + quote(word) + ", which only some agents have"
	for _, name := range portable {
		if strings.EqualFold(name, word) {
			return []Finding{{Code: Case, Offset: branch.Begin, What: what + ", and case counts", Fix: quote(name) + " matches in all of them"}}
		}
	}
	if strings.Contains(rowTools, " "+word+" ") || ofServer(word) || !slices.Equal(portable, spec.ToolNames(portable[0])) {
		return nil
	}
	return []Finding{{Code: Some, Offset: branch.Begin, What: what, Fix: quote(portable[0]) + " matches in all of them"}}
}

// NearTool returns the most likely known tool name for word. It uses spec.Nearest, but is
// stricter for short words, to which many names are similar.
func NearTool(word string) (string, bool) {
	near, ok := spec.Nearest(word, spec.KnownTools())
	if !ok || utf8.RuneCountInString(word) < 3 {
		return "", false
	}
	a, b := strings.ToLower(word), strings.ToLower(near)
	if len(word) <= 5 && !sameLetters(a, b) && !(len(a) < len(b) && hasLetters(b, a)) && !(len(b) < len(a) && hasLetters(a, b)) {
		return "", false
	}
	return near, true
}

// hasLetters reports whether long contains the letters of short in order.
func hasLetters(long, short string) bool {
	rest := []rune(short)
	for _, r := range long {
		if len(rest) > 0 && r == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

func sameLetters(a, b string) bool {
	x, y := []rune(a), []rune(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// matchesAny reports whether an expression matches a known tool, or this cannot be decided.
func matchesAny(source string) bool {
	return finds(source, append(spec.KnownTools(), strings.Fields(otherTools)...))
}

// finds reports whether an expression matches one of the names, or this cannot be decided in
// three tries.
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

// Alternatives returns the alternatives at the top of an expression, without
// anchors and groups around all of them; the expression itself if it has none.
func Alternatives(source string) []string {
	root, ok := parse(source)
	if !ok || len(root.core().branches()) < 2 {
		return []string{source}
	}
	var all []string
	for _, branch := range root.core().branches() {
		all = append(all, branch.text(source))
	}
	return all
}
