@shebang@
# @description@
#
# The event is JSON on stdin. The exit status is the answer:
#   0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
#   2          block: @means@;
#              stderr is the reason
#   any other  a failure: metadata.on-failure in HOOK.md decides
@set@

event=$(cat)

# field KEY prints the text at KEY of the event, or every text in an object or
# list, separated by spaces. It needs jq or python3, and fails without them.
field() {
	if command -v jq >/dev/null 2>&1; then
		printf '%s' "$event" | jq -r --arg key "$1" '[.[$key] | .. | scalars | select(. != null) | tostring] | join(" ")'
	else
		printf '%s' "$event" | python3 -I -c '
import json, sys
def texts(v):
    if isinstance(v, (dict, list)):
        return " ".join(map(texts, v.values() if isinstance(v, dict) else v))
    return "" if v is None else v if isinstance(v, str) else json.dumps(v)
sys.stdout.buffer.write(texts(json.load(sys.stdin.buffer).get(sys.argv[1])).encode())' "$1"
	fi || exit 1 # their exit status must not block
}

# What to block. When an agent calls, tool_input has command, file_path and
# file_paths (every path, also those in a patch), whatever the agent calls them.
# This searches every text in tool_input, other keys as well.
text=$(field tool_input)
case $text in
*"@word@"*)
	echo "@name@: @word@ is not for agents; ask the user" >&2
	exit 2
	;;
esac

# No opinion: the agent's own permissions decide. Other answers, on stdout:
#   {"decision": "ask", "reason": "why"}   the user decides
#   {"decision": "allow"}                  nobody is asked
#   {"modified_input": {"command": "ls"}}  replaces the whole tool input
#   {"additional_context": "text"}         a message to the model
#   {"system_message": "text"}             a message to the user
# Use jq -n --arg for an answer with a part of the event, never echo.
