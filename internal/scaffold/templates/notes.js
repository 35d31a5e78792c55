#!/usr/bin/env node
// @description@
//
// The event comes as JSON on stdin. The exit status is the answer:
//   0          go on; stdout may hold one JSON object: agent-hooks spec, 11.3
//   2          block: @means@;
//              stderr is the reason
//   any other  the hook has failed, also by an exception, and
//              metadata.on-failure in HOOK.md decides
"use strict";

function block(reason) {
  console.error(reason);
  process.exitCode = 2; // process.exit could lose the reason
}

function answer(keys) {
  console.log(JSON.stringify(keys));
}

async function main(event) { // event.@key@ may matter
  const { existsSync, readFileSync } = await import("node:fs");
  const notes = (process.env.AGENT_HOOKS_PROJECT_DIR || ".") + "/NOTES.md";
  if (!existsSync(notes)) return; // nothing to say
  const text = readFileSync(notes, "utf8").slice(0, 4000);
  if (text.trim()) answer({ additional_context: "The project's notes (NOTES.md):\n" + text });
  // Other answers:
  //   block("why")                            @means@
  //   answer({ additional_context: "text" })  a message to the model
  //   answer({ system_message: "text" })      a message to the user
}

// Neither require nor import, so that it does not matter whether the project's
// package.json says "type": "module".
let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => main(JSON.parse(input)));
