# fish completion of agent-hooks: agent-hooks completion fish | source
function __agent_hooks_words
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	command agent-hooks complete-words $words[2..] "$current" 2>/dev/null
end
complete -c agent-hooks -f -n 'count (__agent_hooks_words) >/dev/null' -a '(__agent_hooks_words)'
