package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/near"
	"github.com/agent-hooks/agent-hooks/spec"
)

// command is one entry of the command table.
type command struct {
	name    string
	args    string // for the usage line
	summary string
	about   string     // only for help: paragraphs below the summary
	columns [][]string // only for help: the columns of its output, and their meaning
	run     func(c command, env *Env, args []string) (status int, err error)
	flags   func(*flag.FlagSet) // declares the flags, for help and completion
	hidden  bool
}

// reads reports whether the command reads hooks or state, so that it accepts --config-dir and
// --state-dir.
func (c command) reads() bool {
	return !slices.Contains([]string{"events", "spec", "version", "completion", "help", "commands"}, c.name)
}

// declare declares all flags of the command, for help and completion.
func (c command) declare(env *Env, fs *flag.FlagSet) {
	c.flags(fs)
	if c.reads() {
		env.declareDirectories(fs)
	}
}

// commands returns the command table, in the order of help. It is a function, so that no
// package variable needs initialization.
func commands() []command {
	return []command{
		{name: "run", args: "EVENT < ctx.json", summary: "run the hooks of an event and print the answer", run: runOf[runFlags], flags: flagsOf[runFlags]},
		{name: "validate", args: "[HOOK|PATH ...]", summary: "check hooks and report every problem", run: runOf[validateFlags], flags: flagsOf[validateFlags]},
		{name: "list", summary: "list the hooks of each event in the order they run", run: runOf[listFlags], flags: flagsOf[listFlags]},
		{name: "why", args: "[HOOK] EVENT < ctx.json", summary: "show which hooks would run, and why the others would not run", run: runOf[whyFlags], flags: flagsOf[whyFlags]},
		{name: "new", args: "[NAME]", summary: "create a hook with test cases", run: runOf[newFlags], flags: flagsOf[newFlags]},
		{name: "test", args: "[HOOK|HOOK/CASE|PATH ...]", summary: "run the hooks' test cases", about: testAbout, run: runOf[testFlags], flags: flagsOf[testFlags]},
		{name: "watch", args: "[EVENT < ctx.json]", summary: "check each changed hook, and run it on its test cases and the event", about: watchAbout, run: runOf[watchFlags], flags: flagsOf[watchFlags]},
		{name: "record", summary: "show whether run records events, and turn recording on or off", run: runOf[recordFlags], flags: flagsOf[recordFlags]},
		{name: "replay", args: "[DIR]", summary: "run the hooks on recorded events and compare the verdicts; exit status 1 if any changed", run: runOf[replayFlags], flags: flagsOf[replayFlags]},
		{name: "install", args: "AGENT ... | --all", summary: "configure coding agents to call agent-hooks", about: installAbout, run: runOf[installFlags], flags: flagsOf[installFlags]},
		{name: "uninstall", args: "AGENT ... | --all", summary: "remove the entries that install wrote", run: runOf[uninstallFlags], flags: flagsOf[uninstallFlags]},
		{name: "import", args: "AGENT [FILE ...]", summary: "convert the hooks in an agent's settings", about: importAbout, run: runOf[importFlags], flags: flagsOf[importFlags]},
		{name: "doctor", args: "[AGENT ...]", summary: "check that agents call agent-hooks and that the calls work", about: doctorAbout, run: runOf[doctorFlags], flags: flagsOf[doctorFlags]},
		{name: "trust", args: "[DIR]", summary: "review a project's hooks so that run --require-trust runs them", run: runOf[trustFlags], flags: flagsOf[trustFlags]},
		{name: "untrust", args: "[DIR]", summary: "stop trusting a project's hooks", run: runOf[untrustFlags], flags: flagsOf[untrustFlags]},
		{name: "log", summary: "show past runs of hooks, newest last", run: runOf[logFlags], flags: flagsOf[logFlags]},
		{name: "stats", summary: "summarize the runs and durations of each hook", about: statsAbout, columns: statsColumns(), run: runOf[statsFlags], flags: flagsOf[statsFlags]},
		{name: "prompt", summary: "print the active hooks for an agent's system prompt", about: promptAbout, run: runOf[promptFlags], flags: flagsOf[promptFlags]},
		{name: "commands", args: "< ctx.json", summary: "list the simple commands that a shell command runs, for hook scripts", about: commandsAbout, run: runOf[commandsFlags], flags: flagsOf[commandsFlags]},
		{name: "serve", summary: "serve a long-running host with JSON-RPC on stdin and stdout", about: serveAbout, run: runOf[serveFlags], flags: flagsOf[serveFlags]},
		{name: "events", summary: "list the events of the format", run: runOf[eventsFlags], flags: flagsOf[eventsFlags]},
		{name: "spec", args: "[hook|event|answer|case|rpc]", summary: "print the specification or one of its JSON Schemas", run: runOf[specFlags], flags: flagsOf[specFlags]},
		{name: "version", summary: "print the version", run: runOf[versionFlags], flags: flagsOf[versionFlags]},
		{name: "completion", args: "bash|zsh|fish", summary: "print a shell's completion script", run: runOf[completionFlags], flags: flagsOf[completionFlags]},
		{name: "help", args: "[COMMAND]", summary: "show this help or the help of a command", run: runOf[helpFlags], flags: flagsOf[helpFlags]},
		{name: completeName, run: completeCommand, flags: flagsOf[noFlags], hidden: true},
		{name: superviseName, run: runOf[superviseFlags], flags: flagsOf[superviseFlags], hidden: true},
	}
}

func findCommand(name string) (command, error) {
	switch name {
	case "-h", "-help", "--help":
		name = "help"
	case "-v", "-version", "--version":
		name = "version"
	}
	all := commands()
	if i := slices.IndexFunc(all, func(c command) bool { return c.name == name }); i >= 0 {
		return all[i], nil
	}
	return command{}, usagef(near.Hint("agent-hooks help", "`agent-hooks %s`", name, visibleCommands()), "unknown command %q", name)
}

// flagSet is implemented by the flags of each command.
type flagSet[T any] interface {
	*T
	declare(*flag.FlagSet)
}

// runnable is implemented by the flags of a command that runOf runs.
type runnable[T any] interface {
	flagSet[T]
	execute(env *Env, args []string) (status int, err error)
}

// runOf parses and checks a command's flags, and runs it.
func runOf[T any, P runnable[T]](c command, env *Env, args []string) (int, error) {
	flags, args, err := parse[T, P](c, env, args)
	if most := c.mostArguments(); err == nil && len(args) > most {
		err = noArguments(c.name, args[most:])
	}
	if checked, ok := any(P(&flags)).(interface{ check() error }); ok && err == nil {
		err = checked.check()
	}
	if err != nil {
		return 0, err
	}
	return P(&flags).execute(env, args)
}

// mostArguments returns the maximum number of arguments other than flags, from the usage line.
func (c command) mostArguments() int {
	if strings.Contains(c.args, "...") {
		return math.MaxInt
	}
	words, _, _ := strings.Cut(c.args, "<")
	return len(strings.Fields(words))
}

// noFlags is the flag set of a command without flags.
type noFlags struct{}

func (*noFlags) declare(*flag.FlagSet) {}

func flagsOf[T any, P flagSet[T]](fs *flag.FlagSet) { P(new(T)).declare(fs) }

// parse parses a command's flags, which may come before, between and after the other arguments,
// and returns the other arguments.
func parse[T any, P flagSet[T]](c command, env *Env, args []string) (T, []string, error) {
	var flags T
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	P(&flags).declare(fs)
	if c.reads() {
		env.declareDirectories(fs)
	}
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return flags, nil, flagError(c.name, fs, err)
		}
		left := fs.Args()
		if len(left) == 0 {
			return flags, rest, nil
		}
		if consumed := len(args) - len(left); consumed > 0 && args[consumed-1] == "--" {
			return flags, append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

func flagError(name string, fs *flag.FlagSet, err error) error {
	if err == flag.ErrHelp {
		return errHelp
	}
	hint := "agent-hooks help " + name
	const undefined = "flag provided but not defined: -"
	if word, ok := strings.CutPrefix(err.Error(), undefined); ok {
		var names []string
		fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		return usagef(near.Hint(hint, "--%s", word, names), "%s: unknown flag --%s", name, word)
	}
	return usagef(hint, "%s: %v", name, err)
}

// eventArgument parses the name of an event.
func eventArgument(command, word string) (spec.EventType, error) {
	event := spec.EventType(word)
	if event.Valid() {
		return event, nil
	}
	hint := "agent-hooks events"
	if near, ok := near.Event(word); ok {
		hint = fmt.Sprintf("did you mean `agent-hooks %s %s`?", command, near)
	}
	return "", usagef(hint, "%s: unknown event %q", command, word)
}
