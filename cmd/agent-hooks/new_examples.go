package main

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/scaffold"
	"github.com/agent-hooks/agent-hooks/spec"
)

// exampleRow is one of the example hooks.
type exampleRow struct {
	Name        string     `json:"name"`
	Trigger     spec.Event `json:"trigger"`
	Description string     `json:"description"`
}

func (env *Env) listExamples(asJSON bool) error {
	var rows []exampleRow
	c := columns{most: env.width(env.Stdout)}
	for _, name := range examples.Names() {
		hook, _ := examples.Find(name)
		rows = append(rows, exampleRow{name, hook.Trigger, hook.Description})
		c.fit([]string{name, string(hook.Trigger), ""})
	}
	if asJSON {
		return env.printJSON(rows)
	}
	for _, r := range rows {
		if _, err := fmt.Fprint(env.Stdout, c.line([]string{r.Name, string(r.Trigger), r.Description}, unpainted)); err != nil {
			return err
		}
	}
	return nil
}

// exampleFiles returns the files of an example, with the hook's own name.
func exampleFiles(example, name string) []scaffold.File {
	var files []scaffold.File
	for _, f := range examples.Files(example) {
		if f.Path == "HOOK.md" && example != name {
			f.Data = scaffold.Rename(f.Data, example, name)
		}
		files = append(files, scaffold.File{Path: f.Path, Data: f.Data, Executable: f.Executable})
	}
	return files
}
