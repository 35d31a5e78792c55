package main

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// exampleRow is one of the example hooks.
type exampleRow struct {
	Name        string         `json:"name"`
	Trigger     spec.EventType `json:"trigger"`
	Description string         `json:"description"`
}

func (env *Env) listExamples(asJSON bool) error {
	var rows []exampleRow
	c := term.Columns{Most: env.width(env.Stdout)}
	for _, name := range examples.Names() {
		hook, _ := examples.Find(name)
		rows = append(rows, exampleRow{name, hook.Trigger, hook.Description})
		c.Fit([]string{name, string(hook.Trigger), ""})
	}
	if asJSON {
		return env.printJSON(rows)
	}
	for _, r := range rows {
		if _, err := fmt.Fprint(env.Stdout, env.exampleText(&c, r)); err != nil {
			return err
		}
	}
	return nil
}

// exampleText returns one line or, on a narrow terminal, a line with the description below it.
func (env *Env) exampleText(c *term.Columns, r exampleRow) string {
	const enough = 40 // columns for the description
	paint := func(column int, cell string) string {
		return env.paint(env.Stdout, []string{term.Bold, term.Faint, ""}[column], cell)
	}
	cells := []string{r.Name, string(r.Trigger), r.Description}
	if c.Most == 0 || c.Before()+enough <= c.Most {
		return c.Wrapped(cells, paint)
	}
	return c.Line(append(cells[:2:2], ""), paint) + env.paragraph(env.Stdout, 2, "  "+r.Description)
}

// exampleFiles returns the files of an example, with the new hook's name in their contents.
func exampleFiles(example, name string) []scaffold.File {
	var files []scaffold.File
	for _, f := range examples.Files(example) {
		switch {
		case example == name:
		case f.Path == "HOOK.md":
			f.Data = scaffold.Rename(f.Data, example, name)
		default:
			f.Data = scaffold.RenameIn(f.Data, example, name)
		}
		files = append(files, scaffold.File{Path: f.Path, Data: f.Data, Executable: f.Executable})
	}
	return files
}
