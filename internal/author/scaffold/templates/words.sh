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
# When an agent calls, tool_input has command, file_path and file_paths (every
# path, also those in a patch), whatever the agent calls them.
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
?answer 
?answer # answer KEY TEXT prints an answer. echo would not escape quotes in the text.
?answer answer() {
?answer 	if command -v jq >/dev/null 2>&1; then
?answer 		jq -cn --arg key "$1" --arg text "$2" '{($key): $text}'
?answer 	else
?answer 		python3 -I -c 'import json, sys; print(json.dumps({sys.argv[1]: sys.argv[2]}))' "$1" "$2"
?answer 	fi || exit 1 # their exit status must not block
?answer }

# The text to search, and the word to search for. Change both.
text=$(field @key@)
case $text in
*"@word@"*) ;;
*) exit 0 ;; # no opinion
esac

?block echo "@name@: @says@" >&2
?block exit 2
?context answer additional_context "@says@"
?message answer system_message "@says@"

# Other answers:
#   echo "why" >&2; exit 2                  @means@
#   echo '{"additional_context": "text"}'   a message to the model
#   echo '{"system_message": "text"}'       a message to the user
