package advice

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

const ownTool = "fine if only one agent or a server has it"

// tools compares each branch of a tool expression with the names of tools in all agents.
func tools(x expression) (found []Finding) {
	source, all := x.source, x.core()
	if rule := permission(source); rule != nil {
		return rule
	}
	if strings.Contains(x.flags, "i") {
		return noName(source, x.rows)
	}
	if len(all) > maxBranches {
		return nil
	}
	begin, end := all[0].begin, all[len(all)-1].end
	for _, branch := range all {
		for _, f := range tool(source[:begin]+source[branch.begin:branch.end]+source[end:], source, branch) {
			f.Offset = branch.begin
			found = append(found, f)
		}
	}
	return found
}

func unknown(what, fix, to string) []Finding {
	return []Finding{{Code: Unknown, What: what, Fix: fix, To: to}}
}

// permission finds a permission rule used as a name.
func permission(source string) []Finding {
	name, inner, ok := permissionRule(strings.ReplaceAll(strings.Trim(source, "^$"), `\`, ""))
	if !ok || matchesAny(source) {
		return nil
	}
	return unknown("matches no tool", permissionHint(name, inner), name)
}

// tool checks one branch; alone is the expression with only that branch. Agents have tools of
// their own, so a name that is not similar to a known one may be correct.
func tool(alone, source string, branch row) []Finding {
	word := literalText(branch)
	switch {
	case word == "":
		return noName(alone, []row{branch})
	case matchesAny(alone):
		return onlySome(source, branch, word)
	case ofServer(word):
		return nil
	}
	return unknownName(source, branch, word)
}

// unknownName finds the mistake in a name that is not in the table of tools.
func unknownName(source string, branch row, word string) []Finding {
	what := "names " + quote(word) + ", which is not in the table of tools"
	names := namesIn(word)
	switch {
	case len(names) > 1:
		list := strings.Join(names, "|")
		return unknown(what, "separate names with |: "+quote(list), branch.replaced(source, list))
	case len(names) == 0 && strings.ContainsAny(word, ":/@"):
		return nil // a server's tool, as some agents write it
	}
	near, ok := NearTool(strings.Join(names, ""))
	if len(names) == 0 {
		near, ok = NearTool(word)
	}
	switch {
	case !ok:
		return unknown(what, ownTool, "")
	case strings.EqualFold(near, word):
		return []Finding{{Code: Case, What: "names " + quote(word) + ", but case counts",
			Fix: "write " + quote(near), To: branch.replaced(source, near)}}
	}
	return unknown(what, "did you mean "+quote(near)+"?", branch.replaced(source, near))
}

// replaced returns source with another text between the anchors of r.
func (r row) replaced(source, by string) string {
	items := bare(r.items)
	return edited(source, edit{items[0].begin, items[len(items)-1].end, by})
}

// literalText returns the only text that r matches between anchors, if there is only one.
func literalText(r row) (text string) {
	for _, i := range bare(r.items) {
		if !i.is(literal) {
			return ""
		}
		text += string(i.char)
	}
	return text
}

// noName checks branches other than plain names. The tools of servers are unknown.
func noName(alone string, rows []row) []Finding {
	letters := ""
	walk(rows, func(r row) {
		for _, i := range r.items {
			if i.kind == literal {
				letters += string(i.char)
			}
		}
	})
	if ofServer(letters) || matchesAny(alone) || finds(alone, []string{"mcp__x__y", "mcp_x_y", "x__y", "MCP:y", "@x/y"}) {
		return nil
	}
	return unknown("matches no tool in the table", ownTool, "")
}

// ofServer reports whether a name has the form of an MCP server's tool.
func ofServer(word string) bool {
	return strings.HasPrefix(word, "@") || strings.Contains(word, "__") || strings.Contains(strings.ToLower(word), "mcp")
}

// namesIn returns the words of a list of names, or nil if none of them is known.
func namesIn(word string) []string {
	names := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" ,|", r) })
	names = slices.DeleteFunc(names, func(name string) bool { return name == "or" || name == "and" })
	if !slices.ContainsFunc(names, spec.KnownTool) {
		return nil
	}
	return names
}

// onlySome finds a name that only some agents use, such as bash or exec, if no other branch
// matches in the other agents. It ignores capitalized names, which belong to one agent.
func onlySome(source string, branch row, word string) []Finding {
	portable := spec.ToolNames(word)[1:]
	if !slices.Contains(spec.KnownTools(), word) {
		return onlyPart(source, branch, word)
	}
	if slices.Contains(spec.PortableTools(), word) || len(portable) == 0 || finds(source, portable) {
		return nil
	}
	f := Finding{Code: Some, What: "names " + quote(word) + ", which only some agents have"}
	common := portable[0]
	if i := slices.IndexFunc(portable, func(name string) bool { return strings.EqualFold(name, word) }); i >= 0 {
		f.Code, f.What, common = Case, f.What+", and case counts", portable[i]
	} else if strings.ToLower(word[:1]) != word[:1] || ofServer(word) || !slices.Equal(portable, spec.ToolNames(common)) {
		return nil
	}
	f.Fix, f.To = quote(common)+" matches in all of them", branch.replaced(source, common)
	return []Finding{f}
}

// onlyPart finds a word that is no name, and is only found in names that some
// agents have, such as Terminal in runTerminalCommand.
func onlyPart(source string, branch row, word string) []Finding {
	within := slices.DeleteFunc(spec.KnownTools(), func(name string) bool { return !strings.Contains(name, word) })
	if len(within) == 0 || slices.ContainsFunc(within, func(name string) bool { // Notebook names a family
		return strings.HasPrefix(name, word) || slices.Contains(spec.PortableTools(), name)
	}) {
		return nil
	}
	portable := spec.ToolNames(within[0])[1:]
	if len(portable) == 0 || finds(source, portable) {
		return nil
	}
	return []Finding{{
		Code: Some, What: "names " + quote(word) + ", which is only found in " + quote(within[0]) + ", a name that only some agents have",
		Fix: quote(portable[0]) + " matches in all of them", To: branch.replaced(source, portable[0]),
	}}
}

// NearTool returns the most likely known tool name for word. It uses shown.Near, but is
// stricter for short words, to which many names are similar.
func NearTool(word string) (string, bool) {
	near, ok := shown.Near(word, spec.KnownTools())
	if !ok || utf8.RuneCountInString(word) < 3 {
		return "", false
	}
	a, b := strings.ToLower(word), strings.ToLower(near)
	return near, len(word) > 5 || hasLetters(b, a) || hasLetters(a, b)
}

// hasLetters reports whether every letter of short occurs in long, as often.
func hasLetters(long, short string) bool {
	return !strings.ContainsFunc(short, func(r rune) bool {
		return strings.Count(short, string(r)) > strings.Count(long, string(r))
	})
}

// matchesAny reports whether an expression matches a known tool, or this cannot be decided.
func matchesAny(source string) bool {
	return finds(source, spec.KnownTools())
}

// finds reports whether an expression matches one of the names, or this cannot be decided.
func finds(source string, names []string) bool {
	result, ok := Matcher{Tool: source, Subject: matcher.Subject{Own: names, Names: names}}.match()
	return !ok || result.Matched
}
