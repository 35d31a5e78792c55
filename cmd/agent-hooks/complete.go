package main

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/author/suite"
	"github.com/agent-hooks/agent-hooks/spec"
)

// completeName is the command that the completion scripts call. Its name and output may change
// together with the scripts.
const completeName = "complete-words"

type completeFlags struct{ noFlags }

// execute is `agent-hooks complete-words WORD ...`: it prints the names that may be the last word,
// which may be "". It reports no errors, because the user is typing.
func (completeFlags) execute(env *Env, args []string) (int, error) {
	env.Stderr = io.Discard
	if len(args) == 0 {
		args = []string{""}
	}
	last := len(args) - 1
	names := slices.DeleteFunc(env.complete(args[:last], args[last]), func(name string) bool { return !strings.HasPrefix(name, args[last]) })
	slices.Sort(names) // a hook of both scopes is there twice
	for _, name := range slices.Compact(names) {
		fmt.Fprintln(env.Stdout, name)
	}
	return spec.ExitContinue, nil
}

// complete returns the names that may follow other words.
func (env *Env) complete(before []string, current string) (names []string) {
	if len(before) == 0 {
		return commandNames()
	}
	i := slices.IndexFunc(commands(), func(c command) bool { return c.name == before[0] && c.group != "" })
	if i < 0 {
		return nil
	}
	c := commands()[i]
	flags := c.flags(env, c.action())
	env.declareDirectories(flags)
	open, positional := (*flag.Flag)(nil), 0 // the flag whose value comes next
	for _, word := range before[1:] {
		name := strings.TrimLeft(word, "-")
		switch {
		case open != nil:
			_ = flags.Set(open.Name, word) // --project
			open = nil
		case name == word:
			positional++
		case flags.Lookup(name) != nil && placeholder(flags.Lookup(name)) != "":
			open = flags.Lookup(name)
		}
	}
	switch {
	case open != nil:
		return env.names(placeholder(open), "")
	case strings.HasPrefix(current, "-"):
		flags.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
		return names
	}
	// The possible values of an argument are those of the command's usage line.
	usage, _, _ := strings.Cut(c.args, "<")
	fields := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(usage))
	if last := slices.Index(fields, "..."); last > 0 {
		positional = min(positional, last-1)
	}
	if positional >= len(fields) {
		return nil
	}
	names = env.names(fields[positional], current)
	if positional+1 < len(fields) && strings.HasPrefix(usage, "["+fields[positional]+"] ") { // may be omitted
		names = append(names, env.names(fields[positional+1], current)...)
	}
	return names
}

// placeholder returns the name of a flag's value in its usage; "" for a flag without a value.
func placeholder(f *flag.Flag) string {
	value, _ := flag.UnquoteUsage(f)
	return value
}

// names returns the names for a placeholder, which may contain alternatives; none for any text or a
// path.
func (env *Env) names(placeholder, current string) (names []string) {
	for kind := range strings.SplitSeq(placeholder, "|") {
		switch kind {
		case "EVENT":
			for _, info := range spec.Events() {
				names = append(names, string(info.Event))
			}
		case "HOOK", "HOOK/CASE":
			hook, _, isCase := strings.Cut(current, "/")
			if isCase != (kind == "HOOK/CASE") {
				continue
			}
			for _, h := range suite.All(env.load(nil).Table) {
				switch { // names that a shell could interpret are omitted
				case shellWord(h.Folder) != h.Folder || strings.ContainsAny(h.Folder[:1], "-~"):
				case !isCase:
					names = append(names, h.Folder)
				case h.Folder == hook:
					all, _ := cases.Read(h)
					for _, c := range all {
						if shellWord(c.Name) == c.Name {
							names = append(names, hook+"/"+c.Name)
						}
					}
				}
			}
		case "EXAMPLE":
			names = append(names, examples.Names()...)
		case "COMMAND":
			names = append(names, commandNames()...)
		case "AGENT":
			names = append(names, agent.Names()...)
		case "DOCUMENT":
			names = append(names, spec.DocumentNames()...)
		case "SCHEMA":
			names = append(append(names, spec.SchemaNames()...), toolNames)
		case "TOOL":
			names = append(names, scaffold.Tools()...)
		default:
			if kind == strings.ToLower(kind) {
				names = append(names, kind)
			}
		}
	}
	return names
}

func commandNames() (names []string) {
	for _, c := range commands() {
		if c.group != "" {
			names = append(names, c.name)
		}
	}
	return names
}

// completion contains the scripts of shells, which use each line literally. In particular, they do not use
// bash's compgen -W, which would expand and run code in a repository's file names.
//
//go:embed completion
var completion embed.FS

type completionFlags struct{ noFlags }

// execute prints a script that gets the words from this program, so that they always
// match the installed program and the existing hooks.
func (completionFlags) execute(env *Env, args []string) (int, error) {
	script, err := completion.ReadFile("completion/agent-hooks." + strings.Join(args, ""))
	if err != nil {
		return 0, usagef("agent-hooks completion bash|zsh|fish", "completion: unknown shell %q", strings.Join(args, ""))
	}
	return spec.ExitContinue, env.print(string(script))
}
