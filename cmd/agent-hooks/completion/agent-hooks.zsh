#compdef agent-hooks
# zsh completion of agent-hooks: source <(agent-hooks completion zsh)
_agent_hooks() {
	local line word
	local -a found
	for line in "${(@f)$(command agent-hooks complete-words "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
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
