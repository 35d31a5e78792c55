package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/runlog"
	"github.com/agent-hooks/agent-hooks/internal/term"
)

// logPrinter prints lines of the run log. flush prints the lines that add has buffered.
type logPrinter struct {
	add   func(line []byte, e runlog.Entry) error
	flush func() error
}

func (l *logging) printer(out io.Writer) logPrinter {
	if l.flags.json {
		return logPrinter{
			add: func(line []byte, _ runlog.Entry) error {
				_, err := fmt.Fprintln(out, term.LineJSON(json.RawMessage(line)))
				return err
			},
			flush: func() error { return nil },
		}
	}
	t := &logTable{out: out, table: term.ColumnsOn(l.env.width(l.env.Stdout)), paint: l.env.style}
	return logPrinter{add: t.add, flush: t.flush}
}

// logTable prints runs as a table. It buffers rows so that the columns fit.
type logTable struct {
	out    io.Writer
	paint  func(style, text string) string
	table  term.Columns
	titled bool
	rows   []logRow
}

type logRow struct {
	outcome string
	cells   []string
}

// waitingRows is the maximum number of buffered rows.
const waitingRows = 1000

// The columns of a row; the names are its titles.
func logTitles() []string {
	return []string{"TIME", "OUTCOME", "HOOK", "SCOPE", "EVENT", "AGENT", "MS", "REASON"}
}

const outcomeColumn, msColumn = 1, 6

// outcomeCell describes a hook's decision and the other parts of its answer: "none", "changed
// input, added context", "allow, changed input".
func outcomeCell(outcome, gave string) string {
	var parts []string
	if outcome != string(agenthooks.OutcomeNone) || gave == "" {
		parts = append(parts, term.Cell(outcome))
	}
	for part := range strings.SplitSeq(gave, "+") {
		if text := gaveText(part); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

func gaveText(part string) string {
	switch part {
	case "":
		return ""
	case "input", "prompt", "output":
		return "changed " + part
	case "context", "message":
		return "added " + part
	case "stop":
		return "stopped the agent"
	}
	return term.Cell(part)
}

func (t *logTable) add(_ []byte, e runlog.Entry) error {
	t.rows = append(t.rows, logRow{e.Outcome, []string{
		e.Time.Local().Format(time.DateTime), outcomeCell(e.Outcome, e.Gave), term.Cell(e.Hook), term.Cell(e.Scope), term.Cell(e.Event), term.Cell(e.Agent), msText(e.DurationMS), causeText(e),
	}})
	if len(t.rows) < waitingRows {
		return nil
	}
	return t.flush()
}

// msText formats a duration in ms with the significant digits.
func msText(ms float64) string {
	if ms < 100 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// causeText describes why a hook failed, blocked or asked, and the effect.
func causeText(e runlog.Entry) string {
	if e.Cause == "" && e.Decision == "" && e.Would == "" && e.Reason == "" {
		return ""
	}
	text := ""
	if why := cmp.Or(e.Cause, e.Reason); why != "" {
		text = term.Cell(why)
	}
	if e.Would != "" && e.Would != "none" {
		text = strings.TrimSuffix("observed: would "+term.Cell(e.Would)+": "+text, ": ")
	}
	meant := map[string]string{"allow": "operation allowed", "deny": "blocked", "ask": "the user was asked"}[e.Decision]
	if e.Outcome == string(agenthooks.NotEnforced) {
		meant = "the agent cannot enforce it on this event"
	}
	switch {
	case text == "":
		return meant
	case meant != "":
		return meant + ": " + text
	}
	return text
}

func (t *logTable) flush() error {
	if len(t.rows) == 0 {
		return nil
	}
	if !t.titled {
		t.table.Right = []bool{msColumn: true}
		t.table.Fit(logTitles())
	}
	for _, row := range t.rows {
		t.table.Fit(row.cells)
	}
	for _, row := range t.page() {
		if _, err := io.WriteString(t.out, row); err != nil {
			return err
		}
	}
	t.titled, t.rows = true, t.rows[:0]
	return nil
}

// page formats the buffered rows: as a table, or on two lines each if the terminal is too
// narrow.
func (t *logTable) page() []string {
	const leastCause = 24
	var lines []string
	if t.table.Width > 0 && t.table.Before()+leastCause > t.table.Width {
		for _, row := range t.rows {
			lines = append(lines, t.narrow(row)...)
		}
		return lines
	}
	if !t.titled {
		lines = append(lines, t.table.Line(logTitles(), term.Unpainted))
	}
	for _, row := range t.rows {
		lines = append(lines, t.table.Wrapped(row.cells, t.color(row.outcome)))
	}
	return lines
}

func (t *logTable) narrow(r logRow) []string {
	row := r.cells
	when, outcome, hook := row[0][len("2006-"):], row[outcomeColumn], row[2]
	first := term.Columns{Widths: []int{len(when), len("failure")}, Width: t.table.Width}
	below := row[4] + ", " + row[3] + ", "
	if row[5] != "-" {
		below += row[5] + ", "
	}
	below += row[msColumn] + " ms"
	if cause := row[msColumn+1]; cause != "" {
		below += ": " + cause
	}
	lines := []string{first.Wrapped([]string{when, outcome, hook}, t.color(r.outcome))}
	for _, line := range term.Hang("  "+below, 4, t.table.Width) {
		lines = append(lines, line+"\n")
	}
	return lines
}

// color paints the outcome.
func (t *logTable) color(outcome string) func(int, string) string {
	style := map[string]string{
		string(agenthooks.OutcomeDeny): term.Red, string(agenthooks.OutcomeAllow): term.Green,
		string(agenthooks.Failed): term.Yellow, string(agenthooks.TimedOut): term.Yellow, string(agenthooks.OutcomeAsk): term.Bold, string(agenthooks.NotEnforced): term.Yellow,
	}[outcome]
	return func(column int, cell string) string {
		if column != outcomeColumn || style == "" {
			return cell
		}
		return t.paint(style, cell)
	}
}
