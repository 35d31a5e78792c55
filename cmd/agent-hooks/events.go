package main

import (
	"flag"
	"fmt"
	"text/tabwriter"

	"github.com/agent-hooks/agent-hooks/spec"
)

type eventsFlags struct{ json bool }

func (f *eventsFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
}

func eventsCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[eventsFlags]("events", args)
	if err == nil {
		err = noArguments("events", args)
	}
	if err != nil {
		return 0, err
	}
	if flags.json {
		return spec.ExitContinue, env.printJSON(spec.Events())
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "EVENT\tFIRES\tA BLOCK MEANS")
	for _, e := range spec.Events() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", e.Event, e.When, e.Block)
	}
	return spec.ExitContinue, w.Flush()
}

func noArguments(command string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("agent-hooks help "+command, "%s: unexpected argument %q", command, args[0])
}
