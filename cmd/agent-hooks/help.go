package main

import (
	"flag"
	"fmt"
	"text/tabwriter"

	"github.com/agent-hooks/agent-hooks/spec"
)

func helpCommand(env *Env, args []string) (int, error) {
	_, args, err := parse[noFlags]("help", args)
	if err != nil {
		return 0, err
	}
	if len(args) == 0 {
		env.overview()
		return spec.ExitContinue, nil
	}
	cmd, err := findCommand(args[0])
	if err != nil {
		return 0, err
	}
	return env.help(cmd), nil
}

func (env *Env) overview() {
	fmt.Fprint(env.Stdout, "agent-hooks runs hooks (folders with a HOOK.md and a script) for any coding agent.\n\nUsage: agent-hooks COMMAND [ARGUMENTS]\n\n")
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	for _, c := range commands() {
		if !c.hidden {
			fmt.Fprintf(w, "  %s\t%s\n", c.name, c.summary)
		}
	}
	_ = w.Flush()
	fmt.Fprint(env.Stdout, "\nagent-hooks help COMMAND tells more of one.\n")
}

func (env *Env) help(c command) int {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.flags(fs)
	options, line := 0, "agent-hooks "+c.name
	fs.VisitAll(func(*flag.Flag) { options++ })
	if options > 0 {
		line += " [OPTIONS]"
	}
	if c.args != "" {
		line += " " + c.args
	}
	fmt.Fprintf(env.Stdout, "Usage: %s\n\n%s\n", line, c.summary)
	if options == 0 {
		return spec.ExitContinue
	}
	fmt.Fprint(env.Stdout, "\nOptions:\n")
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  --%s %s\t%s\n", f.Name, value, usage)
	})
	_ = w.Flush()
	return spec.ExitContinue
}
