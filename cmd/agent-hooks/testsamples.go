package main

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/agent-hooks/agent-hooks/testdata/events"
)

// sampleRow is one event that a case may name.
type sampleRow struct {
	Sample string           `json:"sample"`
	Events []spec.EventType `json:"events"` // the events of the sample, best match first
}

// listSamples is `agent-hooks test --samples`.
func (env *Env) listSamples(f testFlags, args []string) error {
	if err := noArguments("test --samples", args); err != nil {
		return err
	}
	if f.tap || f.junit || f.update {
		return usagef("agent-hooks test --samples --json", "test: --samples can be combined only with --json")
	}
	rows := []sampleRow{}
	c := term.Columns{Most: env.width(env.Stdout)}
	for _, name := range events.Names() {
		row := sampleRow{name, events.Events(name)}
		rows = append(rows, row)
		c.Fit(row.cells())
	}
	if f.json {
		return env.printJSON(rows)
	}
	for _, row := range rows {
		if _, err := fmt.Fprint(env.Stdout, c.Line(row.cells(), term.Unpainted)); err != nil {
			return err
		}
	}
	return nil
}

func (r sampleRow) cells() []string {
	var names []string
	for _, e := range r.Events {
		names = append(names, string(e))
	}
	return []string{r.Sample, strings.Join(names, ", ")}
}
