
# The event on stdin is not looked at; its @key@ may matter.
notes=${AGENT_HOOKS_PROJECT_DIR:-.}/NOTES.md
[ -s "$notes" ] || exit 0 # nothing to say

answer additional_context "The project's notes (NOTES.md):
$(head -n 40 "$notes")"
@others@
