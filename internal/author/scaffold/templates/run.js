#!/usr/bin/env node
@if refuse
// The matcher in HOOK.md selects the calls, and this script blocks them. Exit
// status 2 blocks, with stderr as the reason; 0 lets the call pass; any other
// status is a failure, which metadata.on-failure in HOOK.md decides. To inspect
// the call, read it as JSON from stdin: tool_input has command, file_path and
// file_paths (every path, also those in a patch), whatever the agent calls them.
// Without --pattern, `agent-hooks new` writes a script that reads it.
console.error("this call is not for agents; ask the user");
process.exitCode = 2; // process.exit might lose the reason
@else
// @description@
//
// The event is JSON on stdin. The exit status is the answer:
//   0          continue; stdout may contain one JSON object (agent-hooks spec, 11.3)
//   2          block: @means@;
//              stderr is the reason
//   any other  a failure, as is an exception: metadata.on-failure in HOOK.md
//              decides
"use strict";

@if guard words
// Every text in value, separated by spaces. When an agent calls, tool_input has
// command, file_path and file_paths (every path, also those in a patch),
// whatever the agent calls them.
function texts(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return Object.values(value).map(texts).join(" ");
  return String(value);
}

@end
function block(reason) {
  console.error(reason);
  process.exitCode = 2; // process.exit might lose the reason
}

function answer(keys) {
  console.log(JSON.stringify(keys));
}

@if guard
// What to block.
const FORBIDDEN = ["@word@"];

function main(event) {
  if (event.tool_input === undefined) throw new Error("the event has no tool_input");
  const text = texts(event.tool_input);
  const found = FORBIDDEN.find((words) => text.includes(words));
  if (found) return block(`${found} is not for agents; ask the user`);
@end
@if shell
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
      return block("@word@ is not for agents; ask the user");
    }
  }
  if (read.status !== 0) return block("the command cannot be parsed; write it more simply");
@end
@if words
function main(event) {
  // The text to search, and the word to search for. Change both.
  const text = texts(event.@key@);
  if (!text.includes("@word@")) return; // no opinion
@if block
  block("@says@");
@end
@if context
  answer({ additional_context: "@says@" });
@end
@if message
  answer({ system_message: "@says@" });
@end
@end
@if notes
async function main(event) { // event.@key@ may be useful
  const { existsSync, readFileSync } = await import("node:fs");
  const notes = (process.env.AGENT_HOOKS_PROJECT_DIR || ".") + "/NOTES.md";
  if (!existsSync(notes)) return; // nothing to say
  const text = readFileSync(notes, "utf8").slice(0, 4000);
  if (text.trim()) answer({ additional_context: "The project's notes (NOTES.md):\n" + text });
@end
@if todo
async function main(event) {
@if stop
  if (event.stop_hook_active) return; // it already continues because of a block: blocking again could loop
@end
  // The unchecked items of TODO.md.
  const { existsSync, readFileSync } = await import("node:fs");
  const todo = (process.env.AGENT_HOOKS_PROJECT_DIR || ".") + "/TODO.md";
  if (!existsSync(todo)) return; // no opinion
  const items = readFileSync(todo, "utf8").split("\n").map((line) => line.trim()).filter((line) => /^[-*] \[ \]/.test(line));
  if (items.length === 0) return;
@if block
  block("@says@:\n" + items.join("\n"));
@end
@if context
  answer({ additional_context: "@says@:\n" + items.join("\n") });
@end
@if message
  answer({ system_message: "@says@:\n" + items.join("\n") });
@end
@end
@if guard shell
  // No opinion: the agent's own permissions decide. Other answers:
  //   answer({ decision: "ask", reason: "why" })  the user decides
  //   answer({ decision: "allow" })               nobody is asked
  //   answer({ modified_input: { ... } })         replaces the whole tool input
  //   answer({ additional_context: "text" })      a message to the model
  //   answer({ system_message: "text" })          a message to the user
@else
  // Other answers:
  //   block("why")                            @means@
  //   answer({ additional_context: "text" })  a message to the model
  //   answer({ system_message: "text" })      a message to the user
@end
}

// It uses neither require nor import, so that it works whether or not the
// project's package.json sets "type": "module".
let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => main(JSON.parse(input)));
@end
