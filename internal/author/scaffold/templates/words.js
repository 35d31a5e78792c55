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

// Every text in value, separated by spaces. When an agent calls, tool_input has
// command, file_path and file_paths (every path, also those in a patch),
// whatever the agent calls them.
function texts(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return Object.values(value).map(texts).join(" ");
  return String(value);
}

function block(reason) {
  console.error(reason);
  process.exitCode = 2; // process.exit might lose the reason
}

function answer(keys) {
  console.log(JSON.stringify(keys));
}

function main(event) {
  // The text to search, and the word to search for. Change both.
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

// It uses neither require nor import, so that it works whether or not the
// project's package.json sets "type": "module".
let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => main(JSON.parse(input)));
