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
?stop   if (event.stop_hook_active) return; // it already continues because of a block: blocking again could loop
  // The unchecked items of TODO.md.
  const { existsSync, readFileSync } = await import("node:fs");
  const todo = (process.env.AGENT_HOOKS_PROJECT_DIR || ".") + "/TODO.md";
  if (!existsSync(todo)) return; // no opinion
  const items = readFileSync(todo, "utf8").split("\n").map((line) => line.trim()).filter((line) => /^[-*] \[ \]/.test(line));
  if (items.length === 0) return;
?block   block("@name@: @says@:\n" + items.join("\n"));
?context   answer({ additional_context: "@says@:\n" + items.join("\n") });
?message   answer({ system_message: "@says@:\n" + items.join("\n") });
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
