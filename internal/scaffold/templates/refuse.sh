@shebang@
# The matcher in HOOK.md has selected this call, and this blocks it: exit status
# 2 blocks, and stderr is the reason. 0 lets it pass; any other is a failure, and
# metadata.on-failure in HOOK.md decides. The call is on stdin, as JSON: a script
# that `agent-hooks new` writes without --pattern reads it.
echo "@name@: this call is not for agents; ask the user" >&2
exit 2
