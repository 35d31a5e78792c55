# bash completion of agent-hooks: source <(agent-hooks completion bash)
_agent_hooks() {
	local line
	COMPREPLY=()
	while IFS= read -r line; do
		COMPREPLY+=("$line")
	done < <(command agent-hooks complete-words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _agent_hooks agent-hooks
