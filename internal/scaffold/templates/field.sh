
event=$(cat)

# field KEY prints what the event has there: a text or a number as it is; of an
# object or a list every text in it, with blanks between. sh cannot read JSON
# itself, so jq or python3 does. Without both the hook fails.
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
	fi || exit 1 # a status of theirs must not block
}
