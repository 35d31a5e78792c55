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

async function main(event) { // event.@key@ may be useful
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

// It uses neither require nor import, so that it works whether or not the
// project's package.json sets "type": "module".
let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => main(JSON.parse(input)));
