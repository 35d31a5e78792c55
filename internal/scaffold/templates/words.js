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

// Every text in value, separated by spaces: agents name the same input command,
// cmd, file_path, filePath ...
function texts(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return Object.values(value).map(texts).join(" ");
  return String(value);
}

function block(reason) {
  console.error(reason);
  process.exitCode = 2; // process.exit could lose the reason
}

function answer(keys) {
  console.log(JSON.stringify(keys));
}

function main(event) {
  // What it searches, and for. Change both.
  const text = texts(event.@key@);
  if (!text.includes("@word@")) return; // no opinion
?block   block("@name@: @says@");
?context   answer({ additional_context: "@says@" });
?message   answer({ system_message: "@says@" });
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
