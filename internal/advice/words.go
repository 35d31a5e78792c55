package advice

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// run is a literal word in the expression.
type run struct {
	text       string
	begin, end int
}

// runs returns the words of the expression.
func (t *trial) runs() (all []run) {
	t.root.rows(func(items []*node) { all = append(all, wordsOf(items)...) })
	return all
}

// wordsOf returns the words in a row.
func wordsOf(items []*node) (all []run) {
	var word run
	for _, item := range items {
		if isLetter(item) && item.End-item.Begin == utf8.RuneLen(item.Rune) {
			if word.text == "" {
				word.begin = item.Begin
			}
			word.text, word.end = word.text+string(item.Rune), item.End
			continue
		}
		all, word = append(all, word), run{}
	}
	all = append(all, word)
	return slices.DeleteFunc(all, func(r run) bool { return r.text == "" })
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// replaced returns a change that replaces one word.
func (t *trial) replaced(word run, kind, by, why string) Change {
	return Change{Kind: kind, To: t.edited(edit{word.begin, word.end, by}), Why: why}
}

// toolCase corrects the case of a name of the event's tool; toolWord corrects a misspelling of
// such a name.
func (t *trial) toolCase() (changes []Change) {
	for _, word := range t.runs() {
		for _, name := range t.Subject.Names {
			if strings.EqualFold(word.text, name) && word.text != name {
				changes = append(changes, t.replaced(word, "case", name, "case counts"))
			}
		}
	}
	return first(changes)
}

func (t *trial) toolWord() (changes []Change) {
	for _, word := range t.runs() {
		if near, ok := misspelt(word.text, t.Subject.Names); ok && sameServer(word.text, near) {
			changes = append(changes, t.replaced(word, "word", near, quoted(near)+" is the tool's name"))
		}
	}
	return first(changes)
}

// otherAgent replaces another agent's name for the event's tool, or a similar name, by the
// canonical name.
func (t *trial) otherAgent() (changes []Change) {
	for _, word := range t.runs() {
		name := word.text
		if near, ok := misspelt(name, spec.KnownTools()); ok && !spec.KnownTool(name) {
			name = near
		}
		for _, common := range spec.ToolNames(name)[1:] {
			if slices.Contains(t.Subject.Names, common) && !slices.Contains(t.Subject.Names, name) {
				changes = append(changes, t.replaced(word, "agent", common, quoted(name)+" is what another agent calls it, "+quoted(common)+" matches in every agent"))
			}
		}
	}
	return changes
}

// list handles tools separated by other characters than |, and permission rules.
func (t *trial) list() []Change {
	known := append(spec.KnownTools(), t.Subject.Names...)
	if name, _, ok := strings.Cut(t.source, "("); ok {
		if !slices.Contains(known, name) {
			return nil
		}
		return []Change{{Kind: "list", To: name, Why: "it looks like a permission rule, of which `tool` has the name, and `pattern` the rest as an expression"}}
	}
	names := slices.DeleteFunc(namesIn(t.source), func(name string) bool { return !slices.Contains(known, name) })
	if len(names) == 0 {
		return nil
	}
	return []Change{{Kind: "list", To: strings.Join(slices.Compact(names), "|"), Why: "names are separated by |"}}
}

// server rewrites the name of a server, or of its tool, in the form that agents use:
// mcp__SERVER__TOOL.
func (t *trial) server() (changes []Change) {
	for _, name := range t.Subject.Names {
		server, tool, ok := serverOf(name)
		if !ok {
			continue
		}
		for _, branch := range t.root.core().branches() {
			lead, by := leading(branch), ""
			switch text := strings.TrimPrefix(letters(lead.text), "mcp"); {
			case text == letters(server):
				by = "mcp__" + server + "__"
			case near(text, letters(tool)), sameServer(text, name) && near(text, letters(server+tool)):
				by = name
			}
			if by != "" && lead.text != "" && len(changes) < mostPlaces {
				changes = append(changes, t.replaced(lead, "server", by, "the tool's name is "+quoted(name)))
			}
		}
	}
	return changes
}

// near reports whether two words are equal or similar.
func near(word, other string) bool {
	_, near := spec.Nearest(word, []string{other})
	return word == other || near && len(other)-len(word) <= 2
}

// serverOf splits the name of a server's tool.
func serverOf(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "__")
}

// sameServer reports whether a word begins with the server of a tool's name, or the tool does
// not belong to a server. Servers whose names differ in one letter are different.
func sameServer(word, name string) bool {
	server, _, ok := serverOf(name)
	return !ok || strings.HasPrefix(strings.TrimPrefix(letters(word), "mcp"), letters(server))
}

// leading returns the literal text at the beginning of a branch, after its anchors.
func leading(branch *node) (text run) {
	for _, item := range branch.items() {
		if item.Kind == assertNode && text.text == "" {
			continue
		}
		if item.Kind != charNode && (item.Kind != anyNode || text.text == "") {
			break
		}
		if text.text == "" {
			text.begin = item.Begin
		}
		text.text, text.end = text.text+string(item.Rune), item.End
	}
	return text
}

// letters returns the letters and digits of a name in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// branch adds the event's tool if the expression matches a similar tool.
func (t *trial) branch() []Change {
	for _, family := range [...][]string{{"WriteFile", "EditFile"}, {"ReadFile", "Glob", "Grep"}, {"FetchURL", "SearchWeb"}} {
		if !slices.ContainsFunc(family, func(name string) bool { return slices.Contains(t.Subject.Names, name) }) || !t.names(family) {
			continue
		}
		own := t.Subject.Names[0]
		if i := slices.IndexFunc(t.Subject.Names, func(name string) bool { return slices.Contains(spec.PortableTools(), name) }); i >= 0 {
			own = t.Subject.Names[i]
		}
		return []Change{{Kind: "branch", To: t.source + "|" + own, Why: "it is another tool, which does much the same"}}
	}
	return nil
}

// names reports whether the expression matches one of the tools.
func (t *trial) names(tools []string) bool {
	m, err := matcher.Compile(t.source, "")
	return err == nil && slices.ContainsFunc(tools, func(tool string) bool {
		names := spec.ToolNames(tool)
		r := m.Match(matcher.Subject{Own: names[:1], Names: names})
		return r.Matched && r.Warning == ""
	})
}

// word replaces a word that does not occur in the input by a similar one that does.
func (t *trial) word() (changes []Change) {
	var there []string
	for _, word := range t.runs() {
		if utf8.RuneCountInString(word.text) < 4 || strings.Contains(t.Subject.Text, word.text) || len(changes) >= mostPlaces {
			continue
		}
		if there == nil {
			there = t.wordsThere()
		}
		if near, ok := misspelt(word.text, there); ok {
			changes = append(changes, t.replaced(word, "word", near, "there is no "+quoted(word.text)+", but "+quoted(near)))
		}
	}
	return changes
}

// wordsThere returns the words of the input, or of the beginning of a large one.
func (t *trial) wordsThere() (words []string) {
	const mostBytes, mostWords = 64 << 10, 2000
	text, seen := t.Subject.Text, map[string]bool{}
	text = text[:min(len(text), mostBytes)]
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !wordRune(r) }) {
		if !seen[word] && len(words) < mostWords {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

// misspelt calls spec.Nearest, for words that begin alike and differ in more than case.
func misspelt(word string, candidates []string) (string, bool) {
	first, _ := utf8.DecodeRuneInString(strings.ToLower(word))
	alike := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool {
		r, _ := utf8.DecodeRuneInString(strings.ToLower(c))
		return r != first || strings.EqualFold(c, word)
	})
	return spec.Nearest(word, alike)
}

func first(changes []Change) []Change { return changes[:min(1, len(changes))] }

func quoted(s string) string { return `"` + s + `"` }
