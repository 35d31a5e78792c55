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
		default:
			open = flags.Lookup(name)
			if open != nil && placeholder(open) == "" {
				open = nil
			}
		}
	}
	switch {
	case open != nil:
		return env.names(placeholder(open), "")
	case strings.HasPrefix(current, "-"):
		flags.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
		return names
	}
	return env.arguments(c, positional, current)
}

// placeholder returns the name of a flag's value in its usage; "" for a flag without a value.
func placeholder(f *flag.Flag) string {
	value, _ := flag.UnquoteUsage(f)
	return value
}

// arguments returns the possible values of an argument, by the command's usage line.
func (env *Env) arguments(c command, at int, current string) []string {
	usage, _, _ := strings.Cut(c.args, "<")
	fields := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(usage))
	if last := slices.Index(fields, "..."); last > 0 {
		at = min(at, last-1)
	}
	if at >= len(fields) {
		return nil
	}
	names := env.names(fields[at], current)
	if at+1 < len(fields) && strings.HasPrefix(usage, "["+fields[at]+"] ") { // may be omitted
		names = append(names, env.names(fields[at+1], current)...)
	}
	return names
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
			if isCase == (kind == "HOOK/CASE") {
				names = append(names, env.hookNames(hook, isCase)...)
			}
		case "EXAMPLE":
			names = append(names, examples.Names()...)
		case "COMMAND":
			names = append(names, commandNames()...)
		case "AGENT":
			names = append(names, agent.Names()...)
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

// hookNames returns the hooks of user and project, or the test cases of those with a name. Names
// that a shell could interpret are omitted.
func (env *Env) hookNames(name string, theirCases bool) (names []string) {
	for _, h := range suite.All(env.load(nil).Table) {
		switch {
		case shellWord(h.Folder) != h.Folder || strings.ContainsAny(h.Folder[:1], "-~"):
		case !theirCases:
			names = append(names, h.Folder)
		case h.Folder == name:
			all, _ := cases.Read(h)
			for _, c := range all {
				if shellWord(c.Name) == c.Name {
					names = append(names, name+"/"+c.Name)
				}
			}
		}
	}
	return names
}

// shells are the shells that completion supports.
var shells = [...]string{"bash", "zsh", "fish"}

// completion contains their scripts, which use each line literally. In particular, they do not use
// bash's compgen -W, which would expand and run code in a repository's file names.
//
//go:embed completion
var completion embed.FS

type completionFlags struct{ noFlags }

// execute prints a script that gets the words from this program, so that they always
// match the installed program and the existing hooks.
func (completionFlags) execute(env *Env, args []string) (int, error) {
	shell := strings.Join(args, "")
	if !slices.Contains(shells[:], shell) {
		return 0, usagef("agent-hooks completion "+strings.Join(shells[:], "|"), "completion: unknown shell %q", shell)
	}
	script, err := completion.ReadFile("completion/agent-hooks." + shell)
	if err != nil {
		return 0, err
	}
	return spec.ExitContinue, env.print(string(script))
}
