package main

import (
	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
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
	var listed []exampleRow
	var rows [][]string
	for _, name := range examples.Names() {
		hook, _ := examples.Find(name)
		listed = append(listed, exampleRow{name, hook.Trigger, hook.Description})
		rows = append(rows, []string{name, string(hook.Trigger), hook.Description})
	}
	if asJSON {
		return env.printJSON(listed)
	}
	return env.printTable(term.Table{
		Rows: rows, LastWidth: 40, Style: func(_, column int) string { return []string{term.Bold, term.Faint, ""}[column] },
		Narrow: func(i int) (cells, below []string) {
			return []string{env.style(term.Bold, rows[i][0]), env.style(term.Faint, rows[i][1])}, rows[i][2:]
		},
	})
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
