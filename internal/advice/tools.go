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

// maxNames is the maximum number of names in a tool expression that are checked.
const maxNames = 32

// tools compares a tool expression, or each alternative of a plain list of names, with the names of
// tools in all agents.
func tools(source string) (found []Finding) {
	if rule := permission(source); rule != nil {
		return rule
	}
	before, words, after := alternatives(source)
	if len(words) > maxNames {
		return nil
	}
	at := len(before)
	for i, word := range words {
		with := func(by string) string {
			return before + strings.Join(slices.Concat(words[:i], []string{by}, words[i+1:]), "|") + after
		}
		for _, f := range tool(before+word+after, source, word, with) {
			f.Offset = at
			found = append(found, f)
		}
		at += len(word) + 1
	}
	return found
}

// alternatives splits an expression at |, and from the anchors and the group around it. An
// expression with other groups, sets or escapes is one alternative.
func alternatives(source string) (before string, words []string, after string) {
	inner := source
	for _, around := range [...][2]string{{"^", ""}, {"", "$"}, {`\b`, ""}, {"", `\b`}, {"(?:", ")"}, {"(", ")"}} {
		rest, begins := strings.CutPrefix(inner, around[0])
		if rest, ends := strings.CutSuffix(rest, around[1]); begins && ends && !strings.HasPrefix(rest, "?") {
			before, inner, after = before+around[0], rest, around[1]+after
		}
	}
	if strings.ContainsAny(inner, `()[]{}\`) {
		return "", []string{source}, ""
	}
	return before, strings.Split(inner, "|"), after
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

// tool checks one alternative; alone is the expression with only that one, and with returns the
// expression with another word in its place. Agents have tools of their own, so a name that is not
// similar to a known one may be correct.
func tool(alone, source, word string, with func(string) string) []Finding {
	switch {
	case strings.ContainsAny(word, `.*+?^$()[]{}\`) || word == "":
		if matchesAny(alone) || ofServer(word) || finds(alone, []string{"mcp__x__y", "mcp_x_y", "x__y", "MCP:y", "@x/y"}) {
			return nil
		}
		return unknown("matches no tool in the table", ownTool, "")
	case matchesAny(alone):
		return onlySome(source, word, with)
	case ofServer(word):
		return nil
	}
	return unknownName(word, with)
}

// unknownName finds the mistake in a name that is not in the table of tools.
func unknownName(word string, with func(string) string) []Finding {
	what := "names " + quote(word) + ", which is not in the table of tools"
	names := namesIn(word)
	switch {
	case len(names) > 1:
		list := strings.Join(names, "|")
		return unknown(what, "separate names with |: "+quote(list), with(list))
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
		return []Finding{{Code: Case, What: "names " + quote(word) + ", but case counts", Fix: "write " + quote(near), To: with(near)}}
	}
	return unknown(what, "did you mean "+quote(near)+"?", with(near))
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

// onlySome finds a name that only some agents use, such as bash or exec, if no other name
// matches in the other agents. It ignores capitalized names, which belong to one agent.
func onlySome(source, word string, with func(string) string) []Finding {
	portable := spec.ToolNames(word)[1:]
	if !slices.Contains(spec.KnownTools(), word) {
		return onlyPart(source, word, with)
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
	f.Fix, f.To = quote(common)+" matches in all of them", with(common)
	return []Finding{f}
}

// onlyPart finds a word that is not a name, and is only found in names that some
// agents have, such as Terminal in runTerminalCommand.
func onlyPart(source, word string, with func(string) string) []Finding {
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
		Fix: quote(portable[0]) + " matches in all of them", To: with(portable[0]),
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
