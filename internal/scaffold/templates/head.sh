@shebang@
# @description@
#
# The event comes as JSON on stdin. The exit status is the answer:
#   0          go on; stdout may hold one JSON object: agent-hooks spec, 11.3
#   2          block: @block@;
#              stderr is the reason
#   any other  the hook has failed, and metadata.on-failure in HOOK.md decides
@set@
