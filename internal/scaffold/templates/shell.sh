@shebang@
# @description@
#
# The event comes as JSON on stdin. The exit status is the answer:
#   0          go on; stdout may hold one JSON object: agent-hooks spec, 11.3
#   2          block: @means@;
#              stderr is the reason
#   any other  the hook has failed, and metadata.on-failure in HOOK.md decides
@set@

# Every simple command that the shell would run, one per line, also those in
# pipes, $(...), sh -c, sudo and so on. Status 3: it cannot be read for certain.
status=0
commands=$("${AGENT_HOOKS_PROGRAM:-agent-hooks}" commands) || status=$?

# What must not pass: a program and one of its words.
if printf '%s\n' "$commands" | grep -E '^(\| )?([^ ]*/)?@program@ (.* )?@argument@( |$)' >/dev/null; then
	echo "@name@: @word@ is not for agents; ask the user" >&2
	exit 2
fi
if [ "$status" -ne 0 ]; then
	echo "@name@: the command cannot be read for certain; write it more plainly" >&2
	exit 2
fi

# No opinion: the agent's own permissions decide. Other answers, on stdout:
#   {"decision": "ask", "reason": "why"}   the user decides
#   {"decision": "allow"}                  nobody is asked
#   {"modified_input": {"command": "ls"}}  the tool gets this whole input
#   {"additional_context": "text"}         a message to the model
#   {"system_message": "text"}             a message to the user
# Use jq -n --arg for an answer with a part of the event, never echo.
