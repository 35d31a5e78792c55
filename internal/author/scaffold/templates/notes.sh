@shebang@
# @description@
#
# The event is JSON on stdin. The exit status is the answer:
#   0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
#   2          block: @means@;
#              stderr is the reason
#   any other  a failure: metadata.on-failure in HOOK.md decides
@set@

# answer KEY TEXT prints an answer. echo would not escape quotes in the text.
answer() {
	if command -v jq >/dev/null 2>&1; then
		jq -cn --arg key "$1" --arg text "$2" '{($key): $text}'
	else
		python3 -I -c 'import json, sys; print(json.dumps({sys.argv[1]: sys.argv[2]}))' "$1" "$2"
	fi || exit 1 # their exit status must not block
}

# The event on stdin is not used; its @key@ may be useful.
notes=${AGENT_HOOKS_PROJECT_DIR:-.}/NOTES.md
[ -s "$notes" ] || exit 0 # nothing to say

answer additional_context "The project's notes (NOTES.md):
$(head -n 40 "$notes")"

# Other answers:
#   echo "why" >&2; exit 2                  @means@
#   echo '{"additional_context": "text"}'   a message to the model
#   echo '{"system_message": "text"}'       a message to the user
