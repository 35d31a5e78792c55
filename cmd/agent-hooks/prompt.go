package main

import (
	"github.com/agent-hooks/agent-hooks/spec"
)

type promptFlags struct{ jsonFlag }

const promptAbout = `The text of a HOOK.md is untrusted data for the model. Each text becomes one line: consecutive spaces, tabs and newlines become one space; an expression keeps its spaces, and its newlines and tabs become \n and \t. Invisible characters and characters that change the direction of text are escaped, such as \u200b and \u202e. Outside --json, & < > " and ' become &amp; &lt; &gt; &quot; and &#x27;.
Hooks that do not run are omitted; stderr lists them.
`

// execute is `agent-hooks prompt`: it prints the hooks that run, as a block for an
// agent's system prompt. Hooks that do not run are omitted and reported.
func (flags promptFlags) execute(env *Env, _ []string) (int, error) {
	loaded := env.hooks()
	hooks, warnings := loaded.Prompt()
	env.warnAll(warnings)
	if flags.json {
		return spec.ExitContinue, env.printJSON(hooks)
	}
	return spec.ExitContinue, env.print(hooks.String())
}
