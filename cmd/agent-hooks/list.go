package main

import (
	"flag"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

type listFlags struct {
	projectFlags
	json bool
}

func (f *listFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
	f.projectFlags.declare(fs)
}

// listRow is one hook in the trigger table.
type listRow struct {
	Event      spec.Event      `json:"event"` // "" if the trigger cannot be read
	Order      int             `json:"order"` // from 1; 0 if it does not run
	Hook       string          `json:"hook"`
	Scope      discovery.Scope `json:"scope"`
	File       string          `json:"file"`
	Tool       string          `json:"tool,omitempty"`
	Pattern    string          `json:"pattern,omitempty"`
	Timeout    int64           `json:"timeout_ms"`
	Mode       string          `json:"mode"` // sync or async
	Priority   int             `json:"priority"`
	OnFailure  string          `json:"on_failure"`
	State      discovery.State `json:"state"`
	Cause      string          `json:"cause,omitempty"`
	Configured []string        `json:"configured,omitempty"` // what a hooks.toml sets, and where
	Notice     string          `json:"notice,omitempty"`     // what is to be said although it runs
}

func listCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[listFlags]("list", args)
	if err == nil {
		err = noArguments("list", args)
	}
	if err != nil {
		return 0, err
	}
	hooks, warnings := env.load(flags.projectFlags, nil)
	for _, w := range append(warnings, hooks.Warnings...) {
		env.warn("%s", w)
	}
	for _, d := range hooks.Diagnostics {
		env.warn("%s", d)
	}
	rows := listRows(hooks.Table, hooks.settings)
	if flags.json {
		return spec.ExitContinue, env.printJSON(rows)
	}
	return spec.ExitContinue, env.printList(rows)
}

func listRows(table discovery.Table, settings *settings) []listRow {
	rows := []listRow{}
	add := func(event spec.Event) {
		order := 0
		for _, h := range table[event] {
			row := listRow{
				Event: event, Hook: h.Shown(), Scope: h.Scope, File: h.File, Tool: h.Tool, Pattern: h.Pattern,
				Timeout: h.Timeout.Milliseconds(), Mode: "sync", Priority: h.Priority, OnFailure: string(h.OnFailure), State: h.State, Cause: h.Cause, Notice: h.Notice,
			}
			if h.Async {
				row.Mode = "async"
			}
			if h.State != discovery.Disabled {
				row.Configured = settings.configured(h)
			}
			if h.State == discovery.Active {
				order++
				row.Order = order
			}
			rows = append(rows, row)
		}
	}
	for _, info := range spec.Events() {
		add(info.Event)
	}
	add("")
	return rows
}
