package main

import (
	"flag"
	"io"

	"github.com/agent-hooks/agent-hooks/spec"
)

type promptFlags struct {
	projectFlags
	json bool
}

func (f *promptFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print JSON")
	f.projectFlags.declare(fs)
}

const promptAbout = `What a HOOK.md says is data to the model that reads it. Each text becomes one line: consecutive spaces, tabs and line ends become one space, but an expression keeps its blanks, and line ends and tabs in it are \n and \t. Characters that do not show or that turn the direction of text are spelled out, such as \u200b and \u202e. Outside --json, & < > " and ' become &amp; &lt; &gt; &quot; and &#x27;.
Hooks that do not run are left out; stderr names them.
`

// promptCommand is `agent-hooks prompt`: it prints the hooks that run, as a block for an
// agent's system prompt. Hooks that do not run are omitted and reported.
func promptCommand(env *Env, args []string) (int, error) {
	flags, err := parseFlags[promptFlags]("prompt", args)
	if err != nil {
		return 0, err
	}
	loaded := env.load(flags.projectFlags, nil)
	env.warnAll(loaded.Warnings)
	hooks, warnings := loaded.Prompt()
	env.warnAll(warnings)
	if flags.json {
		return spec.ExitContinue, env.printJSON(hooks)
	}
	_, err = io.WriteString(env.Stdout, hooks.String())
	return spec.ExitContinue, err
}
