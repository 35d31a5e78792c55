package main

import (
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type eventsFlags struct{ jsonFlag }

func (flags eventsFlags) execute(env *Env, _ []string) (int, error) {
	if flags.json {
		return spec.ExitContinue, env.printJSON(spec.Events())
	}
	var rows [][]string
	for _, e := range spec.Events() {
		when := e.When
		if e.Extension {
			when += " (extension)"
		}
		rows = append(rows, []string{string(e.Event), when, e.Block})
	}
	return spec.ExitContinue, env.printTable(term.Table{
		Titles: []string{"EVENT", "FIRES", "A BLOCK MEANS"}, Rows: rows, Style: firstBold, LastWidth: 32,
		Narrow: func(i int) (cells, below []string) {
			return []string{env.style(term.Bold, rows[i][0]), rows[i][1]}, []string{"block: " + rows[i][2]}
		},
	})
}
