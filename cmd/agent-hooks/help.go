package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

type helpFlags struct{ noFlags }

func (helpFlags) execute(env *Env, args []string) (int, error) {
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

const overviewAbout = "agent-hooks runs hooks (folders with a HOOK.md and a script) for any coding agent."

func (env *Env) overview() {
	env.out(0, overviewAbout)
	env.print("\nUsage: agent-hooks COMMAND [ARGUMENTS]\n\n")
	var rows [][]string
	last := group("")
	for _, c := range commands() {
		if c.group == "" {
			continue
		}
		if c.group != last {
			rows = append(rows, []string{""}, []string{string(c.group) + ":"})
			last = c.group
		}
		rows = append(rows, []string{"  " + c.name, c.summary})
	}
	env.printTerms(rows[1:])
	env.print("\nRun \"agent-hooks help COMMAND\" for details.\n")
}

// printTerms prints words with their meanings next to them.
func (env *Env) printTerms(rows [][]string) error {
	return env.printTable(term.Table{Rows: rows, Style: firstBold})
}

func (env *Env) help(c command) int {
	fs := c.flags(env, c.action())
	options, line := 0, "agent-hooks "+c.name
	fs.VisitAll(func(*flag.Flag) { options++ })
	if options > 0 {
		line += " [OPTIONS]"
	}
	if c.args != "" {
		line += " " + c.args
	}
	env.out(4, "Usage: "+line)
	env.print("\n" + env.paragraph(env.Stdout, 0, c.summary))
	for line := range strings.Lines(c.aboutText()) {
		fmt.Fprint(env.Stdout, "\n"+env.paragraph(env.Stdout, 0, strings.TrimSuffix(line, "\n")))
	}
	if len(c.columns) > 0 {
		env.print("\nColumns:\n")
		env.printTerms(c.columns)
	}
	if options == 0 {
		return spec.ExitContinue
	}
	env.print("\nOptions:\n")
	var rows [][]string
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		rows = append(rows, []string{strings.TrimSuffix("  --"+f.Name+" "+value, " "), usage})
	})
	env.printTerms(rows)
	return spec.ExitContinue
}
