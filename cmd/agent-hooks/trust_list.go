package main

import (
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

func (env *Env) listTrusted(asJSON bool) (int, error) {
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	rows, errs := store.List()
	for _, err := range errs {
		env.warn("%v", err)
	}
	status := spec.ExitContinue
	if len(errs) > 0 {
		status = spec.ExitError
	}
	if asJSON {
		return status, env.printJSON(rows)
	}
	return status, env.printTrusted(rows)
}

func (env *Env) printTrusted(rows []trust.Listed) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "nothing is trusted")
		return err
	}
	_, err := fmt.Fprint(env.Stdout, env.trustedText(rows))
	return err
}

// trustedText formats rows as a table or, on a narrow terminal, on several lines each.
func (env *Env) trustedText(rows []trust.Listed) string {
	const leastPlace = 32
	titles := []string{"HOOK", "DIGEST", "TRUSTED", "STATE", "REPOSITORY"}
	table := term.ColumnsOn(env.width(env.Stdout))
	table.Fit(titles)
	for _, r := range rows {
		table.Fit(trustRow(r).cells())
	}
	const digest = 1
	asTable := table.GiveUp([]int{digest}, leastPlace)
	var b strings.Builder
	if asTable {
		b.WriteString(table.Line(titles, func(_ int, cell string) string { return env.paint(env.Stdout, term.Faint, cell) }))
	}
	for _, listed := range rows {
		r := trustRow(listed)
		if asTable {
			b.WriteString(table.Wrapped(r.cells(), func(column int, cell string) string { return env.paint(env.Stdout, r.styles()[column], cell) }))
			continue
		}
		env.writeTrusted(&b, r)
	}
	return b.String()
}

// writeTrusted formats a row on several lines.
func (env *Env) writeTrusted(b *strings.Builder, r trustRow) {
	c, styles := r.cells(), r.styles()
	for _, text := range []string{
		env.paint(env.Stdout, term.Bold, c[0]) + ": " + env.paint(env.Stdout, styles[3], c[3]),
		"  " + c[2] + ", " + c[1],
		"  " + c[4],
	} {
		b.WriteString(env.paragraph(env.Stdout, 4, text))
	}
}

// trustRow is a row for people.
type trustRow trust.Listed

func (r trustRow) cells() []string {
	place := r.Repository
	if r.Project != "." {
		place += " " + r.Project
	}
	return []string{term.Printable(r.Hook), r.Digest[:12], r.TrustedAt.Local().Format("2006-01-02 15:04"), r.state(), term.Printable(place)}
}

// styles returns the styles of the cells: it dims content that no longer runs, and highlights a
// missing copy.
func (r trustRow) styles() []string {
	state := map[string]string{trustedState: term.Green, copyMissing: term.Red}[r.state()]
	if state == "" {
		return []string{term.Faint, term.Faint, term.Faint, term.Faint, term.Faint}
	}
	return []string{term.Bold, term.Faint, "", state, ""}
}

const (
	trustedState = "trusted"
	copyMissing  = "copy missing"
)

func (r trustRow) state() string {
	switch {
	case !r.Copy:
		return copyMissing
	case !r.Present:
		return "gone from the project"
	case !r.Latest:
		return "earlier version"
	}
	return trustedState
}
