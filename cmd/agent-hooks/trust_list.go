package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

// trustRow is one trusted content.
type trustRow struct {
	Repository string    `json:"repository"` // its git directory, or the project's root
	Project    string    `json:"project"`    // relative to the work tree; "." is its root
	Hook       string    `json:"hook"`
	Digest     string    `json:"digest"`
	Everywhere bool      `json:"everywhere"` // it was trusted with --everywhere
	TrustedAt  time.Time `json:"trusted_at"`
	Latest     bool      `json:"latest"`  // runs instead of content that was not reviewed
	Present    bool      `json:"present"` // the repository, and the hook in its main work tree, exist
	Copy       bool      `json:"copy"`    // the reviewed copy exists
}

func (env *Env) listTrusted(asJSON bool) (int, error) {
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	records, errs := store.Records()
	for _, err := range errs {
		env.warn("%v", err)
	}
	rows := []trustRow{}
	for _, r := range records {
		rows = append(rows, trustRows(store, r)...)
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

func trustRows(store *trust.Store, r *trust.Record) []trustRow {
	var rows []trustRow
	for _, h := range r.Hooks {
		present := isPresent(r.Repository, h)
		for i, v := range h.Reviews {
			rows = append(rows, trustRow{
				Repository: r.Repository, Project: h.Project, Hook: h.Name, Digest: v.Digest, Everywhere: h.Everywhere, TrustedAt: v.TrustedAt,
				Latest: i == len(h.Reviews)-1, Present: present, Copy: store.Has(trust.Content{Name: h.Name, Digest: v.Digest}),
			})
		}
	}
	return rows
}

// isPresent checks for the hook in the repository's main work tree or, if that is unknown, for
// the repository itself.
func isPresent(repository string, h trust.Hook) bool {
	if repository == trust.Everywhere {
		return true
	}
	path := repository
	switch filepath.Base(repository) {
	case ".git":
		path = filepath.Join(filepath.Dir(repository), filepath.FromSlash(h.Project), ".agents", "hooks", h.Name)
	default:
		if inTree := filepath.Join(repository, ".agents", "hooks", h.Name); h.Project == "." && !isGitDir(repository) {
			path = inTree
		}
	}
	_, err := os.Stat(path)
	return err == nil
}

func isGitDir(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "HEAD"))
	return err == nil
}

func (env *Env) printTrusted(rows []trustRow) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(env.Stdout, "nothing is trusted")
		return err
	}
	_, err := fmt.Fprint(env.Stdout, env.trustedText(rows))
	return err
}

// trustedText formats rows as a table or, on a narrow terminal, on several lines each.
func (env *Env) trustedText(rows []trustRow) string {
	const leastPlace = 32
	titles := []string{"HOOK", "DIGEST", "TRUSTED", "STATE", "REPOSITORY"}
	table := term.ColumnsOn(env.width(env.Stdout))
	table.Fit(titles)
	for _, r := range rows {
		table.Fit(r.cells())
	}
	const digest = 1
	asTable := table.GiveUp([]int{digest}, leastPlace)
	var b strings.Builder
	if asTable {
		b.WriteString(table.Line(titles, func(_ int, cell string) string { return env.paint(env.Stdout, term.Faint, cell) }))
	}
	for _, r := range rows {
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
