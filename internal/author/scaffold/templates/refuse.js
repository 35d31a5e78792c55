#!/usr/bin/env node
// The matcher in HOOK.md selects the calls, and this script blocks them. Exit
// status 2 blocks, with stderr as the reason; 0 lets the call pass; any other
// status is a failure, which metadata.on-failure in HOOK.md decides. To inspect
// the call, read it as JSON from stdin: tool_input has command, file_path and
// file_paths (every path, also those in a patch), whatever the agent calls them.
// Without --pattern, `agent-hooks new` writes a script that reads it.
console.error("@name@: this call is not for agents; ask the user");
process.exitCode = 2; // process.exit might lose the reason
