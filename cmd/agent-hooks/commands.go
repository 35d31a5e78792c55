package main

import (
	"flag"
	"io"
	"runtime"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/reading"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

const commandsAbout = `Hook scripts call "$AGENT_HOOKS_PROGRAM" commands < event; AGENT_HOOKS_PROGRAM is the path of this program. The output lists every simple command that the shell would run, including those inside $(...), sh -c, eval, here-documents, sudo, env, xargs, find -exec, npx, docker exec, git rebase -x and other programs that run commands, and the literal text of echo | sh. A program that runs another appears on the line before it.
Quotes and braces are resolved, and variables and loop words that the text itself determines. Any other word whose value is known only to the shell keeps its source text, in double quotes. A command that reads from a pipe begins with "| ", and so does sh where eval, sh -c or a shell's file (bash <(...)) is the output of commands.
Exit status 3 means that there may be other commands; a guard should block then. A part of the text cannot be parsed, a command word or the text of sh -c or eval is not static, a shell runs a program that nobody can know, or the shell is not POSIX sh, bash or zsh. stderr names each such part, and stdout has the commands of all others.
`

// exitUnreadable is the status if a command cannot be parsed with certainty (D75).
const exitUnreadable = 3

// maxCommandInput is the maximum input of `agent-hooks commands`.
const maxCommandInput = 128 << 20

type commandsFlags struct {
	json, text, pipelines bool

	shell string
}

func (f *commandsFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print one JSON object per line: words, unknown, globs, assigns, redirects, inside, pipeline, position, reads")
	fs.BoolVar(&f.pipelines, "pipelines", false, "print the pipelines in which metadata.match: pipelines searches, one per line")
	fs.BoolVar(&f.text, "text", false, "read a shell command instead of an event")
	fs.StringVar(&f.shell, "shell", "", "the `SHELL` that runs the command: sh, bash or zsh; default: by the event's tool and AGENT_HOOKS_AGENT")
}

// execute is `agent-hooks commands` (D75).
func (flags commandsFlags) execute(env *Env, _ []string) (int, error) {
	input, err := io.ReadAll(io.LimitReader(env.Stdin, maxCommandInput))
	if err != nil {
		return 0, err
	}
	listing, wrong := env.readCommands(flags, input)
	if flags.pipelines {
		err = listing.WritePipelines(env.Stdout)
	} else {
		err = listing.Write(env.Stdout, flags.json)
	}
	if err != nil {
		return 0, err
	}
	notes := listing.Notes(flags.pipelines)
	if wrong != nil {
		notes = append([]error{wrong}, notes...)
	}
	for _, n := range notes {
		env.say("error", term.Red, n.Error())
	}
	if len(notes) > 0 {
		return exitUnreadable, nil
	}
	return spec.ExitContinue, nil
}

func (env *Env) readCommands(flags commandsFlags, input []byte) (*reading.Listing, error) {
	caller := env.Getenv("AGENT_HOOKS_AGENT")
	bash := caller == "" || agent.Find(caller).RunsBash(runtime.GOOS)
	if flags.text {
		return reading.ListText(string(input), flags.shell, bash, runtime.GOOS)
	}
	return reading.ListEvent(input, flags.shell, bash, runtime.GOOS)
}
