@shebang@
# @description@
#
# The event is JSON on stdin. The exit status is the answer:
#   0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
#   2          block: @means@;
#              stderr is the reason
#   any other  a failure: metadata.on-failure in HOOK.md decides
@set@
?stop 
?stop event=$(cat)
?stop 
?stop # field KEY prints the text at KEY of the event, or every text in an object or
?stop # list, separated by spaces. It needs jq or python3, and fails without them.
?stop field() {
?stop 	if command -v jq >/dev/null 2>&1; then
?stop 		printf '%s' "$event" | jq -r --arg key "$1" '[.[$key] | .. | scalars | select(. != null) | tostring] | join(" ")'
?stop 	else
?stop 		printf '%s' "$event" | python3 -I -c '
?stop import json, sys
?stop def texts(v):
?stop     if isinstance(v, (dict, list)):
?stop         return " ".join(map(texts, v.values() if isinstance(v, dict) else v))
?stop     return "" if v is None else v if isinstance(v, str) else json.dumps(v)
?stop sys.stdout.buffer.write(texts(json.load(sys.stdin.buffer).get(sys.argv[1])).encode())' "$1"
?stop 	fi || exit 1 # their exit status must not block
?stop }
?answer 
?answer # answer KEY TEXT prints an answer. echo would not escape quotes in the text.
?answer answer() {
?answer 	if command -v jq >/dev/null 2>&1; then
?answer 		jq -cn --arg key "$1" --arg text "$2" '{($key): $text}'
?answer 	else
?answer 		python3 -I -c 'import json, sys; print(json.dumps({sys.argv[1]: sys.argv[2]}))' "$1" "$2"
?answer 	fi || exit 1 # their exit status must not block
?answer }
?stop 
?stop # The agent already continues because of a block: blocking again could loop.
?stop [ "$(field stop_hook_active)" != true ] || exit 0

# The unchecked items of TODO.md.
todo=${AGENT_HOOKS_PROJECT_DIR:-.}/TODO.md
[ -f "$todo" ] || exit 0 # no opinion
open=$(grep -m 20 '^[[:space:]]*[-*] \[ \]' "$todo" || true)
[ -n "$open" ] || exit 0

?block echo "@name@: @says@:
?block $open" >&2
?block exit 2
?context answer additional_context "@says@:
?context $open"
?message answer system_message "@says@:
?message $open"

# Other answers:
#   echo "why" >&2; exit 2                  @means@
#   echo '{"additional_context": "text"}'   a message to the model
#   echo '{"system_message": "text"}'       a message to the user
