package scaffold

import (
	"embed"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/tree"
)

//go:embed templates
var templates embed.FS

// render fills in a template. The lines between "@if a b" and "@end" are for hooks with one of
// these features, those after "@else" for hooks without. @key@ is the value of a key, and @'key'@
// the value as YAML.
//
// No value can end a string or a comment of a script: they are constants of this package, or a
// checked name.
func render(template string, features []string, values map[string]string) []byte {
	text, _ := templates.ReadFile("templates/" + template)
	var b strings.Builder
	conditions := []bool{}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch last := len(conditions) - 1; {
		case word == "@if":
			has := func(feature string) bool { return slices.Contains(features, feature) }
			conditions = append(conditions, slices.ContainsFunc(strings.Fields(rest), has))
		case word == "@else":
			conditions[last] = !conditions[last]
		case word == "@end":
			conditions = conditions[:last]
		case !slices.Contains(conditions, false):
			b.WriteString(line)
		}
	}
	var pairs []string
	for key, value := range values {
		pairs = append(pairs, "@"+key+"@", value, "@'"+key+"'@", tree.YAML(value))
	}
	return []byte(strings.NewReplacer(pairs...).Replace(b.String()))
}
