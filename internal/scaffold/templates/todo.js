async function main(event) {
@gate@  // The items of TODO.md that are not ticked.
  const { existsSync, readFileSync } = await import("node:fs");
  const todo = (process.env.AGENT_HOOKS_PROJECT_DIR || ".") + "/TODO.md";
  if (!existsSync(todo)) return; // no opinion
  const items = readFileSync(todo, "utf8").split("\n").map((line) => line.trim()).filter((line) => /^[-*] \[ \]/.test(line));
  if (items.length === 0) return;
  @answer@
@others@
}
