package main

import (
	"cmp"
	"flag"
	"io"
	"runtime"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/call"
	sh "github.com/agent-hooks/agent-hooks/internal/shell"
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
	var r sh.Reader
	wrong := env.readCommands(&r, flags, input)
	write := sh.Write
	if flags.json {
		write = sh.WriteJSON
	}
	if flags.pipelines {
		lines, undecided := r.Pipelines()
		wrong = cmp.Or(wrong, undecided)
		if err := sh.WritePipelines(env.Stdout, lines); err != nil {
			return 0, err
		}
	} else if err := write(env.Stdout, r.Commands); err != nil {
		return 0, err
	}
	status := spec.ExitContinue
	report := func(err error) {
		env.say("error", term.Red, err.Error())
		status = exitUnreadable
	}
	if wrong != nil {
		report(wrong)
	}
	for _, n := range r.Notes() {
		if !n.Program || !flags.pipelines { // the pipeline ends with the shell
			report(&n)
		}
	}
	return status, nil
}

func (env *Env) readCommands(r *sh.Reader, flags commandsFlags, input []byte) error {
	caller := env.Getenv("AGENT_HOOKS_AGENT")
	bash := caller == "" || agent.Find(caller).RunsBash(runtime.GOOS)
	if !flags.text {
		return call.ReadEvent(r, input, flags.shell, bash, runtime.GOOS)
	}
	name := flags.shell
	if name == "" {
		name = call.ShellOf("", bash, runtime.GOOS)
	}
	var err error
	r.POSIX, err = sh.CheckName(name)
	if err != nil {
		return err
	}
	_ = r.Read(string(input)) // the notes are reported
	return nil
}
