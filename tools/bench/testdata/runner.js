// The same work in Node: the hooks of one directory, one event on stdin.
const fs = require("fs"), path = require("path"), { spawnSync } = require("child_process");

const dir = process.argv[2], input = fs.readFileSync(0), event = JSON.parse(input);
const values = (v) => (v && typeof v === "object" ? Object.values(v).flatMap(values) : [String(v)]);
const searched = values(event.tool_input);

for (const name of fs.readdirSync(dir).sort()) {
  const front = fs.readFileSync(path.join(dir, name, "HOOK.md"), "utf8").split("---\n")[1];
  const key = (k) => (front.match(new RegExp(`^\\s*${k}: (.*)$`, "m")) || [])[1];
  const tool = key("tool"), pattern = key("pattern");
  if (key("trigger") !== "pre-tool-call") continue;
  if (tool && !new RegExp(tool).test(event.tool_name)) continue;
  if (pattern && !searched.some((s) => new RegExp(pattern).test(s))) continue;
  const result = spawnSync(path.join(dir, name, "scripts/run.sh"), { input });
  if (result.status === 2) process.exit(2);
}
