package main

import (
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
	listed := []sampleRow{}
	var rows [][]string
	for _, name := range events.Names() {
		row, names := sampleRow{name, events.Events(name)}, []string{}
		for _, e := range row.Events {
			names = append(names, string(e))
		}
		listed, rows = append(listed, row), append(rows, []string{name, strings.Join(names, ", ")})
	}
	if f.json {
		return env.printJSON(listed)
	}
	return env.printTable(term.Table{Rows: rows})
}
