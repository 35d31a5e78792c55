package importer

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// commandLine returns the entry's command line from the settings. It quotes
// only variables that the agent itself replaces, because the shell would split
// a path with spaces.
func (b *builder) commandLine() string {
	line := b.hook.Command
	if b.entry.part != nil {
		return "exec " + line // replaces the shell
	}
	substituted := strings.Fields(b.agent.Setup.Substitutes)
	if len(substituted) == 0 {
		return line
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return line
	}
	var at []int // positions of quotes to insert
	quote := func(w *syntax.Word) {
		for _, part := range w.Parts {
			if p, ok := part.(*syntax.ParamExp); ok && p.Param != nil && slices.Contains(substituted, p.Param.Value) {
				at = append(at, int(p.Pos().Offset()), int(p.End().Offset()))
			}
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			for _, w := range n.Args {
				quote(w)
			}
		case *syntax.Redirect:
			quote(n.Word)
		}
		return true
	})
	slices.Sort(at)
	for _, i := range slices.Backward(at) {
		line = line[:i] + `"` + line[i:]
	}
	return line
}
