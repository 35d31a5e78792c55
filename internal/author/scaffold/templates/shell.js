#!/usr/bin/env node
// @description@
//
// The event is JSON on stdin. The exit status is the answer:
//   0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
//   2          block: @means@;
//              stderr is the reason
//   any other  a failure, as is an exception: metadata.on-failure in HOOK.md
//              decides
"use strict";

function block(reason) {
  console.error(reason);
  process.exitCode = 2; // process.exit might lose the reason
}

function answer(keys) {
  console.log(JSON.stringify(keys));
}

async function main(event) {
  const { spawnSync } = await import("node:child_process");
  const { basename } = await import("node:path");
  // Every simple command that the shell would run, including those in pipes,
  // $(...), sh -c, sudo and so on. Status 3: they cannot be determined.
  const program = process.env.AGENT_HOOKS_PROGRAM || "agent-hooks";
  const read = spawnSync(program, ["commands", "--json"], { input: JSON.stringify(event), encoding: "utf8", maxBuffer: 1 << 28 });
  if (read.error) throw read.error;
  for (const line of read.stdout.split("\n").filter(Boolean)) {
    const { words } = JSON.parse(line);
    // What to block: a program with one of its arguments.
    if (words.length && basename(words[0]) === "@program@" && words.includes("@argument@")) {
      return block("@name@: @word@ is not for agents; ask the user");
    }
  }
  if (read.status !== 0) return block("@name@: the command cannot be parsed; write it more simply");
  // No opinion: the agent's own permissions decide. Other answers:
  //   answer({ decision: "ask", reason: "why" })  the user decides
  //   answer({ decision: "allow" })               nobody is asked
  //   answer({ modified_input: { ... } })         replaces the whole tool input
  //   answer({ additional_context: "text" })      a message to the model
  //   answer({ system_message: "text" })          a message to the user
}

// It uses neither require nor import, so that it works whether or not the
// project's package.json sets "type": "module".
let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => main(JSON.parse(input)));
