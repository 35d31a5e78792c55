package main

import (
	"flag"
	"io"
	"runtime"

	sh "github.com/agent-hooks/agent-hooks/internal/shell"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

const commandsAbout = `For hook scripts: "$AGENT_HOOKS_PROGRAM" commands < event, where AGENT_HOOKS_PROGRAM is the path of this program, lists every simple command that the shell would run, also those inside $(...), sh -c, eval, here-documents, sudo, env, xargs, find -exec, timeout and other programs that run commands. A program that runs another stands on the line before it.
Quotes and braces are resolved. A word whose value only the shell knows keeps its source, in double quotes. A command that reads a pipe begins with "| ".
Exit status 3, which a guard should refuse: the command cannot be parsed, a command word or the text of sh -c or eval is not static, or the shell is not POSIX sh or bash. stderr has the reason, and stdout the commands that come before.
`

// exitUnreadable is the status if a command cannot be parsed with certainty (D75).
const exitUnreadable = 3

// maxCommandInput is the maximum input of `agent-hooks commands`.
const maxCommandInput = 128 << 20

type commandsFlags struct {
	json, text bool
	shell      string
}

func (f *commandsFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print one JSON object per line: words, unknown, globs, assigns, redirects, inside, pipeline, position, reads")
	fs.BoolVar(&f.text, "text", false, "read a shell command instead of an event")
	fs.StringVar(&f.shell, "shell", "", "the shell that runs the command: sh or bash; else by the event's tool and AGENT_HOOKS_AGENT")
}

// commandsCommand is `agent-hooks commands` (D75).
func commandsCommand(env *Env, args []string) (int, error) {
	flags, err := parseFlags[commandsFlags]("commands", args)
	if err != nil {
		return 0, err
	}
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
	if err := write(env.Stdout, r.Commands); err != nil {
		return 0, err
	}
	if wrong != nil {
		env.say("error", term.Red, wrong.Error())
		return exitUnreadable, nil
	}
	return spec.ExitContinue, nil
}

func (env *Env) readCommands(r *sh.Reader, flags commandsFlags, input []byte) error {
	agent := env.Getenv("AGENT_HOOKS_AGENT")
	if !flags.text {
		return r.ReadEvent(input, flags.shell, agent, runtime.GOOS)
	}
	name := flags.shell
	if name == "" {
		name = sh.ForEvent("", agent, runtime.GOOS)
	}
	var err error
	if r.POSIX, err = sh.CheckName(name); err != nil {
		return err
	}
	return r.Read(string(input))
}
