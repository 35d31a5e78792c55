package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

func completionCommand(env *Env, args []string) (int, error) {
	_, args, err := parse[noFlags]("completion", args)
	if err != nil {
		return 0, err
	}
	if len(args) != 1 {
		return 0, usagef("agent-hooks completion bash|zsh|fish", "completion: name one shell")
	}
	script, ok := map[string]func() string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[args[0]]
	if !ok {
		return 0, usagef("agent-hooks completion bash|zsh|fish", "completion: unknown shell %q", args[0])
	}
	_, err = fmt.Fprint(env.Stdout, script())
	return spec.ExitContinue, err
}

// completions returns the words that may follow a command.
func completions(c command) []string {
	var words []string
	switch c.name {
	case "run", "watch", "why":
		for _, e := range spec.Events() {
			words = append(words, string(e.Event))
		}
	case "spec":
		words = spec.SchemaNames()
	case "completion":
		words = []string{"bash", "zsh", "fish"}
	case "help":
		words = visibleCommands()
	}
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.flags(fs)
	fs.VisitAll(func(f *flag.Flag) { words = append(words, "--"+f.Name) })
	return words
}

func visibleCommands() []string {
	var names []string
	for _, c := range commands() {
		if !c.hidden {
			names = append(names, c.name)
		}
	}
	return names
}

// caseLines renders one line for each command whose words are known.
func caseLines(format string) string {
	var b strings.Builder
	for _, c := range commands() {
		if words := completions(c); !c.hidden && len(words) > 0 {
			fmt.Fprintf(&b, format, c.name, strings.Join(words, " "))
		}
	}
	return b.String()
}

func bashCompletion() string {
	return fmt.Sprintf(`# bash completion of agent-hooks: source <(agent-hooks completion bash)
_agent_hooks() {
	local words="" current="${COMP_WORDS[COMP_CWORD]}"
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		words="%s"
	else
		case "${COMP_WORDS[1]}" in
%s		esac
	fi
	COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _agent_hooks agent-hooks
`, strings.Join(visibleCommands(), " "), caseLines("\t\t%s) words=\"%s\" ;;\n"))
}

func zshCompletion() string {
	return fmt.Sprintf(`#compdef agent-hooks
# zsh completion of agent-hooks: source <(agent-hooks completion zsh)
_agent_hooks() {
	local -a words_
	if (( CURRENT == 2 )); then
		words_=(%s)
	else
		case "$words[2]" in
%s		esac
	fi
	compadd -- $words_
	_files
}
compdef _agent_hooks agent-hooks
`, strings.Join(visibleCommands(), " "), caseLines("\t\t%s) words_=(%s) ;;\n"))
}

func fishCompletion() string {
	var b strings.Builder
	b.WriteString("# fish completion of agent-hooks: agent-hooks completion fish | source\n")
	for _, c := range commands() {
		if c.hidden {
			continue
		}
		fmt.Fprintf(&b, "complete -c agent-hooks -n __fish_use_subcommand -a %s -d '%s'\n", c.name, strings.ReplaceAll(c.summary, "'", `\'`))
		for _, word := range completions(c) {
			if flagName, ok := strings.CutPrefix(word, "--"); ok {
				fmt.Fprintf(&b, "complete -c agent-hooks -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, flagName)
				continue
			}
			fmt.Fprintf(&b, "complete -c agent-hooks -n '__fish_seen_subcommand_from %s' -a %s\n", c.name, word)
		}
	}
	return b.String()
}
