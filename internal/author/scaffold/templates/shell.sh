@shebang@
# @description@
#
# The event is JSON on stdin. The exit status is the answer:
#   0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
#   2          block: @means@;
#              stderr is the reason
#   any other  a failure: metadata.on-failure in HOOK.md decides
@set@

# Every simple command that the shell would run, one per line, including those in
# pipes, $(...), sh -c, sudo and so on. Status 3: they cannot be determined.
status=0
commands=$("${AGENT_HOOKS_PROGRAM:-agent-hooks}" commands) || status=$?

# What to block: a program with one of its arguments.
if printf '%s\n' "$commands" | grep -E '^(\| )?([^ ]*/)?@program@ (.* )?@argument@( |$)' >/dev/null; then
	echo "@name@: @word@ is not for agents; ask the user" >&2
	exit 2
fi
if [ "$status" -ne 0 ]; then
	echo "@name@: the command cannot be parsed; write it more simply" >&2
	exit 2
fi

# No opinion: the agent's own permissions decide. Other answers, on stdout:
#   {"decision": "ask", "reason": "why"}   the user decides
#   {"decision": "allow"}                  nobody is asked
#   {"modified_input": {"command": "ls"}}  replaces the whole tool input
#   {"additional_context": "text"}         a message to the model
#   {"system_message": "text"}             a message to the user
# Use jq -n --arg for an answer with a part of the event, never echo.
