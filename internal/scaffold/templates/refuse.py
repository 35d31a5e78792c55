#!/usr/bin/env python3
# The matcher in HOOK.md has chosen this call, and this blocks it: exit status 2
# blocks, and stderr is the reason. 0 lets it pass; any other is a failure, by
# an exception too, and metadata.on-failure in HOOK.md decides. The call itself
# is on stdin, as JSON: a script made by `agent-hooks new` without --pattern
# reads it.
import sys

print("@name@: this call is not for agents; ask the user", file=sys.stderr)
sys.exit(2)
