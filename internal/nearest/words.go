package nearest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/regex"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// run is a word of the expression, letter for letter.
type run struct {
	text       string
	begin, end int
}

// runs returns the words of the expression.
func (t *trial) runs() (all []run) {
	t.root.Walk(func(n *regex.Node) {
		if n.Kind == regex.Concat {
			all = append(all, wordsOf(n.Children)...)
		}
	})
	return all
}

// wordsOf returns the words that stand in a row.
func wordsOf(items []*regex.Node) (all []run) {
	var word run
	for _, item := range items {
		if item.Kind == regex.Char && wordRune(item.Rune) && item.End-item.Begin == utf8.RuneLen(item.Rune) {
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

// toolCase spells a word as a name of the event's tool.
func (t *trial) toolCase() (changes []Change) {
	for _, word := range t.runs() {
		for _, name := range t.Subject.Names {
			if strings.EqualFold(word.text, name) && word.text != name {
				changes = append(changes, Change{Kind: "case", To: t.edited(edit{word.begin, word.end, name}), Why: "case counts"})
			}
		}
	}
	return first(changes)
}

// branch adds the event's tool if the expression is about one that does much
// the same.
func (t *trial) branch() []Change {
	for _, family := range [...][]string{{"WriteFile", "EditFile", "Delete"}, {"ReadFile", "Glob", "Grep", "LS"}, {"FetchURL", "SearchWeb"}} {
		other := slices.DeleteFunc(slices.Clone(family), func(name string) bool { return slices.Contains(t.Subject.Names, name) })
		if len(other) == len(family) || !t.names(other) {
			continue
		}
		return []Change{{Kind: "branch", To: t.source + "|" + t.portable(), Why: "it is another tool, which does much the same"}}
	}
	return nil
}

// names reports whether the expression matches one of the tools.
func (t *trial) names(tools []string) bool {
	m, err := matcher.Compile(t.source, "")
	if err != nil {
		return false
	}
	for _, tool := range tools {
		names := spec.ToolNames(tool)
		if r := m.Match(matcher.Subject{Own: names[:1], Names: names}); r.Matched && r.Warning == "" {
			return true
		}
	}
	return false
}

// portable is the name of the event's tool that holds in every agent.
func (t *trial) portable() string {
	for _, name := range t.Subject.Names {
		if slices.Contains(spec.PortableTools(), name) {
			return name
		}
	}
	return t.Subject.Names[0]
}

// word takes a word that is nowhere in the input for a slip in one that is.
func (t *trial) word() (changes []Change) {
	var there []string
	for _, word := range t.runs() {
		if utf8.RuneCountInString(word.text) < 4 || strings.Contains(t.Subject.Text, word.text) {
			continue
		}
		if there == nil {
			there = t.wordsThere()
		}
		if near, ok := slip(word.text, there); ok {
			changes = append(changes, Change{Kind: "word", To: t.edited(edit{word.begin, word.end, near}), Why: "there is no " + quoted(word.text) + ", but " + quoted(near)})
		}
		if len(changes) >= mostPlaces {
			break
		}
	}
	return changes
}

// wordsThere returns the words of the input, not of all of a large one.
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

// slip is spec.Nearest, for words that begin alike and differ in more than
// case.
func slip(word string, candidates []string) (string, bool) {
	first, _ := utf8.DecodeRuneInString(strings.ToLower(word))
	alike := slices.DeleteFunc(slices.Clone(candidates), func(c string) bool {
		r, _ := utf8.DecodeRuneInString(strings.ToLower(c))
		return r != first || strings.EqualFold(c, word)
	})
	return spec.Nearest(word, alike)
}

func first(changes []Change) []Change { return changes[:min(1, len(changes))] }

func quoted(s string) string { return `"` + s + `"` }
