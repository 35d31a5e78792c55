package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// command is one entry of the command table.
type command struct {
	name    string
	args    string // for the usage line
	summary string
	about   string     // only for help: paragraphs below the summary
	columns [][]string // only for help: the columns of its output, and their meaning
	run     func(env *Env, args []string) (status int, err error)
	flags   func(*flag.FlagSet) // declares the flags, for help and completion
	hidden  bool
}

// reads reports whether the command reads hooks or state, so that it accepts --config-dir and
// --state-dir.
func (c command) reads() bool {
	return !slices.Contains([]string{"events", "spec", "version", "completion", "help", "commands"}, c.name)
}

// declare declares all flags of the command, for help and completion.
func (c command) declare(fs *flag.FlagSet) {
	c.flags(fs)
	if c.reads() {
		declareDirectories(fs)
	}
}

// commands returns the command table, in the order of help. It is a function, so that no
// package variable needs initialisation.
func commands() []command {
	return []command{
		{name: "run", args: "EVENT < ctx.json", summary: "run the hooks that an event concerns, and answer", run: runCommand, flags: flagsOf[runFlags]},
		{name: "validate", args: "[HOOK|PATH ...]", summary: "check hooks and name every problem in them", run: validateCommand, flags: flagsOf[validateFlags]},
		{name: "list", summary: "show the hooks of each event in the order in which they run", run: listCommand, flags: flagsOf[listFlags]},
		{name: "why", args: "[HOOK] EVENT < ctx.json", summary: "show which hooks would run, and why the others would not", run: whyCommand, flags: flagsOf[whyFlags]},
		{name: "new", args: "[NAME]", summary: "write a new hook, with its test cases", run: newCommand, flags: flagsOf[newFlags]},
		{name: "test", args: "[HOOK|HOOK/CASE|PATH ...]", summary: "run the hooks' own test cases", about: testAbout, run: testCommand, flags: flagsOf[testFlags]},
		{name: "watch", args: "[EVENT < ctx.json]", summary: "report each change in the hooks, and run a changed hook on its test cases and the event", about: watchAbout, run: watchCommand, flags: flagsOf[watchFlags]},
		{name: "record", summary: "say whether run records events, and switch that on or off", run: recordCommand, flags: flagsOf[recordFlags]},
		{name: "replay", args: "[DIR]", summary: "run the hooks on recorded events, and show what they would say now; 1 if anything changed", run: replayCommand, flags: flagsOf[replayFlags]},
		{name: "install", args: "AGENT ... | --all", summary: "let coding agents call agent-hooks", about: installAbout, run: installCommand, flags: flagsOf[installFlags]},
		{name: "uninstall", args: "AGENT ... | --all", summary: "remove what install wrote", run: uninstallCommand, flags: flagsOf[uninstallFlags]},
		{name: "import", args: "AGENT [FILE ...]", summary: "make hooks of those in an agent's settings", about: importAbout, run: importCommand, flags: flagsOf[importFlags]},
		{name: "doctor", args: "[AGENT ...]", summary: "check that agents call agent-hooks, and that it works", about: doctorAbout, run: doctorCommand, flags: flagsOf[doctorFlags]},
		{name: "trust", args: "[DIR]", summary: "review a project's hooks, so that run --require-trust runs them", run: trustCommand, flags: flagsOf[trustFlags]},
		{name: "untrust", args: "[DIR]", summary: "end the trust in a project's hooks", run: untrustCommand, flags: flagsOf[untrustFlags]},
		{name: "log", summary: "show what hooks did, the newest last", run: logCommand, flags: flagsOf[logFlags]},
		{name: "stats", summary: "sum up what each hook did, and how long it took", about: statsAbout, columns: statsColumns(), run: statsCommand, flags: flagsOf[statsFlags]},
		{name: "prompt", summary: "print the hooks that run, for an agent's system prompt", about: promptAbout, run: promptCommand, flags: flagsOf[promptFlags]},
		{name: "commands", args: "< ctx.json", summary: "list the simple commands that a shell would run, for hook scripts", about: commandsAbout, run: commandsCommand, flags: flagsOf[commandsFlags]},
		{name: "serve", summary: "answer requests for as long as a host runs, as JSON-RPC on stdin and stdout", about: serveAbout, run: serveCommand, flags: flagsOf[serveFlags]},
		{name: "events", summary: "show the events of the format", run: eventsCommand, flags: flagsOf[eventsFlags]},
		{name: "spec", args: "[hook|event|answer|case|rpc]", summary: "print the format's text, or one of its JSON Schemas", run: specCommand, flags: flagsOf[specFlags]},
		{name: "version", summary: "print the version", run: versionCommand, flags: flagsOf[versionFlags]},
		{name: "completion", args: "bash|zsh|fish", summary: "print a shell's completion script", run: completionCommand, flags: flagsOf[noFlags]},
		{name: "help", args: "[COMMAND]", summary: "show this help, or that of a command", run: helpCommand, flags: flagsOf[noFlags]},
		{name: completeName, run: completeCommand, flags: flagsOf[noFlags], hidden: true},
		{name: superviseName, run: superviseCommand, flags: flagsOf[noFlags], hidden: true},
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
	hint := "agent-hooks help"
	if near, ok := spec.Nearest(name, visibleCommands()); ok {
		hint = fmt.Sprintf("did you mean `agent-hooks %s`?", near)
	}
	return command{}, usagef(hint, "unknown command %q", name)
}

// flagSet is implemented by the flags of each command.
type flagSet[T any] interface {
	*T
	declare(*flag.FlagSet)
}

// noFlags is the flag set of a command without flags.
type noFlags struct{}

func (*noFlags) declare(*flag.FlagSet) {}

func flagsOf[T any, P flagSet[T]](fs *flag.FlagSet) { P(new(T)).declare(fs) }

// parse parses a command's flags, which may come before, between and after the other arguments,
// and returns the other arguments.
func parse[T any, P flagSet[T]](name string, args []string) (T, []string, error) {
	var flags T
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	P(&flags).declare(fs)
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return flags, nil, flagError(name, fs, err)
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

// parseFlags parses the flags of a command that takes no other arguments.
func parseFlags[T any, P flagSet[T]](name string, args []string) (T, error) {
	flags, rest, err := parse[T, P](name, args)
	if err == nil {
		err = noArguments(name, rest)
	}
	return flags, err
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
		if near, ok := spec.Nearest(word, names); ok {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
		return usagef(hint, "%s: unknown flag --%s", name, word)
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
	if near, ok := spec.NearestEvent(word); ok {
		hint = fmt.Sprintf("did you mean `agent-hooks %s %s`?", command, near)
	}
	return "", usagef(hint, "%s: unknown event %q", command, word)
}
