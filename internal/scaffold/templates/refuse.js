#!/usr/bin/env node
// The matcher in HOOK.md has selected this call, and this blocks it: exit status
// 2 blocks, and stderr is the reason. 0 lets it pass; any other is a failure,
// also an exception, and metadata.on-failure in HOOK.md decides. The call is on
// stdin, as JSON: a script that `agent-hooks new` writes without --pattern reads
// it.
console.error("@name@: this call is not for agents; ask the user");
process.exitCode = 2; // process.exit could lose the reason
