package manifest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// readName reads and checks the name (D9). Names are compared in NFKC.
func (r *reader) readName(n *tree.Node) {
	text, ok := r.text("name", n, "value-type")
	if !ok {
		return
	}
	name, folder := normal(text), normal(r.folder)
	r.hook.Name = name
	if cause := nameProblem(name); cause != "" {
		r.source.report("name", n.Start, fmt.Sprintf("name %s %s; 1-64 lower-case letters, digits and single hyphens, none at an end", shown.Quote(text), cause))
	} else if name != folder {
		r.source.report("name-mismatch", n.Start, fmt.Sprintf("name %s in the folder %s, by which the hook is known; make the two equal", shown.Quote(text), shown.Quote(r.folder)))
	}
}

func normal(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return norm.NFKC.String(s)
		}
	}
	return s
}

func nameProblem(name string) string {
	switch length := utf8.RuneCountInString(name); {
	case length == 0:
		return "is empty"
	case length > spec.MaxName:
		return fmt.Sprintf("has %d characters", length)
	case strings.HasPrefix(name, "-") || strings.HasSuffix(name, "-"):
		return "has a hyphen at an end"
	case strings.Contains(name, "--"):
		return "has two hyphens in a row"
	}
	for _, r := range name {
		if !inName(r) {
			return fmt.Sprintf("has the character %q", r)
		}
	}
	return ""
}

// inName accepts letters of scripts without case.
func inName(r rune) bool {
	if r == '-' || unicode.IsDigit(r) {
		return true
	}
	return unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsTitle(r)
}
