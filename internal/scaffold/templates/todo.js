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

async function main(event) {
?stop   if (event.stop_hook_active) return; // it continues already because of a block: let it stop, or it loops
  // The items of TODO.md that are not ticked.
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

// Neither require nor import, so that it does not matter whether the project's
// package.json says "type": "module".
let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => main(JSON.parse(input)));
