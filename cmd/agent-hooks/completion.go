package main

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// shells are the shells that completion supports.
var shells = [...]string{"bash", "zsh", "fish"}

type completionFlags struct{ noFlags }

// execute prints a script that gets the words from this program, so that they always
// match the installed program and the existing hooks.
func (completionFlags) execute(env *Env, args []string) (int, error) {
	shell := strings.Join(args, "")
	script, ok := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[shell]
	if !ok {
		return 0, usagef("agent-hooks completion "+strings.Join(shells[:], "|"), "completion: unknown shell %q", shell)
	}
	return spec.ExitContinue, env.print(script)
}

// The scripts use each line literally. In particular, they do not use bash's compgen -W, which
// would expand and run code in a repository's file names.

const bashCompletion = `# bash completion of agent-hooks: source <(agent-hooks completion bash)
_agent_hooks() {
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		COMPREPLY+=("${line%%$'\t'*}")
	done < <(command agent-hooks ` + completeName + ` "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _agent_hooks agent-hooks
`

const zshCompletion = `#compdef agent-hooks
# zsh completion of agent-hooks: source <(agent-hooks completion zsh)
_agent_hooks() {
	local line word
	local -a found
	for line in "${(@f)$(command agent-hooks ` + completeName + ` "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		[[ -n $line ]] || continue
		word=${${line%%$'\t'*}//:/\\:}
		[[ $line = *$'\t'* ]] && word+=":${line#*$'\t'}"
		found+=("$word")
	done
	if (( $#found )); then
		_describe agent-hooks found
	else
		_files
	fi
}
if [[ $funcstack[1] = _agent_hooks ]]; then
	_agent_hooks "$@"
else
	compdef _agent_hooks agent-hooks
fi
`

const fishCompletion = `# fish completion of agent-hooks: agent-hooks completion fish | source
function __agent_hooks_words
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	command agent-hooks ` + completeName + ` $words[2..] "$current" 2>/dev/null
end
complete -c agent-hooks -f -n 'count (__agent_hooks_words) >/dev/null' -a '(__agent_hooks_words)'
`
