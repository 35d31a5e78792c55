#compdef agent-hooks
# zsh completion of agent-hooks: source <(agent-hooks completion zsh)
_agent_hooks() {
	local -a found
	found=("${(@f)$(command agent-hooks complete-words "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n $found ]]; then
		compadd -a found
	else
		_files
	fi
}
if [[ $funcstack[1] = _agent_hooks ]]; then
	_agent_hooks "$@"
else
	compdef _agent_hooks agent-hooks
fi
