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
	"github.com/agent-hooks/agent-hooks/internal/author/locate"
	"github.com/agent-hooks/agent-hooks/internal/author/scaffold"
	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

// completeName is the command that the completion scripts call. Its name and output may change
// together with the scripts.
const completeName = "complete-words"

type completeFlags struct{ noFlags }

// execute is `agent-hooks complete-words WORD ...`: it prints the possible completions of the
// last word, which may be "". It reports no errors, because the user is typing.
func (completeFlags) execute(env *Env, args []string) (int, error) {
	env.Stderr = io.Discard
	if len(args) == 0 {
		args = []string{""}
	}
	printed := map[string]bool{}
	for _, w := range env.complete(args[:len(args)-1], args[len(args)-1]) {
		if printed[w.text] { // a hook of both scopes
			continue
		}
		printed[w.text] = true
		line := w.text
		if w.meaning != "" {
			line += "\t" + term.CutTo(term.Cell(w.meaning), 60)
		}
		fmt.Fprintln(env.Stdout, line)
	}
	return spec.ExitContinue, nil
}

// word is a possible word at a position of a command line, with its meaning.
type word struct{ text, meaning string }

// complete returns the possible words that begin with current, after other words.
func (env *Env) complete(before []string, current string) []word {
	if len(before) == 0 {
		return beginning(commandWords(), current)
	}
	i := slices.IndexFunc(commands(), func(c command) bool { return c.name == before[0] && c.group != "" })
	if i < 0 {
		return nil
	}
	c := commands()[i]
	l := &commandLine{env: env, command: c, flags: c.flags(env, c.action())}
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
		case l.placeholder(name) != "":
			l.open = name
		}
	}
}

// set sets a flag.
func (l *commandLine) set(name, value string) {
	if name == "project" {
		l.project = value
	}
	_ = l.flags.Set(name, value)
}

// placeholder returns the name of a flag's value in its usage; "" for a flag without a value.
func (l *commandLine) placeholder(name string) string {
	f := l.flags.Lookup(name)
	if f == nil {
		return ""
	}
	value, _ := flag.UnquoteUsage(f)
	return value
}

func (l *commandLine) complete(current string) []word {
	name, value, joined := strings.Cut(strings.TrimLeft(current, "-"), "=")
	var words []word
	switch {
	case l.open != "":
		return beginning(l.words(l.placeholder(l.open), ""), strings.TrimPrefix(current, "="))
	case !strings.HasPrefix(current, "-") || l.onlyWords:
		words = l.arguments(current)
	case joined:
		words = l.words(l.placeholder(name), "")
		for i := range words {
			words[i].text = strings.TrimSuffix(current, value) + words[i].text
		}
	default:
		l.flags.VisitAll(func(f *flag.Flag) {
			_, usage := flag.UnquoteUsage(f)
			words = append(words, word{"--" + f.Name, usage})
		})
	}
	return beginning(words, current)
}

// arguments returns the possible values of the next argument, by the command's usage line.
func (l *commandLine) arguments(current string) []word {
	usage, _, _ := strings.Cut(l.command.args, "<")
	fields := strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(usage))
	at := len(l.positional)
	if last := slices.Index(fields, "..."); last > 0 {
		at = min(at, last-1)
	}
	if at >= len(fields) || at > 0 && spec.EventType(l.positional[0]).Valid() {
		return nil
	}
	words := l.words(fields[at], current)
	if at+1 < len(fields) && strings.HasPrefix(usage, "["+fields[at]+"] ") { // may be omitted
		words = append(words, l.words(fields[at+1], current)...)
	}
	return words
}

// words returns the words for a placeholder, which may contain alternatives; none for any text or a
// path.
func (l *commandLine) words(placeholder, current string) (words []word) {
	for kind := range strings.SplitSeq(placeholder, "|") {
		switch kind {
		case "EVENT":
			for _, info := range spec.Events() {
				words = append(words, word{string(info.Event), info.When})
			}
		case "HOOK", "HOOK/CASE":
			hook, _, isCase := strings.Cut(current, "/")
			if isCase == (kind == "HOOK/CASE") {
				words = append(words, l.hookWords(hook, isCase)...)
			}
		case "EXAMPLE":
			for _, name := range examples.Names() {
				hook, _ := examples.Find(name)
				words = append(words, word{name, hook.Description})
			}
		case "COMMAND":
			words = append(words, commandWords()...)
		case "AGENT":
			words = append(words, plainWords(agent.Names())...)
		case "TOOL":
			words = append(words, plainWords(scaffold.Tools())...)
		default:
			if kind == strings.ToLower(kind) {
				words = append(words, word{kind, ""})
			}
		}
	}
	return words
}

func plainWords(texts []string) (words []word) {
	for _, text := range texts {
		words = append(words, word{text, ""})
	}
	return words
}

func commandWords() (words []word) {
	for _, c := range commands() {
		if c.group != "" {
			words = append(words, word{c.name, c.summary})
		}
	}
	return words
}

// hookWords returns the hooks of user and project, or the test cases of those with a name. Names
// that a shell could interpret are omitted.
func (l *commandLine) hookWords(name string, theirCases bool) (words []word) {
	for _, h := range locate.All(l.env.load(projectFlags{project: l.project}, nil).Table) {
		switch {
		case shellWord(h.Folder) != h.Folder || strings.ContainsAny(h.Folder[:1], "-~"):
		case !theirCases:
			words = append(words, word{h.Folder, h.Description})
		case h.Folder == name:
			all, _ := cases.Read(h)
			for _, c := range all {
				if shellWord(c.Name) == c.Name {
					words = append(words, word{name + "/" + c.Name, c.Description})
				}
			}
		}
	}
	return words
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
