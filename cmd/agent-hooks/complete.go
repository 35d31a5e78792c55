package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/examples"
	"github.com/agent-hooks/agent-hooks/internal/cases"
	"github.com/agent-hooks/agent-hooks/internal/locate"
	"github.com/agent-hooks/agent-hooks/internal/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// completeName is the command that the shells' completion scripts call. Its name and output may
// change together with the scripts.
const completeName = "complete-words"

// word is a possible word at a position of a command line, with its meaning.
type word struct{ text, meaning string }

// completeCommand is `agent-hooks complete-words WORD ...`: it prints the possible completions
// of the last word, which may be "". It reports no errors, because the user is typing.
func completeCommand(_ command, env *Env, args []string) (int, error) {
	env.Stderr = io.Discard
	for _, w := range completeWords(env, args) {
		line := w.text
		if w.meaning != "" {
			line += "\t" + term.CutTo(term.Cell(w.meaning), 60)
		}
		fmt.Fprintln(env.Stdout, line)
	}
	return spec.ExitContinue, nil
}

func completeWords(env *Env, args []string) []word {
	if len(args) == 0 {
		args = []string{""}
	}
	before, current := args[:len(args)-1], args[len(args)-1]
	if len(before) == 0 {
		return beginning(commandWords(), current)
	}
	i := slices.IndexFunc(commands(), func(c command) bool { return c.name == before[0] && !c.hidden })
	if i < 0 {
		return nil
	}
	l := &commandLine{env: env, command: commands()[i], flags: flag.NewFlagSet("", flag.ContinueOnError)}
	l.command.declare(env, l.flags)
	l.read(before[1:])
	return l.complete(current)
}

func beginning(words []word, prefix string) []word {
	return slices.DeleteFunc(words, func(w word) bool { return !strings.HasPrefix(w.text, prefix) })
}

// commandLine is the part of the command line before the current word.
type commandLine struct {
	env     *Env
	command command
	flags   *flag.FlagSet

	open       string   // the flag whose value comes next; "" if none
	positional []string // words that are neither flags nor their values
	project    string   // the value of --project
	onlyWords  bool     // after "--"
}

func (l *commandLine) read(words []string) {
	for _, w := range words {
		name, value, joined := strings.Cut(strings.TrimLeft(w, "-"), "=")
		switch {
		case w == "=" && l.open != "": // bash splits --flag=value into three words
		case l.open != "":
			l.set(l.open, w)
			l.open = ""
		case w == "--":
			l.onlyWords = true
		case l.onlyWords || !strings.HasPrefix(w, "-") || name == "":
			l.positional = append(l.positional, w)
		case joined:
			l.set(name, value)
		case l.takesValue(name):
			l.open = name
		}
	}
}

// set takes the value of a flag that selects the hooks.
func (l *commandLine) set(name, value string) {
	switch name {
	case "project":
		l.project = value
	case "config-dir", "state-dir":
		_ = l.flags.Set(name, value)
	}
}

func (l *commandLine) takesValue(name string) bool {
	f := l.flags.Lookup(name)
	if f == nil {
		return false
	}
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

func (l *commandLine) complete(current string) []word {
	name, value, joined := strings.Cut(strings.TrimLeft(current, "-"), "=")
	switch {
	case l.open != "" && current == "=":
		return l.words(l.open)
	case l.open != "":
		return beginning(l.words(l.open), current)
	case !strings.HasPrefix(current, "-") || l.onlyWords:
		return beginning(l.arguments(current), current)
	case joined:
		words := beginning(l.words(name), value)
		for i := range words {
			words[i].text = strings.TrimSuffix(current, value) + words[i].text
		}
		return words
	}
	var words []word
	l.flags.VisitAll(func(f *flag.Flag) {
		_, usage := flag.UnquoteUsage(f)
		words = append(words, word{"--" + f.Name, usage})
	})
	return beginning(words, current)
}

// words returns the words of a kind, such as the value of a flag with this name; none for any text
// or a path.
func (l *commandLine) words(kind string) []word {
	switch kind {
	case "trigger", "event":
		return eventWords()
	case "lang":
		return plainWords(scaffold.Languages())
	case "tool":
		return plainWords(scaffold.Tools())
	case "from":
		return exampleWords()
	case "hook":
		return l.hookWords()
	case "schema":
		return plainWords(spec.SchemaNames())
	case "shell":
		return plainWords(shells[:])
	case "command":
		return commandWords()
	}
	return nil
}

// arguments returns the possible values of the next argument, which begins with current.
func (l *commandLine) arguments(current string) []word {
	at, hook := len(l.positional), strings.Index(current, "/")
	switch name := l.command.name; {
	case name == "test" && hook >= 0:
		return l.caseWords(current[:hook])
	case name == "test", name == "validate":
		return l.hookWords()
	case name == "why" && at == 0:
		return append(l.hookWords(), eventWords()...)
	case name == "why" && at == 1 && !spec.EventType(l.positional[0]).Valid():
		return eventWords()
	case at == 0:
		return l.words(map[string]string{"run": "event", "watch": "event", "spec": "schema", "completion": "shell", "help": "command"}[name])
	}
	return nil
}

func plainWords(texts []string) []word {
	var words []word
	for _, text := range texts {
		words = append(words, word{text, ""})
	}
	return words
}

func commandWords() []word {
	var words []word
	for _, c := range commands() {
		if !c.hidden {
			words = append(words, word{c.name, c.summary})
		}
	}
	return words
}

func eventWords() []word {
	var words []word
	for _, info := range spec.Events() {
		words = append(words, word{string(info.Event), info.When})
	}
	return words
}

func exampleWords() []word {
	var words []word
	for _, name := range examples.Names() {
		hook, _ := examples.Find(name)
		words = append(words, word{name, hook.Description})
	}
	return words
}

// hookWords returns the hooks of user and project. Invalid names are omitted, because a shell
// could interpret them.
func (l *commandLine) hookWords() []word {
	hooks := l.env.load(projectFlags{project: l.project}, nil)
	var words []word
	for _, rows := range hooks.Table {
		for _, h := range rows {
			if scaffold.CheckName(h.Name) == nil {
				words = append(words, word{h.Name, h.Description})
			}
		}
	}
	slices.SortFunc(words, func(a, b word) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(words, func(a, b word) bool { return a.text == b.text })
}

// caseWords returns the test cases of the hooks with a name, as HOOK/CASE.
func (l *commandLine) caseWords(hook string) []word {
	hooks := l.env.load(projectFlags{project: l.project}, nil)
	var words []word
	for _, h := range locate.All(hooks.Table) {
		if h.Name != hook || scaffold.CheckName(hook) != nil {
			continue
		}
		all, _ := cases.Read(h)
		for _, c := range all {
			w := word{hook + "/" + c.Name, c.Description}
			had := slices.ContainsFunc(words, func(o word) bool { return o.text == w.text }) // from the hook of the other scope
			if shellWord(c.Name) == c.Name && !had {
				words = append(words, w)
			}
		}
	}
	return words
}

func visibleCommands() []string {
	var names []string
	for _, w := range commandWords() {
		names = append(names, w.text)
	}
	return names
}
