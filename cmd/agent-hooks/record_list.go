package main

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/record"
	"github.com/agent-hooks/agent-hooks/internal/replay"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// recordedEvent is one line of the list of events.
type recordedEvent struct {
	File     string    `json:"file"`
	Time     time.Time `json:"time"`
	Event    string    `json:"event"`
	Tool     string    `json:"tool,omitempty"`
	Text     string    `json:"text,omitempty"`
	Decision string    `json:"decision"`
	Modified bool      `json:"modified_input,omitempty"`
	Gave     string    `json:"gave,omitempty"` // the other parts of the answer
	Altered  int       `json:"altered,omitempty"`
	Broken   string    `json:"broken,omitempty"`
}

func (env *Env) listRecords(asJSON bool) error {
	store, files, err := env.recorded()
	if err != nil {
		return err
	}
	events := []recordedEvent{}
	for _, f := range files {
		events = append(events, readListed(store.Dir, f))
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

func readListed(dir string, f record.File) recordedEvent {
	e := recordedEvent{File: f.Name, Time: f.Time}
	text, err := record.ReadFile(filepath.Join(dir, f.Name))
	var kept *record.Record
	if err == nil {
		kept, _, err = record.Decode(text)
	}
	if err != nil {
		e.Broken = err.Error()
		return e
	}
	e.Time, e.Event, e.Altered = kept.Time, string(kept.Trigger), len(kept.Altered)
	e.Tool, e.Text = replay.Describe(kept.Event)
	e.Decision, e.Modified, e.Gave = replay.DecisionThen(kept), kept.Modified, kept.Gave
	return e
}

func (env *Env) printListed(events []recordedEvent) error {
	const decision, what = 3, 4
	var rows [][]string
	for _, e := range events {
		rows = append(rows, e.cells())
	}
	return env.printTable(term.Table{
		Titles: []string{"TIME", "EVENT", "TOOL", "DECISION", "WHAT"}, Rows: rows, Cut: true, Least: 24,
		Style: func(i, column int) string {
			if column != decision {
				return ""
			}
			decided, _, _ := strings.Cut(rows[i][column], ",")
			return map[string]string{"deny": term.Red, "ask": term.Yellow, "allow": term.Green, "broken": term.Red}[decided]
		},
		Narrow: func(i int) (cells, below []string) { return rows[i][:what], rows[i][what:] },
	})
}

func (e recordedEvent) cells() []string {
	if e.Modified && e.Gave == "" { // a record of an older version
		e.Gave = "input"
	}
	when := e.Time.Local().Format(time.DateTime)
	if e.Broken != "" {
		return []string{when, "-", "-", "broken", term.Cell(e.Broken)}
	}
	return []string{when, term.Cell(e.Event), term.Cell(e.Tool), outcomeCell(e.Decision, e.Gave), term.Cell(e.Text)}
}
