@shebang@
@if refuse
# The matcher in HOOK.md selects the calls, and this script blocks them. Exit
# status 2 blocks, with stderr as the reason; 0 lets the call pass; any other
# status is a failure, which metadata.on-failure in HOOK.md decides. To inspect
# the call, read it as JSON from stdin: tool_input has command, file_path and
# file_paths (every path, also those in a patch), whatever the agent calls them.
# Without --pattern, `agent-hooks new` writes a script that reads it.
echo "this call is not for agents; ask the user" >&2
exit 2
@else
# @description@
#
# The event is JSON on stdin. The exit status is the answer:
#   0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
#   2          block: @means@;
#              stderr is the reason
#   any other  a failure: metadata.on-failure in HOOK.md decides
@set@
@if guard words stop

event=$(cat)

# field KEY prints the text at KEY of the event, or every text in an object or
# list, separated by spaces.
@if words
# When an agent calls, tool_input has command, file_path and file_paths (every
# path, also those in a patch), whatever the agent calls them.
@end
field() { printf '%s' "$event" | "${AGENT_HOOKS_PROGRAM:-agent-hooks}" field "$1" || exit 1; }
@end
@if answer

# answer KEY TEXT prints an answer. echo would not escape quotes in the text.
answer() { "${AGENT_HOOKS_PROGRAM:-agent-hooks}" field "$1" "$2" || exit 1; }
@end
@if guard

# What to block. When an agent calls, tool_input has command, file_path and
# file_paths (every path, also those in a patch), whatever the agent calls them.
# This searches every text in tool_input, other keys as well.
text=$(field tool_input)
case $text in
*"@word@"*)
	echo "@word@ is not for agents; ask the user" >&2
	exit 2
	;;
esac
@end
@if shell

# Every simple command that the shell would run, one per line, including those in
# pipes, $(...), sh -c, sudo and so on. Status 3: they cannot be determined.
status=0
commands=$("${AGENT_HOOKS_PROGRAM:-agent-hooks}" commands) || status=$?

# What to block: a program with one of its arguments.
if printf '%s\n' "$commands" | grep -E '^(\| )?([^ ]*/)?@program@ (.* )?@argument@( |$)' >/dev/null; then
	echo "@word@ is not for agents; ask the user" >&2
	exit 2
fi
if [ "$status" -ne 0 ]; then
	echo "the command cannot be parsed; write it more simply" >&2
	exit 2
fi
@end
@if words

# The text to search, and the word to search for. Change both.
text=$(field @key@)
case $text in
*"@word@"*) ;;
*) exit 0 ;; # no opinion
esac

@if block
echo "@says@" >&2
exit 2
@end
@if context
answer additional_context "@says@"
@end
@if message
answer system_message "@says@"
@end
@end
@if notes

# The event on stdin is not used; its @key@ may be useful.
notes=${AGENT_HOOKS_PROJECT_DIR:-.}/NOTES.md
[ -s "$notes" ] || exit 0 # nothing to say

answer additional_context "The project's notes (NOTES.md):
$(head -n 40 "$notes")"
@end
@if stop

# The agent already continues because of a block: blocking again could loop.
[ "$(field stop_hook_active)" != true ] || exit 0
@end
@if todo

# The unchecked items of TODO.md.
todo=${AGENT_HOOKS_PROJECT_DIR:-.}/TODO.md
[ -f "$todo" ] || exit 0 # no opinion
open=$(grep -m 20 '^[[:space:]]*[-*] \[ \]' "$todo" || true)
[ -n "$open" ] || exit 0

@if block
echo "@says@:
$open" >&2
exit 2
@end
@if context
answer additional_context "@says@:
$open"
@end
@if message
answer system_message "@says@:
$open"
@end
@end
@if guard shell

# No opinion: the agent's own permissions decide. Other answers, on stdout:
#   {"decision": "ask", "reason": "why"}   the user decides
#   {"decision": "allow"}                  nobody is asked
#   {"modified_input": {"command": "ls"}}  replaces the whole tool input
#   {"additional_context": "text"}         a message to the model
#   {"system_message": "text"}             a message to the user
# For an answer with a part of the event: "$AGENT_HOOKS_PROGRAM" field KEY TEXT, never echo.
@else

# Other answers:
#   echo "why" >&2; exit 2                  @means@
#   echo '{"additional_context": "text"}'   a message to the model
#   echo '{"system_message": "text"}'       a message to the user
@end
@end
