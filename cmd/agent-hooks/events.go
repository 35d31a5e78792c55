package main

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type eventsFlags struct{ jsonFlag }

func (flags eventsFlags) execute(env *Env, _ []string) (int, error) {
	if flags.json {
		return spec.ExitContinue, env.printJSON(spec.Events())
	}
	_, err := fmt.Fprint(env.Stdout, env.eventsText())
	return spec.ExitContinue, err
}

// eventsText formats the events as a table. On a narrow terminal, the meaning of a block is on
// the line below the time of the event.
func (env *Env) eventsText() string {
	const enough = 32 // columns for the meaning of a block
	rows := [][]string{{"EVENT", "FIRES", "A BLOCK MEANS"}}
	for _, e := range spec.Events() {
		when := e.When
		if e.Extension {
			when += " (extension)"
		}
		rows = append(rows, []string{string(e.Event), when, e.Block})
	}
	table := term.Columns{Most: env.width(env.Stdout)}
	for _, row := range rows {
		table.Fit(row)
	}
	var b strings.Builder
	paint := func(column int, cell string) string {
		if column > 0 {
			return cell
		}
		return env.paint(env.Stdout, term.Bold, cell)
	}
	title := func(_ int, cell string) string { return env.paint(env.Stdout, term.Faint, cell) }
	if table.Most == 0 || table.Before()+enough <= table.Most {
		b.WriteString(table.Line(rows[0], title))
		for _, row := range rows[1:] {
			b.WriteString(table.Wrapped(row, paint))
		}
		return b.String()
	}
	narrow := term.Columns{Most: table.Most, Widths: table.Widths[:1]}
	b.WriteString(narrow.Line([]string{"EVENT", "FIRES; A BLOCK MEANS"}, title))
	for _, row := range rows[1:] {
		b.WriteString(narrow.Wrapped(row[:2], paint))
		b.WriteString(narrow.Wrapped([]string{"", "block: " + row[2]}, paint))
	}
	return b.String()
}

func noArguments(command string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("agent-hooks help "+command, "%s: unexpected argument %q", command, args[0])
}
