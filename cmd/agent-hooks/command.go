package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/setup/install"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// command is one entry of the command table.
type command struct {
	name    string
	args    string // for the usage line, and for completion
	summary string
	about   string     // only for help: paragraphs below the summary; {agents} becomes the agents' names
	columns [][]string // only for help: the columns of its output, and their meaning
	action  func() action
	group   group
}

// group is a part of the overview; the zero group is not shown.
type group string

const (
	useGroup      group = "Use hooks in your agents"
	writeGroup    group = "Write hooks"
	shareGroup    group = "Share hooks"
	buildGroup    group = "Build an agent"
	plumbingGroup group = "Also" // one line of names
)

// action is a command with its flags.
type action interface {
	declare(*flag.FlagSet)
	execute(env *Env, args []string) (status int, err error)
}

// of returns a new action of a type.
func of[T any, P interface {
	*T
	action
}]() action {
	return P(new(T))
}

// commands returns the command table, in the order of help. It is a function, so that no
// package variable needs initialization.
func commands() []command {
	return []command{
		{group: useGroup, name: "setup", args: "[AGENT ...]", summary: "add guards, and let the agents on this machine call them", about: setupAbout, action: of[setupFlags]},
		{group: useGroup, name: "install", args: "AGENT ... | --all", summary: "configure coding agents to call agent-hooks", about: installAbout, action: of[installFlags]},
		{group: useGroup, name: "uninstall", args: "AGENT ... | --all", summary: "remove the entries that install wrote", action: of[uninstallFlags]},
		{group: useGroup, name: "doctor", args: "[AGENT ...]", summary: "check that agents call agent-hooks and that the calls work", about: doctorAbout, action: of[doctorFlags]},
		{group: useGroup, name: "import", args: "AGENT [FILE ...]", summary: "convert the hooks in an agent's settings", about: importAbout, action: of[importFlags]},
		{group: useGroup, name: "list", summary: "list the hooks of each event in the order they run", action: of[listFlags]},
		{group: useGroup, name: "pause", args: "HOOK", summary: "switch off one of your hooks for a time", about: pauseAbout, action: of[pauseFlags]},
		{group: useGroup, name: "log", summary: "show past runs of hooks, newest last, or count them", about: logAbout, columns: summaryColumns(), action: of[logFlags]},
		{group: writeGroup, name: "new", args: "[NAME] | --from EXAMPLE ...", summary: "create a hook with test cases", action: of[newFlags]},
		{group: writeGroup, name: "validate", args: "[HOOK|PATH ...]", summary: "check hooks and report every problem", action: of[validateFlags]},
		{group: writeGroup, name: "why", args: "[HOOK] EVENT < ctx.json | --command TEXT", summary: "show which hooks would run, and why the others would not run", about: whyAbout, action: of[whyFlags]},
		{group: writeGroup, name: "test", args: "[HOOK|HOOK/CASE|PATH ...]", summary: "run the hooks' test cases", about: testAbout, action: of[testFlags]},
		{group: writeGroup, name: "watch", args: "[EVENT < ctx.json]", summary: "check each changed hook, and run it on its test cases and the event", about: watchAbout, action: of[watchFlags]},
		{group: writeGroup, name: "replay", args: "[--from AGENT|FILE ...]", summary: "show what the hooks would have done in past sessions of your agents", about: replayAbout, action: of[replayFlags]},
		{group: shareGroup, name: "add", args: "SOURCE [HOOK ...]", summary: "review and install hooks from a folder or a git repository", about: addAbout, action: of[addFlags]},
		{group: shareGroup, name: "update", args: "[HOOK ...]", summary: "review and install what changed in the sources of hooks", about: updateAbout, action: of[updateFlags]},
		{group: shareGroup, name: "remove", args: "HOOK ...", summary: "remove hooks that add installed", action: of[removeFlags]},
		{group: shareGroup, name: "trust", args: "[HOOK ...]", summary: "review a project's hooks so that agents run them; --remove ends that", action: of[trustFlags]},
		{group: buildGroup, name: "run", args: "EVENT < ctx.json", summary: "run the hooks of an event and print the answer", about: runAbout, action: of[runFlags]},
		{group: plumbingGroup, name: "serve", summary: "serve a long-running host with JSON-RPC on stdin and stdout", about: serveAbout, action: of[serveFlags]},
		{group: plumbingGroup, name: "prompt", summary: "print the active hooks for an agent's system prompt", about: promptAbout, action: of[promptFlags]},
		{group: plumbingGroup, name: "commands", args: "< ctx.json", summary: "list the simple commands that a shell command runs, for hook scripts", about: commandsAbout, action: of[commandsFlags]},
		{group: plumbingGroup, name: "field", args: "KEY [TEXT] < ctx.json", summary: "print a text of the event, or an answer with a text, for hook scripts", about: fieldAbout, action: of[fieldFlags]},
		{group: plumbingGroup, name: "judge", args: "FILE < ctx.json", summary: "put a question about an event to a model, for hook scripts", about: judgeAbout, action: of[judgeFlags]},
		{group: plumbingGroup, name: "events", summary: "list the events of the format", action: of[eventsFlags]},
		{group: plumbingGroup, name: "spec", args: "[DOCUMENT|SCHEMA]", summary: "print the specification, one of its documents or of its JSON Schemas", action: of[specFlags]},
		{group: plumbingGroup, name: "version", summary: "print the version", action: of[versionFlags]},
		{group: plumbingGroup, name: "completion", args: "bash|zsh|fish", summary: "print a shell's completion script", action: of[completionFlags]},
		{group: plumbingGroup, name: "help", args: "[COMMAND]", summary: "show this help or the help of a command", action: of[helpFlags]},
		{name: manualName, action: of[manualFlags]},
		{name: completeName, args: "[WORD ...]", action: of[completeFlags]},
		{name: superviseName, action: of[superviseFlags]},
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
	if strings.HasPrefix(name, "-") {
		return command{}, usagef("agent-hooks COMMAND "+name, "%q comes after the command", name)
	}
	return command{}, usagef(shown.Hint("agent-hooks help", "`agent-hooks %s`", name, commandNames()), "unknown command %q", name)
}

// run parses and checks a command's flags, and executes it.
func (c command) run(env *Env, args []string) (int, error) {
	if c.name == completeName {
		args = append([]string{"--"}, args...)
	}
	a := c.action()
	args, err := c.parse(env, a, args)
	if limit := c.maxArguments(); err == nil && len(args) > limit {
		err = noArguments(c.name, args[limit:])
	}
	if checked, ok := a.(interface{ check() error }); ok && err == nil {
		err = checked.check()
	}
	if err != nil {
		return 0, err
	}
	if env.leave != nil && slices.Contains([]group{useGroup, writeGroup, shareGroup}, c.group) { // git, a shell, an agent: never the project's (D101)
		env.leave(env.options(nil).Outside())
	}
	return a.execute(env, args)
}

// maxArguments returns the maximum number of arguments other than flags, from the usage line.
func (c command) maxArguments() int {
	if strings.Contains(c.args, "...") {
		return math.MaxInt
	}
	words, _, _ := strings.Cut(c.args, "<")
	return len(strings.Fields(words))
}

// noFlags is the flag set of a command without flags.
type noFlags struct{}

func (*noFlags) declare(*flag.FlagSet) {}

// flags declares a command's own flags.
func (c command) flags(env *Env, a action) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	a.declare(fs)
	if slices.Contains([]string{"run", "serve", "prompt", "list", "why", "test", "watch"}, c.name) {
		fs.BoolVar(&env.requireTrust, "require-trust", false, "run only project hooks that you have reviewed with agent-hooks trust")
	}
	return fs
}

// parse parses a command's flags, which may come before, between and after the other arguments,
// and returns the other arguments.
func (c command) parse(env *Env, a action, args []string) (rest []string, err error) {
	fs := c.flags(env, a)
	env.declareDirectories(fs)
	for {
		if err := fs.Parse(args); err != nil {
			return nil, flagError(c.name, fs, args, err)
		}
		if strings.HasPrefix(env.project, "-") && c.name != "run" && c.name != "serve" { // these run the user's hooks all the same
			return nil, usagef("to choose a scope: --scope project", "%s: --project takes a directory, and %s is an option", c.name, env.project)
		}
		left := fs.Args()
		if len(left) == 0 {
			return rest, nil
		}
		if consumed := len(args) - len(left); consumed > 0 && args[consumed-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// flagError returns the usage error for err, with which fs rejected args.
func flagError(name string, fs *flag.FlagSet, args []string, err error) error {
	if err == flag.ErrHelp {
		return errHelp
	}
	hint := "agent-hooks help " + name
	last := len(args) - fs.NArg() - 1 // the rejected flag, or its value
	if last < 0 {
		return usagef(hint, "%s: %v", name, err)
	}
	word, _, _ := strings.Cut(strings.TrimLeft(args[last], "-"), "=")
	if fs.Lookup(word) != nil || fs.Parse(args[:last]) != nil {
		return usagef(hint, "%s: %v", name, err)
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return usagef(shown.Hint(hint, "--%s", word, names), "%s: unknown flag --%s", name, word)
}

// eventArgument parses the name of an event.
func eventArgument(command, word string) (spec.EventType, error) {
	event := spec.EventType(word)
	if event.Valid() {
		return event, nil
	}
	hint := "agent-hooks events"
	if near, ok := shown.NearEvent(word); ok {
		hint = fmt.Sprintf("did you mean `agent-hooks %s %s`?", command, near)
	}
	return "", usagef(hint, "%s: unknown event %q", command, word)
}

func noArguments(command string, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("agent-hooks help "+command, "%s: unexpected argument %q", command, args[0])
}

// unknownAgent returns the error that no agent has the name. format is the form of a suggestion.
func unknownAgent(command, name, format string) error {
	hint := "known agents: " + strings.Join(install.Names(), ", ")
	if near, ok := install.Nearest(name); ok {
		hint = "did you mean " + fmt.Sprintf(format, near) + "?"
	}
	return usagef(hint, "%s: unknown agent %q", command, name)
}
