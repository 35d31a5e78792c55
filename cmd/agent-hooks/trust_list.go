package main

import (
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
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
	status := exitStatus(len(errs) > 0)
	if asJSON {
		return status, env.printJSON(rows)
	}
	return status, env.printTrusted(rows)
}

func (env *Env) printTrusted(listed []trust.Listed) error {
	if len(listed) == 0 {
		return env.print("nothing is trusted\n")
	}
	const digest, state = 1, 3
	styles := map[bool]string{true: term.Green, false: term.Red} // whether there is a copy
	var rows [][]string
	for _, r := range listed {
		rows = append(rows, trustRow(r).cells())
	}
	return env.printTable(term.Table{
		Titles: []string{"HOOK", "DIGEST", "TRUSTED", "STATE", "REPOSITORY"}, Rows: rows, Long: true, Hide: []int{digest}, LastWidth: 32,
		// Content that no longer runs is dimmed, and a missing copy highlighted.
		Style: func(i, column int) string {
			if r := listed[i]; r.Copy && !(r.Present && r.Latest) {
				return term.Faint
			}
			return []string{term.Bold, term.Faint, "", styles[listed[i].Copy], ""}[column]
		},
		Narrow: func(i int) (cells, below []string) {
			row := rows[i]
			return []string{env.style(term.Bold, row[0]) + ": " + row[state]}, []string{row[2] + ", " + row[digest], row[4]}
		},
	})
}

// trustRow formats trusted content as a row of the table.
type trustRow trust.Listed

func (r trustRow) cells() []string {
	place := r.Repository
	if r.Project != "." {
		place += " " + r.Project
	}
	return []string{term.Printable(r.Hook), r.Digest[:12], r.TrustedAt.Local().Format("2006-01-02 15:04"), r.state(), term.Printable(place)}
}

func (r trustRow) state() string {
	switch {
	case !r.Copy:
		return "copy missing"
	case !r.Present:
		return "gone from the project"
	case !r.Latest:
		return "earlier version"
	}
	return "trusted"
}
