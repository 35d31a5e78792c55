package shell

import (
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/reading/internal/program"
)

// PrintsVariables reports whether a command that may run after the one at an index prints variables
// (D157), or the shell prints the commands that it runs.
func (r *Reader) PrintsVariables(i int) bool {
	if p, _ := program.Of(Program(strings.Join(r.Commands[i].Words[:min(1, len(r.Commands[i].Words))], ""))); p.Is&program.Loads == 0 {
		return false // it does not matter
	}
	for j := range r.Commands {
		c := &r.Commands[j]
		if len(c.Words) == 0 || j == i {
			continue
		}
		name, args := c.Words[0], c.Words[1:]
		if name == "set" && slices.ContainsFunc(args, func(a string) bool {
			return a == "xtrace" || a == "verbose" || len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.ContainsAny(a, "xv")
		}) {
			return true
		}
		if (j > i || r.repeats) && c.printsVariables() {
			return true
		}
	}
	return false
}

// printsVariables reports whether a command prints variables.
func (c *Command) printsVariables() bool {
	name, args := c.Words[0], c.Words[1:]
	p, _ := program.Of(Program(name))
	switch {
	case p.Is&program.Reveals != 0:
		_, parsed, _ := program.Parse(given(plainWords(c.Words)))
		return len(parsed.Starts) == 0 || parsed.Starts[len(parsed.Starts)-1] >= len(c.Words)
	case name == "set":
		return len(args) == 0
	case slices.Contains(declarations[:], name):
		return len(args) == 0 || slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") && strings.Contains(a, "p") })
	case name == "echo" || name == "printf":
		return len(c.Unknown) > 0
	}
	return slices.ContainsFunc(c.Redirects, func(redirect Redirect) bool {
		return strings.HasPrefix(redirect.Op, "<<") && strings.ContainsAny(redirect.Target+redirect.Text, "$`")
	})
}

// plainWords returns texts as words.
func plainWords(texts []string) (all []word) {
	for _, text := range texts {
		all = append(all, word{text: text})
	}
	return all
}
