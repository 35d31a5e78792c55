package main

import (
	"time"

	"github.com/agent-hooks/agent-hooks/internal/author/replay"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

func (env *Env) listRecords(asJSON bool) error {
	store, files, err := env.recorded()
	if err != nil {
		return err
	}
	events := []replay.Recorded{}
	for _, f := range files {
		events = append(events, replay.ReadRecorded(store.Dir, f))
	}
	if asJSON {
		return env.printJSON(events)
	}
	if len(events) == 0 {
		env.note("no events in %s; agent-hooks record shows whether they are recorded", term.Printable(store.Dir))
		return nil
	}
	return env.printListed(events)
}

func (env *Env) printListed(events []replay.Recorded) error {
	const decision, what = 3, 4
	var rows [][]string
	for _, e := range events {
		rows = append(rows, recordedCells(e))
	}
	return env.printTable(term.Table{
		Titles: []string{"TIME", "EVENT", "TOOL", "DECISION", "WHAT"}, Rows: rows, Cut: true, LastWidth: 24,
		Style: func(i, column int) string {
			if column != decision {
				return ""
			}
			if events[i].Broken != "" {
				return term.Red
			}
			return map[string]string{"deny": term.Red, "ask": term.Yellow, "allow": term.Green}[events[i].Decision]
		},
		Narrow: func(i int) (cells, below []string) { return rows[i][:what], rows[i][what:] },
	})
}

func recordedCells(e replay.Recorded) []string {
	when := e.Time.Local().Format(time.DateTime)
	if e.Broken != "" {
		return []string{when, "-", "-", "broken", term.Cell(e.Broken)}
	}
	return []string{when, term.Cell(e.Event), term.Cell(e.Tool), outcomeCell(e.Decision, e.Gave), term.Cell(e.Text)}
}
